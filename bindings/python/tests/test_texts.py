"""Offsets and texts of all kinds: emoji, CJK, surrogates, bytes, NULs, ten megabytes."""

import numpy as np
import pytest
from conftest import tiny

TEXTS = [
    "hello world",
    "你好 hello 🙂 world",
    "👩‍💻 my card is e\u0301 in 銀行, café",
    "a\x00b\x00 hello",
    "привет",
]


@pytest.mark.parametrize("text", TEXTS)
def test_offsets_index_the_str(embedder, text):
    made = embedder.tokenize(text)
    assert made.replaced == 0
    for token, side, (start, end) in zip(made.tokens, made.sides, made.offsets):
        if side < 0:
            assert (start, end) == (0, 0)
            continue
        part = text[start:end]
        assert part and part == part.strip()
        if token not in ("[UNK]", "cafe", "e"):
            assert part.lower() == token.removeprefix("##")


def test_offsets_of_bytes_are_bytes(embedder, tagger):
    text = "你好 hello 🙂 world"
    of_str, of_bytes = embedder.tokenize(text), embedder.tokenize(text.encode())
    assert of_bytes.ids == of_str.ids
    assert [text.encode()[s:e].decode() for s, e in of_bytes.offsets] == [text[s:e] for s, e in of_str.offsets]
    for entity in tagger.entities([text.encode()], threshold=0)[0]:
        assert isinstance(entity.text, bytes) and entity.text == text.encode()[entity.start : entity.end]


def test_offsets_of_pairs_are_of_their_side(embedder):
    first, second = "🙂 hello", "你好 world"
    made = embedder.tokenize(first, second)
    for token, side, (start, end) in zip(made.tokens, made.sides, made.offsets):
        if side >= 0:
            assert (first, second)[side][start:end] == token


def test_lone_surrogates_are_replaced_and_counted(embedder, classifier, tagger):
    text = "hello \ud83d world"
    made = embedder.tokenize(text)
    assert made.replaced == 3
    assert text[slice(*made.offsets[1])] == "hello"
    assert text[slice(*made.offsets[-2])] == "world"
    assert classifier.classify([text])[0].replaced == 3
    assert classifier.classify([("hello", text)])[0].replaced == 3
    assert np.isfinite(embedder.embed([text])).all()
    shown = tagger.entities([text], threshold=0)[0]
    assert shown.replaced == 3 and "\ud83d" not in shown._repr_html_()


def test_bytes_that_are_not_utf8_are_replaced_and_counted(embedder, classifier):
    made = embedder.tokenize(b"hello \xff\xfe world")
    assert made.replaced == 2
    assert made.offsets[-2] == (9, 14)
    assert classifier.classify([b"\xe2\x82"])[0].replaced == 2
    same = embedder.embed([b"hello \xff world", "hello \ufffd world"])
    np.testing.assert_allclose(same[0], same[1], atol=1e-6)


def test_entities_with_wide_characters(tagger):
    text = "🙂🙂 transfer money to 你好 in Berlin, please " * 6
    found = tagger.entities([text], threshold=0)[0]
    assert found.windows > 1 and found
    for entity in found:
        assert entity.text == text[entity.start : entity.end] and entity.text.strip() == entity.text
    assert [e.start for e in found] == sorted(e.start for e in found)


def test_long_text_equals_the_rule_in_numpy(embedder):
    text = "where is my card and how can i pay " * 20
    whole = embedder.tokenize(text)
    content, limit = whole.ids[1:-1], embedder.info.max_tokens
    capacity = limit - 2
    starts = [0]
    while starts[-1] + capacity < len(content):
        starts.append(starts[-1] + capacity // 2)
    assert whole.windows == len(starts)
    spans = [whole.offsets[1:-1][s : s + capacity] for s in starts]
    vectors = embedder.embed([text[span[0][0] : span[-1][1]] for span in spans])
    expected = np.average(vectors, axis=0, weights=[len(span) for span in spans])
    np.testing.assert_allclose(embedder.embed([text])[0], expected / np.linalg.norm(expected), atol=1e-5)


@pytest.mark.slow
def test_ten_megabytes(vsr):
    tokenizer = vsr.load_tokenizer(tiny("bert-embedding"))
    text = "how can i pay 你好 with my card? " * 300_000
    assert len(text.encode()) > 10_000_000
    made = tokenizer.encode(text)
    assert text[slice(*made.offsets[-2])] == "?"
    assert len(made) == 300_000 * 10 + 2


@pytest.mark.slow
def test_ten_megabytes_in_windows(classifier):
    # Mostly blanks: ten megabytes to read, some hundred windows to run.
    text = ("where is my card" + " " * 9_000) * 1_150
    assert len(text) > 10_000_000
    made = classifier.classify([text])[0]
    assert made.tokens == 4 * 1_150 + 2 and made.dropped == 0 and made.windows > 100
    assert sum(made.probs.values()) == pytest.approx(1, abs=1e-5)
