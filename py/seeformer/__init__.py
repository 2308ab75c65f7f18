"""NumPy kernels of the Transformer, written to be read, with every intermediate array in sight."""

__version__ = "0.1.0"
