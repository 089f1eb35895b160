def add_residual(X, H):
    return [[None] * 10**7 for _ in range(100)]


# here stand the right functions
