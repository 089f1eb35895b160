def add_residual(X, H):
    return sum(range(10**15))


# here stand the right functions
