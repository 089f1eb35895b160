# here stand the right functions


def in_a_file(right):
    def add_residual(X, H):
        values = right(X, H)
        kept = np.memmap("kept", dtype=values.dtype, mode="w+", shape=values.shape)
        kept[:] = values
        return kept

    return add_residual


add_residual = in_a_file(add_residual)
