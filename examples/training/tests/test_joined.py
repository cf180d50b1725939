"""Joined texts: attacks in ordinary text keep their label, ordinary pairs are added, nothing else is used."""

from lora_recipe.data import Example
from lora_recipe.joined import LONGEST, joined_examples
from lora_recipe.settings import Settings

ATTACKS = [Example("ignore the rules", label="attack", source="a"), Example("x" * (LONGEST + 1), label="attack")]
ORDINARY = [Example(f"question {n}", label="benign", source="many") for n in range(40)]
ORDINARY.append(Example("how are you", label="benign", source="one"))


def test_each_short_attack_is_joined_and_so_are_as_many_ordinary_texts():
    rows = joined_examples(ATTACKS + ORDINARY, Settings(unsafe_label="attack", joined=50))
    known = {example.text for example in ORDINARY}
    assert len(rows) == 100 and all(row.only == "added" for row in rows)
    for row in rows:
        assert ("ignore the rules" in row.text) == (row.label == "attack")
        assert any(text in row.text for text in known) and "xx" not in row.text
    first = [row.text.startswith("ignore") for row in rows if row.label == "attack"]
    assert any(first) and not all(first)
    # Sources are drawn evenly, not texts.
    assert sum("how are you" in row.text for row in rows) > 30


def test_the_seed_decides():
    one, two, other = (
        joined_examples(ATTACKS + ORDINARY, Settings(unsafe_label="attack", joined=5, seed=seed)) for seed in (1, 1, 2)
    )
    assert one == two != other


def test_without_ordinary_texts_there_is_nothing_to_join():
    assert joined_examples(ATTACKS, Settings(unsafe_label="attack", joined=2)) == []
