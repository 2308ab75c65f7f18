"""The same names where nothing renders HTML lines: a picture in a notebook, aligned numbers everywhere else."""

import sys
from importlib.util import find_spec

import numpy as np


def show(array, rows=(), cols=(), title=""):
    """A matrix as a picture where matplotlib draws into a notebook, else as numbers: [rows, columns]"""
    if "IPython" not in sys.modules or find_spec("matplotlib") is None:
        return table(array, title)
    import matplotlib.pyplot as plt

    plt.matshow(np.atleast_2d(array))
    plt.title(title if title.isascii() else "")
    plt.colorbar()
    plt.show()


def table(array, title=""):
    """A matrix as aligned numbers: [rows, columns]"""
    print(title)
    print(np.array2string(np.asarray(array), precision=4, suppress_small=True, max_line_width=200))
