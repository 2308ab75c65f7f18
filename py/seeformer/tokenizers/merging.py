"""Which pairs to merge: the most frequent one, again and again, without counting everything anew each time."""

import heapq
from collections import Counter, defaultdict


def merge(parts, pair):
    """``parts`` with every occurrence of ``pair``, from the left, put together."""
    merged, at = [], 0
    while at < len(parts):
        here = at + 1 < len(parts) and parts[at] == pair[0] and parts[at + 1] == pair[1]
        merged.append(parts[at] + parts[at + 1] if here else parts[at])
        at += 2 if here else 1
    return merged


def learn(words, vocabulary, size):
    """(vocabulary, merges): ``vocabulary`` and what is merged out of it in ``words``, up to ``size`` tokens.

    A heap has every pair with a count that it once had; one whose count has fallen since is put back when it comes up.
    Equal counts: the smaller ids first.
    """
    vocabulary, merges = list(vocabulary), []
    ids = {token: number for number, token in enumerate(vocabulary)}
    counted = Counter(words)
    parts = [list(word) for word in counted]
    times = list(counted.values())
    counts, where = Counter(), defaultdict(set)
    for word, tokens in enumerate(parts):
        _count(counts, where, word, tokens, times[word])
    heap = [(-count, ids[pair[0]], ids[pair[1]], pair) for pair, count in counts.items()]
    heapq.heapify(heap)
    while len(vocabulary) < size and heap:
        count, *_, pair = heapq.heappop(heap)
        if counts[pair] != -count:
            if counts[pair] > 0:
                heapq.heappush(heap, (-counts[pair], ids[pair[0]], ids[pair[1]], pair))
            continue
        merges.append(pair)
        if (token := pair[0] + pair[1]) not in ids:  # two pairs may make the same token
            ids[token] = len(vocabulary)
            vocabulary.append(token)
        changed = set()
        for word in where.pop(pair):
            before, parts[word] = parts[word], merge(parts[word], pair)
            _count(counts, where, word, before, -times[word])
            _count(counts, where, word, parts[word], times[word])
            changed.update(zip(parts[word], parts[word][1:], strict=False))
        for new in changed:
            if token in new:
                heapq.heappush(heap, (-counts[new], ids[new[0]], ids[new[1]], new))
        counts[pair] = 0
    return vocabulary, merges


def _count(counts, where, word, tokens, times):
    for pair in zip(tokens, tokens[1:], strict=False):
        counts[pair] += times
        if times > 0:
            where[pair].add(word)
