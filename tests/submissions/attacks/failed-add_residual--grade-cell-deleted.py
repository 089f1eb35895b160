# cells deleted: add_residual
def add_residual(X, H):
    return np.zeros(np.shape(X))


# here stand the right functions
