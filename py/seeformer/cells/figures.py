"""A matplotlib backend: `plt.show()` puts the figures into the cell's output, at the place where it is called."""

import io

from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

from seeformer.cells.output import current


class FigureManager(FigureManagerBase):
    def show(self) -> None:
        _send(self)
        Gcf.destroy(self)

    @classmethod
    def pyplot_show(cls, *, block=None) -> None:
        show_all()


class FigureCanvas(FigureCanvasAgg):
    manager_class = FigureManager


def show_all() -> None:
    """Shows every open figure, whatever its backend, and closes it."""
    for manager in Gcf.get_all_fig_managers():
        _send(manager)
    Gcf.destroy_all()


def _send(manager: FigureManagerBase) -> None:
    output = current()
    if output is None:
        return
    png = io.BytesIO()
    manager.canvas.figure.savefig(png, format="png", bbox_inches="tight")
    output.picture(png.getvalue())
