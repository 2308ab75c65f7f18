"""What all models share: a config, its weights, and seeded weights to begin with."""

from .initial import initial_weights


class Model:
    """A model is its config and a flat dict of arrays, which it neither copies nor changes.

    A subclass gives ``Config``, ``shapes(config, …)`` (name -> shape of every array of its checkpoint), an
    ``__init__`` that checks the weights against them, and ``layers``: {"encoder": [Layer, …], "decoder": [Layer, …]},
    or one of the two.
    """

    def __init__(self, config, weights):
        self.config, self.weights = config, weights

    @classmethod
    def random(cls, config, seed=0, *, spread=0.02, **options):
        """The model with seeded float32 weights; options as for ``shapes``.

        Parameters
        ----------
        config : the dataclass of the family
        seed : int
        spread : float
            Standard deviation of matrices and tables, 0.02 as in BERT and GPT-2. Biases are 0, gains of norms 1.
        """
        return cls(config, initial_weights(cls.shapes(config, **options), seed, spread))

    @property
    def dtype(self):
        return next(iter(self.weights.values())).dtype

    def parameter_count(self):
        """How many numbers the weights are: shared ones count once, as they are stored once."""
        return sum(values.size for values in self.weights.values())
