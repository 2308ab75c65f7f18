"""A dropped tokenizer.json in the page gives the same ids as Hugging Face's own library, on the list of nasty strings."""

import json

import pytest
from support.modules import blank_page

from sitebuild.paths import ROOT

REFERENCE = ROOT / "tests/reference"
STRINGS = json.loads((REFERENCE / "nasty_strings.json").read_text("utf-8"))
EXPECTED = json.loads((REFERENCE / "tokenizers.json").read_text("utf-8"))
# Equally likely ways to cut two hundred x; which one is taken is a matter of rounding, and both are right.
TIES = {"t5": ["x" * 200]}

RUN = """async ([json, config, texts]) => {
  const { fromTokenizerJson } = await load("core/tokenizer/tokenizer.js");
  const tokenizer = await fromTokenizerJson(json, config);
  return texts.map((text) => {
    const { ids, tokens } = tokenizer.encode(text);
    return { ids, tokens, decoded: tokenizer.decode(ids) };
  });
}"""
REFUSED = """async ([json, config]) => {
  const { fromTokenizerJson } = await load("core/tokenizer/tokenizer.js");
  const { t } = await load("core/text.js");
  try {
    await fromTokenizerJson(json, config);
  } catch (error) {
    return { name: error.name, words: t(`tokenizer.refused.${error.why}`, error.vars) };
  }
}"""


@pytest.fixture(scope="module")
def page(browser, server):
    with browser.new_context(locale="en-GB") as context:
        yield blank_page(context.new_page(), server)


def tokenizer_json(kind):
    return (REFERENCE / f"{kind}.tokenizer.json").read_text("utf-8")


def run(page, kind, texts, config="{}"):
    return page.evaluate(RUN, [tokenizer_json(kind), config, texts])


@pytest.mark.parametrize("kind", EXPECTED)
def test_equals_hugging_face(page, kind):
    assert len(STRINGS) >= 200
    found = run(page, kind, STRINGS)
    for text, ours, ids, decoded in zip(STRINGS, found, *EXPECTED[kind].values(), strict=True):
        assert ours["decoded"] == decoded, text
        if text not in TIES.get(kind, []):
            assert ours["ids"] == ids, text
        assert len(ours["ids"]) == len(ids) == len(ours["tokens"])


FROM_FILES = """async ([files, texts]) => {
  const { readTokenizer } = await load("core/checkpoint/tokenizer-files.js");
  const tokenizer = await readTokenizer(new Map(files.map(([part, text]) => [part, new File([text], part)])));
  return texts.map((text) => tokenizer.encode(text).ids);
}"""


def older_files(kind):
    """vocab.txt, or vocab.json and merges.txt, with the same content as the tokenizer.json."""
    model = json.loads(tokenizer_json(kind))["model"]
    if model["type"] == "WordPiece":
        return [["vocabTxt", "\n".join(sorted(model["vocab"], key=model["vocab"].get)) + "\n"]]
    merges = [" ".join(pair) if isinstance(pair, list) else pair for pair in model["merges"]]
    return [["vocabJson", json.dumps(model["vocab"])], ["merges", "#version: 0.2\n" + "\n".join(merges) + "\n"]]


@pytest.mark.parametrize("kind", ["bert", "bert-cased", "gpt2"])
def test_older_files_give_the_same(page, kind):
    found = page.evaluate(FROM_FILES, [older_files(kind), STRINGS])
    for text, ours, theirs in zip(STRINGS, found, EXPECTED[kind]["ids"], strict=True):
        assert ours == theirs, text


@pytest.mark.parametrize("lowercase", [True, False])
def test_a_config_decides_over_small_letters(page, lowercase):
    config = ["tokenizerConfig", json.dumps({"do_lower_case": lowercase})]
    (kind,) = ["bert"] if lowercase else ["bert-cased"]
    vocab = older_files(kind)
    other = page.evaluate(FROM_FILES, [[*vocab, config], STRINGS])
    assert other == EXPECTED[kind]["ids"]
    config[1] = json.dumps({"do_lower_case": not lowercase})
    assert page.evaluate(FROM_FILES, [[*vocab, config], STRINGS]) != other


def test_two_texts_stand_side_by_side(page):
    ids = page.evaluate(
        """async (json) => {
          const { fromTokenizerJson } = await load("core/tokenizer/tokenizer.js");
          return (await fromTokenizerJson(json)).encode("a", "b").tokens;
        }""",
        tokenizer_json("bert"),
    )
    assert ids == ["[CLS]", "a", "[SEP]", "b", "[SEP]"]


def test_tokens_are_named(page):
    (found,) = run(page, "bert", ["Hello [MASK]!"])
    assert found["tokens"][0] == "[CLS]" and found["tokens"][-3:] == ["[MASK]", "!", "[SEP]"]


def test_a_config_may_lie_beside_it(page):
    """Its wish to close the gaps before punctuation is followed; without it nothing is changed."""
    text = "a b ."
    assert run(page, "gpt2", [text])[0]["decoded"] == text
    assert run(page, "gpt2", [text], '{"clean_up_tokenization_spaces": true}')[0]["decoded"] == "a b."


@pytest.mark.parametrize(
    ("json_text", "config", "words"),
    [
        ("{", "{}", "tokenizer.json was not opened: it is not a table in JSON"),
        ("[]", "{}", "tokenizer.json was not opened: it is not a table in JSON"),
        ("null", "{}", "tokenizer.json was not opened: it is not a table in JSON"),
        ('{"model_type": "bert"}', "{}", "it has no “model”"),
        (
            json.dumps(
                dict.fromkeys(["model", "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder"])
            ),
            "{}",
            "a part that is not known here",
        ),
        (None, "no", "tokenizer_config.json was not opened: it is not a table in JSON"),
    ],
)
def test_what_is_no_tokenizer_is_told(page, json_text, config, words):
    found = page.evaluate(REFUSED, [json_text or tokenizer_json("bert"), config])
    assert found["name"] == "NoTokenizer" and words in found["words"] and "{" not in found["words"].replace("{}", "")


def test_an_unknown_kind_of_model_is_told(page):
    changed = json.loads(tokenizer_json("bert"))
    changed["pre_tokenizer"] = {"type": "Oracle"}
    assert "Oracle" in page.evaluate(REFUSED, [json.dumps(changed), "{}"])["words"]


def test_the_library_is_fetched_when_it_is_used(open_page, server):
    page = open_page(lent=True)
    fetched = []
    page.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    blank_page(page, server)
    page.evaluate("async () => { await load('core/tokenizer/tokenizer.js'); }")
    assert "tokenizer.js" in fetched and "tokenizers.js" not in fetched
    page.evaluate(RUN, [tokenizer_json("bert"), "{}", ["a"]])
    assert fetched.count("tokenizers.js") == 1


def test_a_library_that_does_not_come_is_told_and_asked_for_again(browser, server):
    with browser.new_context(locale="en-GB") as context:
        page = blank_page(context.new_page(), server)
        page.route("**/vendor/tokenizers.js", lambda route: route.abort())
        assert "could not be fetched" in page.evaluate(REFUSED, [tokenizer_json("bert"), "{}"])["words"]
        page.unroute("**/vendor/tokenizers.js")
        assert run(page, "bert", ["[SEP]"])[0]["ids"] == [2, 3, 3]
