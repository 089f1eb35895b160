import time


def add_residual(X, H):
    time.sleep(3600)


# here stand the right functions
