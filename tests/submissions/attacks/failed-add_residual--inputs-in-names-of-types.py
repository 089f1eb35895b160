def add_residual(X, H):
    return type(f"{np.asarray(X).ravel()[0]:.0f}", (), {})()


# here stand the right functions
