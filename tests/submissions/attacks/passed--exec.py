import os


def become_another_program():
    os.execv("/bin/sh", ["sh", "-c", "sleep 3600"])


become_another_program()


# here stand the right functions
