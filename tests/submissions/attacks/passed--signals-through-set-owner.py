import fcntl
import os


def set_owner():
    """Have the template be sent SIGIO."""
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())
    print("got through")


set_owner()


# here stand the right functions
