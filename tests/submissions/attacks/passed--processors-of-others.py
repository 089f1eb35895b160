import os


def bind():
    os.sched_setaffinity(os.getppid(), {0})
    print("got through")


bind()


# here stand the right functions
