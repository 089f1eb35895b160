import ctypes
import os

print(dict(os.environ), os.environb)


def whole_environment():
    """What the process was started with, from its own memory."""
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    number = 0
    while environ[number]:
        print(environ[number])
        number += 1


whole_environment()


# here stand the right functions
