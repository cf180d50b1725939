"""The tiny models against transformers' outputs, stored by tests/goldens/make_model_goldens.py."""

import json

import numpy as np
import pytest
from conftest import GOLDENS, golden_names, load_golden, tiny


def code_points(text, offset):
    """A byte offset of the golden as an index of the str."""
    return len(text.encode()[:offset].decode())


def split(golden):
    """Cases of single texts, and of pairs."""
    single = [case for case in golden["cases"] if "pair" not in case]
    return single, [case for case in golden["cases"] if "pair" in case]


def close(made, expected, golden):
    np.testing.assert_allclose(np.asarray(made), np.asarray(expected), rtol=0, atol=golden["tolerance"])


@pytest.fixture(scope="module", params=golden_names())
def any_golden(request, vsr):
    return load_golden(request.param), vsr.load(tiny(request.param))


def test_encodings_match(any_golden):
    golden, model = any_golden
    for case in golden["cases"]:
        pair = case.get("pair")
        made = model.tokenize(case["text"], pair)
        assert made.ids == case["ids"]
        assert made.tokens == case["tokens"]
        assert made.type_ids == case["type_ids"]
        assert made.sides == case["sides"]
        assert made.windows == case["windows"]
        sides = [case["text"], pair, ""]
        expected = [tuple(code_points(sides[s], o) for o in span) for s, span in zip(case["sides"], case["offsets"])]
        assert made.offsets == expected


def test_info_matches(any_golden):
    golden, model = any_golden
    assert model.info.max_tokens == golden["max_tokens"]
    assert model.info.labels == (golden["labels"] or [])
    config = json.loads((GOLDENS / golden["model"] / "config.json").read_text())
    assert model.info["hidden_size"] == config["hidden_size"]


@pytest.mark.parametrize("name", golden_names("embedding"))
def test_embeddings_match(vsr, name):
    golden = load_golden(name)
    model = vsr.load(tiny(name))
    texts = [case["text"] for case in golden["cases"]]
    ways = {
        "embedding": {},
        "no_normalize": {"normalize": False},
        "dim_8": {"dim": 8},
        "layer_1": {"layer": 1},
    }
    if "prompt_query" in golden["cases"][0]:
        ways["prompt_query"] = {"prompt": "query"}
    for key, options in ways.items():
        close(model.embed(texts, **options), [case[key] for case in golden["cases"]], golden)
    if "prompt_query" in ways:
        instruction = model.info["embedding"]["prompts"]["query"]
        close(model.embed(texts, instruction=instruction), [c["prompt_query"] for c in golden["cases"]], golden)


@pytest.mark.parametrize("name", golden_names("sequence"))
def test_classifications_match(vsr, name):
    golden = load_golden(name)
    model = vsr.load(tiny(name))
    singles, pairs = split(golden)
    batches = [(singles, [c["text"] for c in singles]), (pairs, [(c["text"], c["pair"]) for c in pairs])]
    for cases, texts in batches:
        made = model.classify(texts)
        assert len(made) == len(cases)
        for one, case in zip(made, cases):
            close(list(one.probs.values()), case["probs"], golden)
            assert list(one.probs) == golden["labels"]
            assert one.label == golden["labels"][int(np.argmax(case["probs"]))]
            assert one.score == pytest.approx(max(case["probs"]), abs=golden["tolerance"])
            assert (one.tokens, one.windows, one.dropped) == (len(case["ids"]), case["windows"], 0)
        # A row does not depend on its neighbours.
        for i in (0, len(texts) - 1):
            close(model.classify([texts[i]])[0].row, made[i].row, golden)


@pytest.mark.parametrize("name", golden_names("token"))
def test_token_scores_and_entities_match(vsr, name):
    golden = load_golden(name)
    model = vsr.load(tiny(name))
    for case in golden["cases"]:
        close(model.token_probs(case["text"]), case["token_probs"], golden)
    texts = [case["text"] for case in golden["cases"]]
    for threshold in (0.5, 0.75):
        found = model.entities(texts, threshold=threshold)
        for of_text, case in zip(found, golden["cases"]):
            expected = case[f"entities_{threshold}"]
            assert [e.label for e in of_text] == [e["label"] for e in expected]
            spans = [tuple(code_points(case["text"], e[key]) for key in ("start", "end")) for e in expected]
            assert [(e.start, e.end) for e in of_text] == spans
            assert [e.text for e in of_text] == [case["text"][start:end] for start, end in spans]
            close([e.score for e in of_text], [e["score"] for e in expected], golden)
    assert model.entities(texts) == model.entities(texts, threshold=0.5)


@pytest.mark.parametrize("name", ["bert-token", "bert-token-plain"])
def test_token_scores_and_entities_of_pairs_match(vsr, name):
    golden = load_golden("token-pairs")
    model = vsr.load(tiny(name))
    cases = [case for case in golden["cases"] if case["model"] == name]
    for case in cases:
        close(model.token_probs(case["text"], pair=case["pair"]), case["token_probs"], golden)
    found = model.entities([(case["text"], case["pair"]) for case in cases])
    assert sum(map(len, found)) > 5
    for of_pair, case in zip(found, cases, strict=True):
        expected = case["entities_0.5"]
        spans = [tuple(code_points(case["pair"], e[key]) for key in ("start", "end")) for e in expected]
        assert [(e.label, e.start, e.end) for e in of_pair] == [(e["label"], *s) for e, s in zip(expected, spans)]
        assert [e.text for e in of_pair] == [case["pair"][start:end] for start, end in spans]
        assert (of_pair.of, of_pair.windows) == (case["pair"], case["windows"])
        close([e.score for e in of_pair], [e["score"] for e in expected], golden)
