"""The text that the model writes itself: token by token, or by beam search, step by step."""

import numpy as np

from ..model_view import candidates, stacked
from ..models.beam import IMPOSSIBLE
from ..trace import apart, trace

TOP = 8
METHODS = ("greedy", "sampled", "beam")
MOST_BEAMS = 8


def written(model, chosen, visible, method, steps, how, search):
    """Yield, after each step, everything that there is so far."""
    if method == "beam":
        return _searched(model, chosen, visible, steps, search)
    how = how if method == "sampled" else {"temperature": 0.0}
    return _token_by_token(model, chosen, visible, steps, how)


def _token_by_token(model, chosen, visible, steps, how):
    writing = model.generate(chosen.source, steps, attention_mask=visible, **how)
    layers = len(model.layers["decoder"])
    tokens, taken, logs, said, texts, reads = [], [], 0.0, [], [], []
    for step in range(steps):
        with apart(), trace() as seen:
            one = next(writing, None)
        if one is None:
            return
        _, shares, names = candidates(one.logits, chosen.names, TOP)
        tokens.append(one.token)
        log = _log_probability(one.logits, one.token)
        taken.append(np.exp(log))  # by the model; temperature, top_k and top_p only decide what is drawn
        logs += log
        said.append(shares)
        texts += names
        cross = stacked(seen, layers, "cross.weights", prefix=f"step.{step}.")  # [L, h, 1, m]
        reads.append(cross.mean(axis=(0, 1))[-1])
        yield {
            "written": [chosen.names[token] for token in tokens],
            "written_text": _text(chosen, tokens),
            "written_probabilities": np.array(taken),
            "written_sum": logs,
            "step_texts": texts[:],
            "step_probabilities": np.array(said),
            "written_reads": np.array(reads),
            "done": int(tokens[-1] == model.config.eos_token_id),
        }


def _log_probability(logits, token):
    shifted = logits.astype(float) - logits.max()
    return float(shifted[token] - np.log(np.exp(shifted).sum()))


def _searched(model, chosen, visible, steps, search):
    """What went on after each step, and what is finished; beside it, where the likeliest token each time would lead."""
    greedy_tokens, greedy_sum = _greedy(model, chosen, visible, steps)
    searching = model.beam_steps(chosen.source, steps, attention_mask=visible, **search)
    texts, tokens, scores, parents, kept = [], [], [], [], []
    for _ in range(steps):
        with apart():
            beams = next(searching, None)
        if beams is None:
            return
        alive = beams.scores > IMPOSSIBLE / 2  # what has ended, or was never begun, only fills the table
        scores.append(np.where(alive, beams.scores, np.nan))
        parents.append(beams.parents)
        kept.append([tuple(map(int, row)) if on else None for row, on in zip(beams.tokens, alive, strict=True)])
        tokens += [chosen.names[row[-1]] for row in beams.tokens]
        texts += [_text(chosen, row[1:]) for row in beams.tokens]
        yield {
            "beam_tokens": tokens[:],
            "beam_texts": texts[:],
            "beam_scores": np.array(scores),
            "beam_parents": np.array(parents),
            **_finished(chosen, beams.finished, kept, search["length_penalty"]),
            "greedy_text": _text(chosen, greedy_tokens),
            "greedy_sum": greedy_sum,
        }


def _greedy(model, chosen, visible, steps):
    with apart():
        ones = list(model.generate(chosen.source, steps, attention_mask=visible))
    return [one.token for one in ones], sum(_log_probability(one.logits, one.token) for one in ones)


def _finished(chosen, finished, kept, length_penalty):
    """Each finished text: its length, the sum of its log-probabilities, its score, and which beam it grew from."""
    lengths = [len(one.tokens) - 1 for one in finished]
    grew_from = [
        next((at for at, row in enumerate(kept[length - 2]) if row == one.tokens[:-1]), -1) if length > 1 else -1
        for one, length in zip(finished, lengths, strict=True)
    ]
    return {
        "finished_texts": [_text(chosen, one.tokens[1:]) for one in finished],
        "finished_tokens": [chosen.names[one.tokens[-1]] for one in finished],
        "finished_lengths": np.array(lengths, int),
        "finished_parents": np.array(grew_from, int),
        "finished_scores": np.array([one.score for one in finished], float),
        "finished_sums": np.array(
            [one.score * n**length_penalty for one, n in zip(finished, lengths, strict=True)], float
        ),
    }


def _text(chosen, tokens):
    return "".join(chosen.names[token] for token in tokens)
