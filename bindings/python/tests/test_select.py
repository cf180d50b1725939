"""Embedding models chosen by a policy."""

import numpy as np
import pytest
from conftest import tiny

TEXTS = ["where is my card?", "hello"]


@pytest.fixture(scope="module")
def engine(vsr, tmp_path_factory):
    path = tmp_path_factory.mktemp("select") / "c.yaml"
    path.write_text(
        "vsr:\n  models:\n"
        f"    good: {{path: {tiny('bert-embedding')}, quality: 0.9, languages: [de, en], matryoshka_dims: [8]}}\n"
        f"    fast: {{path: {tiny('bert-no-pooler')}, quality: 0.2, languages: ['*']}}\n"
    )
    with vsr.Engine(path) as engine:
        yield engine


def test_priorities_decide_and_vectors_are_the_chosen_models(engine):
    for name, priorities in {"good": {"quality_priority": 1}, "fast": {"latency_priority": 0.7}}.items():
        assert engine.select_model(TEXTS, **priorities).model == name
        vectors, selection = engine.embed_select(TEXTS, **priorities)
        assert selection.model == name
        np.testing.assert_array_equal(vectors, engine.embed(TEXTS, task=name))


def test_a_selection_says_why(engine):
    selection = engine.select_model("where is my card?", dim=8, quality_priority=0.5, latency_priority=0.5)
    assert selection.model == "good"
    good, fast = selection.candidates
    assert good.chosen and good.rejected is None and (good.tokens, good.windows) == (7, 1)
    assert good.score == pytest.approx(0.95)
    assert fast.rejected == "has vectors of 32 values and no matryoshka_dims, not 8"
    assert selection.reason.startswith("score 0.950 = 0.500 x quality 0.900 + 0.500 x speed 1.000; no other model")
    assert "good" in repr(selection) and "chosen" in selection._repr_html_()


def test_language_and_wrong_arguments(vsr, engine):
    assert engine.select_model(TEXTS, language="sw", quality_priority=1).model == "fast"
    assert engine.embed_select(TEXTS, dim=8, language="de-AT").vectors.shape == (2, 8)
    with pytest.raises(vsr.NotFoundError, match='no embedding model qualifies: "good" lists the languages'):
        engine.select_model(TEXTS, dim=8, language="fr")
    with pytest.raises(vsr.InvalidArgumentError, match="quality_priority is 2, expected 0 to 1"):
        engine.select_model(TEXTS, quality_priority=2)
    with pytest.raises(vsr.InvalidArgumentError, match="language is"):
        engine.embed_select(TEXTS, language="!")
