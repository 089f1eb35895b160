import os
import resource


def lower():
    resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (0, 0))
    print("got through")


def raise_own():
    resource.setrlimit(resource.RLIMIT_DATA, (2**40, 2**40))
    print("got through")


lower()
raise_own()


# here stand the right functions
