"""What BART and T5 share: an encoder reads the source, a decoder writes the target while looking at it.

A subclass gives ``encode``, ``decode``, ``new_cache`` and ``longest`` (the longest target, None if there is none).
"""

import numpy as np

from ..checks import shaped, whole
from .beam import beam_search, beam_steps
from .embeddings import whole_numbers
from .model import Model
from .sampling import generate


class Seq2Seq(Model):
    """Seen: ``encoder.…`` once, ``decoder.…`` at each step, ``logits``; layers as ``layers`` says."""

    longest = None

    def forward(self, ids, decoder_ids, *, attention_mask=None, decoder_attention_mask=None):
        """Teacher forcing: what comes next after each token of a target that is known.

        Parameters
        ----------
        ids : integer array [..., m]
            The source.
        decoder_ids : integer array [..., n]
            What the decoder has written so far; for a target to learn, ``shift_right(target)``.
        attention_mask, decoder_attention_mask : array [..., m] and [..., n], optional
            1 for a token, 0 for filling.

        Returns
        -------
        array [..., n, vocab_size]
        """
        memory = self.encode(ids, attention_mask=attention_mask)
        masks = {"attention_mask": attention_mask, "decoder_attention_mask": decoder_attention_mask}
        return self.decode(decoder_ids, memory, **masks)

    def shift_right(self, target):
        """A target as the decoder's input: the start token before it, its last token away."""
        target = whole_numbers("target", target)
        start = np.full_like(target[..., :1], self.start_token)
        return np.concatenate([start, target[..., :-1]], axis=-1)

    def generate(self, ids, steps, *, attention_mask=None, **options):
        """Write a target, token by token; see ``sampling.generate`` for options and what is yielded."""
        read = self._reader(ids, attention_mask, self.new_cache())
        return generate(read, self._start(), steps, **{"most": self.longest} | self._endings() | options)

    def beam_search(self, ids, steps, *, attention_mask=None, **options):
        """The most probable targets; see ``beam.beam_search``."""
        return beam_search(**self._search(ids, steps, attention_mask, options))

    def beam_steps(self, ids, steps, *, attention_mask=None, **options):
        """The search itself, step by step; see ``beam.beam_steps``."""
        return beam_steps(**self._search(ids, steps, attention_mask, options))

    @property
    def start_token(self):
        start = self.config.decoder_start_token_id
        return self.config.pad_token_id if start is None else start

    def _start(self):
        return np.array([self.start_token])

    def _endings(self):
        return {"eos": self.config.eos_token_id, "forced_eos": getattr(self.config, "forced_eos_token_id", None)}

    def _search(self, ids, steps, attention_mask, options):
        cache, steps = self.new_cache(), whole("steps", steps, least=1)
        steps = steps if self.longest is None else min(steps, self.longest)
        read = self._reader(ids, attention_mask, cache)
        given = {"read": read, "ids": self._start(), "steps": steps, "reorder": cache.select}
        return self._endings() | options | given

    def _reader(self, ids, attention_mask, cache):
        """New decoder tokens [..., n] -> logits [..., vocab_size] of what follows them. The source is one text [m]."""
        ids = whole_numbers("ids", ids)
        if ids.ndim != 1:
            raise ValueError(f"ids={shaped(ids)} is not one text: give one row of tokens")
        memory = self.encode(ids, attention_mask=attention_mask)
        options = {"attention_mask": attention_mask, "cache": cache, "last": True}
        return lambda new: self.decode(new, memory, **options)[..., -1, :]
