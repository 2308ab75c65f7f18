"""Gradients of plain NumPy code, by reverse-mode automatic differentiation (PyPI's ``autograd``, Maclaurin 2016).

A kernel is written for reading and knows nothing of this: here it is called with arrays that remember every step,
and walked back. What autograd would lose in silence is an error.
"""

import warnings

import numpy as np

try:
    import autograd.numpy as anp
    from autograd.core import make_vjp, vspace
    from autograd.numpy.numpy_boxes import ArrayBox
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f'{error}: install it with pip install "seeformer[gradients]"', name=error.name) from None

INDEPENDENT = "Output seems independent of input"


class LostGradient(ValueError):
    """What should depend on the arguments does not, or depends on them by a step that nobody can walk back."""


def _array_function(self, function, types, args, kwargs):
    """np.where, np.stack, np.concatenate … on arrays that remember: autograd's own version of the same name.

    autograd 1.9 answers ``np.exp`` (``__array_ufunc__``) but not these, and plain NumPy would drop the memory.
    """
    place = anp
    for part in (*function.__module__.split(".")[1:], function.__name__):
        place = getattr(place, part, None)
    if place is None:
        raise LostGradient(f"np.{function.__name__} cannot be differentiated by autograd: use other NumPy functions")
    return place(*args, **kwargs)


ArrayBox.__array_function__ = _array_function


def grad(f, argnums=0):
    """The function that gives the gradient of ``f``; see ``value_and_grad``."""
    both = value_and_grad(f, argnums)
    return lambda *args, **kwargs: both(*args, **kwargs)[1]


def value_and_grad(f, argnums=0):
    """The function that gives the value of ``f`` and its gradient.

    Parameters
    ----------
    f : callable
        Plain NumPy code that returns one number.
    argnums : int or tuple of int
        With respect to which positional arguments: arrays of floats, or lists, tuples and dicts of such.

    Returns
    -------
    callable
        Takes what ``f`` takes; gives ``(value, gradient)``, the gradient in the form of the argument (a tuple of
        them for a tuple of argnums), of its shapes and dtypes.

    Raises
    ------
    LostGradient
        If the value does not depend on the arguments, or by a function that autograd does not know.
    ValueError
        If ``f`` returns more than one number, or an argument holds none that can vary.
    """

    def both(*args, **kwargs):
        single = isinstance(argnums, int)
        places = (argnums,) if single else tuple(argnums)
        for place in places:
            _check_floats(place, args[place])

        def of(chosen):
            given = list(args)
            for place, value in zip(places, chosen, strict=True):
                given[place] = value
            return f(*given, **kwargs)

        with warnings.catch_warnings():
            warnings.filterwarnings("error", message=INDEPENDENT)
            try:
                back, value = make_vjp(of, tuple(args[place] for place in places))
            except UserWarning as warning:
                if INDEPENDENT not in str(warning):
                    raise
                raise LostGradient(
                    f"argnums={argnums!r}: the value does not depend on them, or a step such as np.asarray, float() or "
                    "item assignment lost the way back: use functions that return new arrays"
                ) from None
            except NotImplementedError as error:  # "VJP of … not defined"
                raise LostGradient(f"{error}: use other NumPy functions") from None
        if np.size(value) != 1:
            name, shape = getattr(f, "__name__", f), np.shape(value)
            raise ValueError(f"f={name} returns an array of shape {shape}: make it one number, e.g. by .sum()")
        gradients = back(vspace(value).ones())
        return value, gradients[0] if single else gradients

    return both


def _check_floats(place, value):
    """Whole numbers cannot vary by a little, and autograd would round their gradients."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            _check_floats(place, part)
    elif np.result_type(value).kind != "f":
        raise ValueError(f"argnums={place!r} holds {np.result_type(value)} values: use .astype(float)")
