"""The Transformer and its family, from the kernels of this package.

A model is a config (a dataclass with the field names of Hugging Face's ``config.json``) and a flat dict of arrays
under the names of the tensors in its ``.safetensors`` file; ``Model.random(config, seed)`` makes such a dict. The
methods return what one wants of the model, and pass everything on the way through ``see``.
"""
