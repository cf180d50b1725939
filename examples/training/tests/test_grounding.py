"""The pairs of grounding: made of sentences, each label from the same passages."""

import collections
import pathlib
import random
import sys

import pytest
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import prepare_grounding as made
from lora_recipe.settings import Settings

TEXT = " ".join(
    f"The regiment of Denisov marched {n} miles on the {n}th of June with General Bagration. "
    f"It was late when {n * 1000} men of Moscow reached the river near Borodino. "
    f"There were seven guns that could not be moved by the horses of Rostov." for n in range(11, 60)
)  # fmt: skip


@pytest.fixture
def editor():
    return made.Editor(random.Random(1), ["Kutuzov", "Smolensk", "General Murat"])


def test_altered_sentences_differ_in_one_thing(editor):
    text = "The army of Denisov left on June 12 with 300 horses and was tired after nine miles."
    for kind in ("number", "name", "date", "unit", "negation", "exchange"):
        changed = getattr(editor, kind)(text)
        if kind == "exchange":
            assert changed is None or sorted(changed.split()) == sorted(text.split())
            continue
        assert changed and changed != text
        a, b = text.split(), changed.split()
        assert abs(len(a) - len(b)) <= 1
    assert editor.negation("He was not there.") == "He was there."
    assert editor.negation("Nobody was there.") is None
    assert editor.exchange("They sent Denisov to Rostov.") == "They sent Rostov to Denisov."


def test_notation_keeps_the_value(editor):
    assert editor.notation("He had seven guns.") == "He had 7 guns."
    assert editor.notation("He had 7 guns.") == "He had seven guns."
    assert editor.notation("There were 12,000 men.") == "There were 12 thousand men."
    assert editor.notation("In 1812 it burned.") is None


def test_rows_are_balanced_grouped_and_the_same_for_a_seed(editor):
    sentences = made.sentences_of(TEXT)
    assert len(sentences) == 49 * 3
    rows = list(made.rows_of(sentences, "book", editor, 90))
    assert rows == list(made.rows_of(sentences, "book", made.Editor(random.Random(1), editor.names), 90))
    labels = collections.Counter(row["label"] for row in rows)
    assert labels["supported"] == labels["contradicted"] == labels["unknown"] > 10
    assert len({row["kind"] for row in rows if row["label"] == "contradicted"}) >= 4
    for row in rows:
        assert (row["label"] == "contradicted") <= (row["text_pair"] not in row["text"])


def test_the_recipe_is_one():
    recipe = pathlib.Path(__file__).resolve().parents[1] / "recipes" / "grounding.toml"
    assert set(tomllib.loads(recipe.read_text("utf-8"))) <= set(Settings.__dataclass_fields__)
