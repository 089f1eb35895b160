import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def create(get, *values):
    """An object that outlives its maker."""
    if get(0x41747461, *values) >= 0:
        print("got through")


create(libc.shmget, 4096, 0o1600)
create(libc.msgget, 0o1600)
create(libc.semget, 1, 0o1600)


# here stand the right functions
