def add_residual(X, H):
    return (row for row in X)


# here stand the right functions
