"""Private intents through the module."""

import threading

import numpy as np
import pytest
from conftest import tiny

EXAMPLES = {
    "card": ["where is my card", "my card is lost"],
    "travel": ["book a flight to paris", "hotel in berlin please"],
}


@pytest.fixture()
def intents(vsr, embedder):
    made = vsr.Intents(embedder, top_k=3)
    for label, examples in EXAMPLES.items():
        made.add(label, examples)
    return made


def vote(embedder, texts, top_k):
    """The rule of vsr_intents_route() in numpy: winner and score of each text."""
    labels = [label for label, examples in EXAMPLES.items() for _ in examples]
    similarity = embedder.embed(texts) @ embedder.embed(sum(EXAMPLES.values(), [])).T
    for row in similarity:
        nearest = np.argsort(-row, kind="stable")[:top_k]
        votes = {}
        for i in nearest:
            votes[labels[i]] = votes.get(labels[i], 0) + np.exp(10 * float(row[i]))
        winner = max(votes, key=votes.get)
        yield winner, max(row[i] for i in nearest if labels[i] == winner)


def test_routes_by_vote(intents, embedder):
    texts = ["where is my lost card?", "a hotel in paris", "hello world", ""]
    for match, (label, score) in zip(intents.route(texts), vote(embedder, texts, 3)):
        assert match.label == match.nearest == label
        assert match.score == pytest.approx(score, abs=1e-5)
    exact = intents.route("where is my card")[0]
    assert exact.label == "card" and exact.score == pytest.approx(1, abs=1e-5)
    assert exact.runner_up in (None, "travel")


def test_best_match_and_thresholds(vsr, embedder):
    intents = vsr.Intents(embedder, rule="best", threshold=0.999)
    intents.add("card", EXAMPLES["card"])
    intents.add("loose", ["hello world"], threshold=-1.0)
    far = intents.route(["how can i pay"])[0]
    assert far.score < 0.999
    assert (far.label is None) == (far.nearest == "card")
    assert intents.route(["my card is lost"])[0].label == "card"
    assert intents.info.intents[1].threshold == -1
    with pytest.raises(vsr.InvalidArgumentError, match='rule is "most"'):
        vsr.Intents(embedder, rule="most")
    default = vsr.Intents(embedder, rule=None, top_k=None).info
    assert (default.rule, default.top_k) == ("vote", 5)


def test_none_of_these(vsr, embedder):
    empty = vsr.Intents(embedder).route(["hello"])[0]
    assert (empty.label, empty.nearest, empty.runner_up, empty.score) == (None, None, None, 0)


def test_add_remove_and_look(intents, vsr):
    assert intents.labels == ["card", "travel"] and len(intents) == 2 and "card" in intents
    intents.add("card", "my card")
    intents.add("card", ["my card"])
    assert [i.examples for i in intents.info.intents] == [3, 2] or intents.info.intents[0].label == "card"
    intents.remove("card")
    assert intents.labels == ["travel"]
    with pytest.raises(vsr.NotFoundError, match="card"):
        intents.remove("card")
    with pytest.raises(vsr.InvalidArgumentError):
        intents.add("", ["x"])
    with pytest.raises(vsr.InvalidArgumentError, match="label has a NUL at byte 1"):
        intents.add("a\0b", ["x"])
    with pytest.raises(TypeError, match=r"examples\[1\] is int"):
        intents.add("a", ["x", 3])


def test_save_and_load(intents, vsr, embedder, tmp_path):
    path = tmp_path / "intents.bin"
    intents.save(path)
    again = vsr.Intents.load(embedder, path)
    texts = ["hello", "my card", "paris"]
    assert list(again.route(texts)) == list(intents.route(texts))
    assert again.labels == intents.labels
    with pytest.raises(vsr.NotFoundError, match="nowhere"):
        vsr.Intents.load(embedder, tmp_path / "nowhere")
    with pytest.raises(vsr.InvalidArgumentError):
        vsr.Intents.load(vsr.load(tiny("bert-no-pooler")), path)
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(vsr.Error, match="intents.bin"):
        vsr.Intents.load(embedder, path)


def test_intents_keep_their_engine(vsr):
    model = vsr.load(tiny("bert-embedding"))
    intents = vsr.Intents(model)
    model.close()
    intents.add("card", ["my card"])
    assert intents.route(["my card"])[0].label == "card"


def test_routes_while_it_changes(intents):
    seen, stop = set(), threading.Event()

    def route():
        while not stop.is_set():
            seen.add(intents.route(["hello world"])[0].label)

    threads = [threading.Thread(target=route) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(30):
        intents.add("greeting", ["hello world", "hello"])
        intents.remove("greeting")
    stop.set()
    for thread in threads:
        thread.join()
    assert seen <= {"card", "travel", "greeting"} and seen & {"card", "travel"}


def test_a_file_that_people_write_is_read(vsr, embedder, tmp_path):
    yaml, csv = tmp_path / "i.yaml", tmp_path / "i.csv"
    yaml.write_text(
        "rule: best\nintents:\n  card: {threshold: 0.5, examples: [where is my card]}\n  trip: [a flight]\n"
    )
    csv.write_text("text,label\nwhere is my card,card\na flight,trip\n")
    for path, rule in ((yaml, "best"), (csv, "vote")):
        intents = vsr.Intents.read(embedder, path)
        assert (intents.labels, intents.info.rule) == (["card", "trip"], rule)
        assert intents.route("a flight")[0].label == "trip"
    changed = vsr.Intents.read(embedder, yaml, rule="blend", top_k=2, threshold=0.25).info
    assert (changed.rule, changed.top_k, changed.threshold) == ("blend", 2, 0.25)
    assert [intent.threshold for intent in changed.intents] == [None, None]
    with pytest.raises(vsr.DeadlineError):
        vsr.Intents.read(embedder, yaml, deadline_ms=0)
    with pytest.raises(vsr.NotFoundError, match="none.yaml"):
        vsr.Intents.read(embedder, tmp_path / "none.yaml")
    with pytest.raises(vsr.InvalidArgumentError, match="top_k is 0"):
        vsr.Intents.read(embedder, yaml, top_k=0)
    yaml.write_text("intents:\n  a: [x]\n  a: [y]\n")
    with pytest.raises(vsr.Error, match="i.yaml:3:3"):
        vsr.Intents.read(embedder, yaml)
