"""The tokens that there are, each with its number: its place in the list."""


class Vocabulary(list):
    """id -> token; ``ids``: token -> id. ValueError if one is there twice."""

    def __init__(self, tokens):
        super().__init__(tokens)
        self.ids = {token: number for number, token in enumerate(self)}
        if len(self.ids) < len(self):
            twice = next(token for number, token in enumerate(self) if self.ids[token] != number)
            raise ValueError(f"vocabulary={twice!r} is in it twice: keep one")

    def need(self, *tokens):
        """The tokens' ids; ValueError if one is missing."""
        for token in tokens:
            if token not in self.ids:
                raise ValueError(f"vocabulary={token!r} is missing in it: add it")
        return [self.ids[token] for token in tokens]

    def tokens(self, ids):
        """The tokens of ``ids``; ValueError if there is no such id."""
        for number in ids:
            if not 0 <= number < len(self):
                raise ValueError(f"ids={number} is no token's number: use 0 to {len(self) - 1}")
        return [self[number] for number in ids]
