"""NumPy's own `@` at the chip's speed, in any Pyodide.

    import seeformer.fast
    seeformer.fast.enable()      # from here on A @ B of float32 and float64 runs in SIMD code
    seeformer.fast.status()      # {"enabled": True, "build": "relaxed", ...}
    seeformer.fast.disable()     # NumPy's own loops again
    seeformer.fast.limit()       # GFLOP/s that this chip can do at most, measured now

NumPy in Pyodide has no BLAS. enable() puts compiled inner loops (src/, loops-*.wasm) under NumPy's ufuncs `matmul`,
`matvec`, `vecmat` and `vecdot`, through NumPy's public C API; everything around them stays NumPy's. `np.dot`, `inner`,
`tensordot` and `einsum` do not go through these ufuncs: write `@`. With fast products, most of a softmax's or GELU's
time goes into `exp`, `tanh` and `maximum` (also its reduce, `max`): these have SIMD loops too, within 2 units in the
last place of NumPy's.

Outside Pyodide, or where anything is not as expected, nothing is changed and the status says why. This package imports
nothing else of seeformer.
"""

from .limits import limit
from .switch import disable, enable, status

__all__ = ["disable", "enable", "limit", "status"]
