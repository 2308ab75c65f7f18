"""A matplotlib backend: `plt.show()` puts the figures into the cell's output, at the place where it is called."""

import io

from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

from seeformer.cells.output import current


class FigureManager(FigureManagerBase):
    def show(self) -> None:
        _send(self)

    @classmethod
    def pyplot_show(cls, *, block=None) -> None:
        show_all()


class FigureCanvas(FigureCanvasAgg):
    manager_class = FigureManager


def show_all() -> None:
    """Shows every open figure, whatever its backend, and closes it."""
    for manager in Gcf.get_all_fig_managers():
        _send(manager)


def _send(manager: FigureManagerBase) -> None:
    png = io.BytesIO()
    try:
        manager.canvas.figure.savefig(png, format="png", bbox_inches="tight")
    finally:
        Gcf.destroy(manager)  # also one that cannot be drawn: the next cell must not fail for it
    if output := current():
        output.picture(png.getvalue())
