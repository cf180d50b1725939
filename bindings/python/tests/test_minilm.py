"""The real model, as far as it can be checked without its reference (tests/models/compare_minilm.py has that)."""

import numpy as np


def test_vectors_are_units_of_384(minilm):
    vectors = minilm.embed(["where is my card?", "", "你好 🙂"])
    assert vectors.shape == (3, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert minilm.info.max_tokens == 256 and minilm.info.layers == 6


def test_similar_texts_are_near(minilm):
    near = minilm.similarity("I lost my bank card", "my debit card is missing")
    far = minilm.similarity("I lost my bank card", "the weather is nice in Lisbon")
    assert near > 0.5 > 0.3 > far
    candidates = ["book a flight", "my debit card is missing", "tell me a joke"]
    assert minilm.nearest("I lost my bank card", candidates, k=1)[0].index == 1


def test_known_ids(minilm):
    assert minilm.tokenize("Hello, world!").ids == [101, 7592, 1010, 2088, 999, 102]
