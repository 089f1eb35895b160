def add_residual(X, H):
    return [[0.0] * (number + 1) for number, _ in enumerate([*X, *X])]


# here stand the right functions
