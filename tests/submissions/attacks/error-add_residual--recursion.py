import sys

sys.setrecursionlimit(10**6)


def add_residual(X, H):
    return [add_residual(X, H)]


# here stand the right functions
