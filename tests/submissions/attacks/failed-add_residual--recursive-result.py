def add_residual(X, H):
    endless = []
    endless.append(endless)
    return endless


# here stand the right functions
