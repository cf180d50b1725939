"""Adapters, and many tasks in one call."""

import math
import threading

import numpy as np
import pytest
from conftest import GOLDENS, tiny

TEXTS = ["where is my card?", "", "book a flight to paris " * 12, "caf\u00e9 transfer money"]


def adapter(name):
    """The folder of a tiny adapter of "bert-embedding"."""
    return GOLDENS / "adapters" / name


ADAPTERS = {"topic": adapter("bert-last-layer"), "names": adapter("bert-token"), "near": adapter("bert-embedding")}


@pytest.fixture(scope="module")
def model(vsr):
    return vsr.load(tiny("bert-embedding"), adapters=ADAPTERS)


def same_classification(a, b):
    assert (a.label, a.tokens, a.windows) == (b.label, b.tokens, b.windows)
    assert a.row == pytest.approx(b.row, abs=1e-6)


def test_info_shows_adapters(model):
    topic = model.info.adapters[0]
    assert (topic.name, topic.model, topic.labels) == ("topic", "bert-embedding", ["banking", "travel", "other"])
    assert topic.kind == "sequence_classification" and topic.first_layer == 2
    assert "adapter topic" in repr(model) and "banking" in model._repr_html_()
    assert {"topic", "names", "near"} < set(model.tasks)


def test_single_calls_take_an_adapter_as_their_task(model, embedder):
    (one,) = model.classify(TEXTS[:1], task="topic")
    assert one.label in ("banking", "travel", "other") and sum(one.probs.values()) == pytest.approx(1, abs=1e-5)
    assert model.token_probs(TEXTS[0], task="names").shape[0] == one.tokens
    assert len(model.entities(TEXTS, task="names", threshold=0.1)) == 4
    near = model.embed(TEXTS, task="near")
    assert np.abs(near - model.embed(TEXTS, task="bert-embedding")).max() > 1e-3
    assert np.allclose(model.embed(TEXTS, task="bert-embedding"), embedder.embed(TEXTS), atol=1e-6)


def test_all_answers_equal_those_of_single_calls(vsr, model):
    found = model.classify_all(TEXTS, ["names", "topic", "near", "bert-embedding"], threshold=0.2)
    assert isinstance(found, vsr.TaskResults) and isinstance(found, dict)
    assert list(found) == ["names", "topic", "near", "bert-embedding"] and not found.errors
    for one, alone in zip(found["topic"], model.classify(TEXTS, task="topic"), strict=True):
        same_classification(one, alone)
    alone = model.entities(TEXTS, task="names", threshold=0.2)
    assert [[(e.label, e.start, e.end, e.text) for e in text] for text in found["names"]] == [
        [(e.label, e.start, e.end, e.text) for e in text] for text in alone
    ]
    assert any(found["names"])
    for task in ("near", "bert-embedding"):
        assert found[task].dtype == np.float32
        assert np.allclose(found[task], model.embed(TEXTS, task=task), atol=1e-6)
    assert found.paths == {"names": "lora", "topic": "lora", "near": "lora", "bert-embedding": "standard"}
    assert set(found.models.values()) == {"bert-embedding"}
    (report,) = found.passes
    assert (report.blocks, report.tasks) == (3, list(found)) and report.block_rows < report.separate_rows


def test_without_names_every_classification_task_answers(model):
    assert list(model.classify_all(TEXTS)) == ["topic", "names"]
    assert dict(model.classify_all(TEXTS, [])) == {}
    assert list(model.classify_all(TEXTS, "topic")) == ["topic"]
    assert list(model.classify_all("a single text", "topic")["topic"][0].labels) == ["banking", "travel", "other"]
    assert model.classify_all([], ["topic", "near"])["near"].shape == (0, 32)


def test_order_of_tasks_changes_nothing(model):
    forth = model.classify_all(TEXTS, ["topic", "names", "near"])
    back = model.classify_all(TEXTS, ["near", "names", "topic"])
    for one, other in zip(forth["topic"], back["topic"], strict=True):
        same_classification(one, other)
    assert np.allclose(forth["near"], back["near"], atol=1e-6)


def test_a_failed_task_raises_where_its_answer_is_asked_for(vsr, model):
    pairs = [("where is my card?", "it has not arrived")]
    found = model.classify_all(pairs, ["topic", "names"])
    assert list(found) == ["topic", "names"] and list(found.errors) == ["names"]
    same_classification(found["topic"][0], model.classify(pairs, task="topic")[0])
    for asked in (
        lambda: found["names"],
        lambda: found.get("names"),
        lambda: list(found.values()),
        lambda: list(found.items()),
    ):
        with pytest.raises(vsr.UnsupportedError, match="names.*pairs"):
            asked()
    assert "UnsupportedError" in repr(found) and "UnsupportedError" in found._repr_html_()
    with pytest.raises(KeyError):
        found["weather"]
    assert found.get("weather") is None
    limited = model.classify_all(TEXTS, ["topic", "names"], max_tokens=8)
    assert set(limited.errors) == {"topic", "names"}
    with pytest.raises(vsr.LimitError, match=r"texts\[2\]"):
        limited["topic"]


def test_a_text_that_a_task_does_not_read_is_none(vsr, model):
    wanted = np.array([[True, False, True], [False, True, False], [True, True, True], [False, False, False]])
    found = model.classify_all(TEXTS, ["topic", "names", "near"], wanted=wanted)
    assert [c is not None for c in found["topic"]] == wanted[:, 0].tolist()
    assert [c is not None for c in found["names"]] == wanted[:, 1].tolist()
    assert [not math.isnan(row[0]) for row in found["near"]] == wanted[:, 2].tolist()
    same_classification(found["topic"][2], model.classify(TEXTS, task="topic")[2])
    assert "not read" in found._repr_html_() and "not read" in found["topic"]._repr_html_()
    assert "not read" in found["names"]._repr_html_()
    for bad, tasks, message in (
        (wanted[:2], ["topic", "names", "near"], r"\(2, 3\), expected \(4, 3\)"),
        (wanted, None, "tasks is None"),
    ):
        with pytest.raises(vsr.InvalidArgumentError, match=message):
            model.classify_all(TEXTS, tasks, wanted=bad)


def test_results_in_notebooks_are_tables(model):
    found = model.classify_all(["<b>where</b>"], ["topic", "near"])
    page = found._repr_html_()
    assert "&lt;b&gt;where" in page and "<th style='text-align:left'>topic" in page and "32 values" in page
    assert repr(found).startswith("TaskResults(topic: 1 texts, lora") and "blocks shared" in repr(found)


def test_bad_calls_name_what_is_wrong(vsr, model):
    for call, error, message in (
        (lambda: model.classify_all(TEXTS, ["topic", "weather"]), vsr.NotFoundError, "weather"),
        (lambda: model.classify_all(TEXTS, ["topic", "topic"]), vsr.InvalidArgumentError, "twice"),
        (lambda: model.classify_all(TEXTS, ["topic"], path="fast"), vsr.InvalidArgumentError, "fast"),
        (lambda: model.classify_all(TEXTS, ["names"], threshold=2), vsr.InvalidArgumentError, "threshold is 2"),
        (lambda: model.classify_all(TEXTS, [None]), TypeError, r"tasks\[0\]"),
        (lambda: model.classify_all([3], ["topic"]), TypeError, r"texts\[0\]"),
        (lambda: vsr.load(tiny("bert-embedding"), adapters=["a"]), TypeError, "adapters is list"),
        (lambda: vsr.load(tiny("bert-embedding"), adapters={"a": "/nowhere"}), vsr.NotFoundError, "/nowhere"),
        (
            lambda: vsr.load(tiny("bert-embedding"), adapters={"a": adapter("modernbert-fused")}),
            vsr.WeightsError,
            "bert-embedding",
        ),
        (
            lambda: vsr.load(tiny("bert-embedding"), adapters={"a": (adapter("bert-token"), "b")}),
            vsr.NotFoundError,
            '"b"',
        ),
    ):
        with pytest.raises(error, match=message):
            call()


def test_adapters_come_and_go(vsr):
    model = vsr.load(tiny("bert-embedding"))
    assert model.info.adapters == []
    model.load_adapter("topic", adapter("bert-last-layer"))
    before = model.classify(TEXTS, task="topic")
    with pytest.raises(vsr.InvalidArgumentError, match="topic"):
        model.load_adapter("topic", adapter("bert-patterns"))
    model.load_adapter("topic", adapter("bert-patterns"), replace=True)
    after = model.classify(TEXTS, task="topic")
    assert before[0].probs != pytest.approx(after[0].probs, abs=1e-4)
    model.unload_adapter("topic")
    for call in (lambda: model.classify(TEXTS, task="topic"), lambda: model.unload_adapter("topic")):
        with pytest.raises(vsr.Error, match="topic|head"):
            call()


def test_adapters_change_while_threads_classify(vsr):
    model = vsr.load(tiny("bert-embedding"), adapters={"topic": adapter("bert-last-layer")})
    expected = model.classify(TEXTS, task="topic")
    failures, stop = [], threading.Event()

    def classify():
        while not stop.is_set():
            try:
                for one, other in zip(model.classify_all(TEXTS, ["topic"])["topic"], expected, strict=True):
                    same_classification(one, other)
            except BaseException as error:  # noqa: BLE001 (a thread's failure is the test's)
                failures.append(error)
                return

    threads = [threading.Thread(target=classify) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        model.load_adapter("topic", adapter("bert-last-layer"), replace=True)
        model.load_adapter("passing", adapter("bert-patterns"))
        model.unload_adapter("passing")
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures


def test_engines_take_adapters_of_named_models_and_a_config(vsr, tmp_path):
    engine = vsr.Engine(
        models={"a": tiny("bert-embedding"), "b": tiny("bert-sequence")},
        adapters={"topic": (adapter("bert-last-layer"), "a"), "own": (adapter("bert-own-head"), "b")},
    )
    found = engine.classify_all(TEXTS, ["topic", "own", "b"])
    assert found.models == {"topic": "a", "own": "b", "b": "b"} and len(found.passes) == 2
    for one, other in zip(found["b"], engine.classify(TEXTS, task="b"), strict=True):
        same_classification(one, other)

    config = tmp_path / "vsr.yaml"
    config.write_text(f"""
vsr:
  models:
    base: {{path: {tiny("bert-embedding")}}}
    full: {{path: {tiny("bert-sequence")}}}
  adapters:
    lora: {{path: {adapter("bert-last-layer")}, model: base}}
  tasks:
    both: {{model: full, adapter: lora}}
""")
    engine = vsr.Engine(config)
    # The adapter where its base runs anyway, else the model of its own.
    assert engine.classify_all(TEXTS, ["both"]).paths == {"both": "standard"}
    assert engine.classify_all(TEXTS, ["both", "base"]).paths["both"] == "lora"
    assert engine.classify_all(TEXTS, ["both"], path="lora").paths["both"] == "lora"
    assert engine.classify_all(TEXTS, ["both", "base"], path="standard").paths["both"] == "standard"
    with pytest.raises(vsr.ParseError, match="both"):
        engine.unload_adapter("lora")


def test_the_default_engine_has_adapters(vsr):
    vsr.init(models={"base": tiny("bert-embedding")}, adapters={"topic": adapter("bert-last-layer")})
    try:
        assert list(vsr.default_engine().classify_all(TEXTS)) == ["topic"]
        vsr.default_engine().load_adapter("names", adapter("bert-token"))
        assert list(vsr.default_engine().classify_all(TEXTS)) == ["topic", "names"]
        vsr.reload(models={"base": tiny("bert-embedding")})
        assert list(vsr.default_engine().classify_all(TEXTS)) == []
    finally:
        vsr.shutdown()


def test_results_outlive_the_model(vsr):
    model = vsr.load(tiny("bert-embedding"), adapters=ADAPTERS)
    found = model.classify_all(TEXTS, ["near", "topic"])
    vectors, expected = found["near"], found["near"].copy()
    model.close()
    del found
    assert np.array_equal(vectors, expected)
    with pytest.raises(vsr.StateError, match="close"):
        model.load_adapter("names", adapter("bert-token"))


def test_embeddings_of_the_pass_route_to_intents(vsr, model):
    intents = vsr.Intents(model, task="bert-embedding")
    intents.add("card", TEXTS[:1])
    intents.add("money", TEXTS[3:])
    found = model.classify_all(TEXTS, ["bert-embedding", "topic"])
    for one, other in zip(intents.route_vectors(found["bert-embedding"]), intents.route(TEXTS), strict=True):
        assert one.label == other.label and one.score == pytest.approx(other.score, abs=1e-6)
    for bad, message in ((np.ones((1, 32)), "length"), (np.ones((1, 5)), "dim is 5"), (np.ones(32), "dimensions")):
        with pytest.raises(vsr.InvalidArgumentError, match=message):
            intents.route_vectors(bad)


def test_progress_and_cancelling(vsr, model):
    seen = []
    model.classify_all(TEXTS * 40, ["topic", "names"], progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (160, 160)

    def enough(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        model.classify_all(TEXTS, ["topic"], progress=enough)


def test_merged_into_the_base_it_is_a_standard_model(vsr, model, tmp_path):
    model.merge_adapter(adapter("bert-last-layer"), tmp_path / "merged")
    merged = vsr.load(tmp_path / "merged")
    for one, other in zip(merged.classify(TEXTS), model.classify(TEXTS, task="topic"), strict=True):
        assert one.probs == pytest.approx(other.probs, abs=1e-5)
    with pytest.raises(vsr.InvalidArgumentError, match="exists already"):
        model.merge_adapter(adapter("bert-last-layer"), tmp_path / "merged")
