"""A small vocabulary of characters for models that have not been trained: common ones, then the reader's own."""

COMMON = (
    "\n ,.!?;:'\"-()，。！？、；：“”0123456789abcdefghijklmnopqrstuvwxyz"
    "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然"
    "春花秋月风雨山水云日夜星江河海白青红绿黄前明光床疑霜举头望低思故乡猫狗鼠追躲爱老看见听写字读"
)


def characters(*texts, special=()):
    """The tokens of a vocabulary, in the order of their numbers: the special ones, the common, then new ones.

    A character that no text had before stands at the end, so that the numbers of the others stay what they were.

    Parameters
    ----------
    texts : str
        A character is a Unicode code point.
    special : sequence of str

    Returns
    -------
    list of str

    Examples
    --------
    >>> characters("Δ猫", special=["[MASK]"])[-1], characters()[:2]
    ('Δ', ['\\n', ' '])
    """
    return list(dict.fromkeys([*special, *COMMON, *"".join(texts)]))
