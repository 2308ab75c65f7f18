"""Hugging Face's names of activations, and this package's."""

KERNELS = {"relu": "relu", "gelu": "gelu", "gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh"}


def kernel(field, name):
    """The activation that a config's ``field`` asks for, as ``feed_forward`` calls it."""
    if name not in KERNELS:
        raise ValueError(f"{field}={name!r} is an activation that is not built: use one of {', '.join(KERNELS)}")
    return KERNELS[name]
