import ctypes
import os


def create():
    libc = ctypes.CDLL("librt.so.1", use_errno=True)
    if libc.mq_open(b"/attack", os.O_CREAT | os.O_RDWR, 0o600, None) >= 0:
        print("got through")


create()


# here stand the right functions
