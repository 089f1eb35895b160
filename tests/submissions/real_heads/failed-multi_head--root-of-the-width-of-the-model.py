# Here, too, the parameters are judged with our multi_head.
import numpy as np
from scipy.special import softmax

# here stand the right functions


def multi_head(X, Wq, Wk, Wv, Wo, causal=False):
    A = softmax((X @ Wq) @ (X @ Wk).swapaxes(1, 2) / np.sqrt(X.shape[1]), axis=-1)
    return A, np.hstack(list(A @ (X @ Wv))) @ Wo
