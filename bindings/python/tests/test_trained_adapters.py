"""The adapters of models/adapters over the real model: what vsr answers is what peft answered when they were made."""

import json

import pytest
from conftest import ROOT

ADAPTERS = sorted((ROOT / "models/adapters").glob("*/adapter_config.json"))
NAMES = [path.parent.name for path in ADAPTERS]


def expected(name):
    golden = json.loads((ROOT / "models/adapters" / name / "expected.json").read_text(encoding="utf-8"))
    return golden, [one for one in golden["texts"] if one["windows"] == 1]


@pytest.fixture(scope="module")
def adapted(vsr, minilm_path):
    return vsr.load(minilm_path, adapters={path.parent.name: path.parent for path in ADAPTERS})


def texts_of(cases):
    return [(one["text"], one["text_pair"]) if one.get("text_pair") else one["text"] for one in cases]


def spans(entities):
    return [(entity["label"], entity["start"], entity["end"]) for entity in entities]


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_those_of_peft(adapted, name):
    golden, cases = expected(name)
    found = adapted.classify_all(texts_of(cases), [name], threshold=1e-6)[name]
    for one, case in zip(found, cases, strict=True):
        if "probs" in case:
            assert one.label == case["label"]
            assert list(one.probs) == golden["labels"]
            assert list(one.probs.values()) == pytest.approx(case["probs"], abs=1e-5)
        else:
            assert [(e.label, e.start, e.end) for e in one] == spans(case["entities"])
            assert [e.score for e in one] == pytest.approx([e["score"] for e in case["entities"]], abs=1e-5)


def test_one_pass_answers_all(adapted):
    single = [name for name in NAMES if "text_pair" not in expected(name)[1][0]]
    texts = [one["text"] for name in single for one in expected(name)[1]]
    found = adapted.classify_all(texts, single)
    assert not found.errors
    (one_pass,) = found.passes
    assert (one_pass.blocks, one_pass.shared_blocks) == (6, 3)
    assert one_pass.block_rows * 3 == one_pass.separate_rows * 2  # three blocks once, three for each of three tasks
    for name in single:
        alone = adapted.classify_all(texts, [name])[name]
        for together, apart in zip(found[name], alone, strict=True):
            if name == "pii":
                assert [(e.label, e.start, e.end) for e in together] == [(e.label, e.start, e.end) for e in apart]
            else:
                assert list(together.probs.values()) == pytest.approx(list(apart.probs.values()), abs=1e-5)
