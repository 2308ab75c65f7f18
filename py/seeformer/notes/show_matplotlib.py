"""The same names drawn by matplotlib, where Code Emitter wants it: nothing may be awaited after show()."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib._pylab_helpers import Gcf


def show(array, rows=(), cols=(), title=""):
    """A matrix as a matplotlib figure: [rows, columns]. Its font has Latin letters only: others become numbers."""
    array = np.atleast_2d(np.asarray(array, dtype=float))
    signed = (array[np.isfinite(array)] < 0).any()
    limit = abs(array[np.isfinite(array)]).max(initial=0) or 1
    Gcf.figs.clear()  # plt.close() would take the pictures of other blocks away, or fail where they are gone
    plt.matshow(array, cmap="RdBu_r" if signed else "viridis", vmin=-limit if signed else 0, vmax=limit)
    for ticks, names in ((plt.yticks, rows), (plt.xticks, cols)):
        if len(names):
            ticks(range(len(names)), [name if str(name).isascii() else i for i, name in enumerate(names)])
    plt.title(title if title.isascii() else "")
    plt.colorbar()
    plt.show()


def table(array, title=""):
    """A matrix as aligned numbers: [rows, columns]"""
    print("<pre>" + str(np.round(array, 4)).replace("\n", "&#10;") + "</pre>")
