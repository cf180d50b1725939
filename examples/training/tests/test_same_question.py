"""The pairs of same_question: made from texts and frames, both labels from the same ones."""

import json
import pathlib
import random
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import prepare_same_question as made


@pytest.fixture
def editor():
    texts = [
        "how do i reset my old phone",
        "how do i reset my new phone",
        "can an adult take the red pill before dinner",
    ]
    return made.Editor(texts, random.Random(1))


def test_word_groups_are_those_of_the_cache():
    groups = made.WordGroups()
    assert "child" in groups.other["adult"] and "adult" in groups.other["kid"]
    assert "kid" in groups.same["child"]
    assert "purchases" in groups.find(groups.same, "buys")
    assert not groups.other["kaufen"]  # English alone


def test_edits_change_what_they_say(editor):
    words = "can an adult take the red pill before dinner".split()
    for _ in range(20):
        assert sum(a != b for a, b in zip(words, editor.contrast(words))) == 1
    assert editor.another_word("how do i reset my old phone".split()) == "how do i reset my new phone".split()
    assert sorted(editor.exchanged(words)) == sorted(words) and editor.exchanged(words) != words
    assert len(editor.negated(words)) > len(words)


def test_frames_give_both_labels_from_the_same_slots(editor):
    rows = list(made.grammar_rows(editor, 300))
    assert abs(sum(r["label"] == "same" for r in rows) - 300) == 0
    assert sum(r["label"] == "different" for r in rows) > 280
    assert all("{" not in r["text"] + r["text_pair"] for r in rows)


def test_rows_are_the_same_every_time(tmp_path):
    intents = tmp_path / "intents"
    intents.mkdir()
    labels = made.ONE_QUESTION[:4]
    texts = [[f"please {verb} the {adjective} {noun} of {label}", label] for label in labels
             for verb in ("show", "open", "print", "send", "check", "find", "list", "sort", "copy", "move")
             for adjective in ("old", "new", "big", "small", "red", "blue", "left", "right", "first", "last")
             for noun in ("file", "page", "card", "form", "note", "bill", "list", "mail", "door", "lamp")]  # fmt: skip
    texts += [[f"{text} in town {n}", label] for n in range(2) for text, label in texts]
    (intents / "clinc150.json").write_text(json.dumps({"train": texts}))
    lines = ["text,category"] + [f"{text} at the bank,c{i % 7}" for i, (text, _) in enumerate(texts[:3000])]
    (intents / "banking77_train.csv").write_text("\n".join(lines))
    assert list(made.rows(tmp_path, 7)) == list(made.rows(tmp_path, 7))
