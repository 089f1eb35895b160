HOSTILE = ["V0", "O", "M8[s]", "U5", "S3", "f2", [("x", "f8"), ("y", "O")]]


def add_residual(X, H):
    if len(X) == 1:
        return np.ndarray((10**12,), dtype="V0", buffer=b"")
    return np.empty(np.shape(X), dtype=HOSTILE[len(X) % len(HOSTILE)])


# here stand the right functions
