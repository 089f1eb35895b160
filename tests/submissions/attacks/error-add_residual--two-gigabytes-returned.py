def add_residual(X, H):
    return bytes(2**31)


# here stand the right functions
