import os


def fork():
    if os.fork() == 0:
        os._exit(0)
    print("got through")


fork()


# here stand the right functions
