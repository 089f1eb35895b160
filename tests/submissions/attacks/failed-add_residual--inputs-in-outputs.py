import sys
from pathlib import Path

from IPython.display import display

print(Path("seen").exists())


def add_residual(X, H):
    print(X, H)
    print(X, H, file=sys.__stderr__)
    display(X)
    get_ipython().outputs = get_ipython().outputs or None
    return np.zeros(np.shape(X))


# here stand the right functions
