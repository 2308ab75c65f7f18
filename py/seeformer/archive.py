"""Every array of a lab in one file: NumPy's .npz, which ``numpy.load`` opens anywhere."""

import io
import zipfile

import numpy as np


def npz(values):
    """The bytes of an .npz file, one entry a value.

    Parameters
    ----------
    values : dict
        name -> array, number, string, or list of strings. A name may hold dots, and be any that a trace has.

    Returns
    -------
    bytes
        Nothing in it is pickled: ``numpy.load`` needs no ``allow_pickle``.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:  # np.savez could not write one called "file"
        for name, value in values.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.asarray(value), allow_pickle=False)
    return buffer.getvalue()
