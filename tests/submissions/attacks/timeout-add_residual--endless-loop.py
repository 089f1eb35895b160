def add_residual(X, H):
    while True:
        pass


# here stand the right functions
