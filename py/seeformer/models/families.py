"""Which model a ``config.json`` asks for: its ``model_type`` -> the class."""

from .bart import Bart
from .bert import Bert
from .gpt import GPT2
from .t5 import T5
from .vit import ViT

FAMILIES = {"bert": Bert, "gpt2": GPT2, "bart": Bart, "t5": T5, "vit": ViT}
