"""Texts of a safety task joined with others: an attack before or after ordinary text, as it arrives in practice.

Made from texts already on the training side of the split, so nothing of a held-out text is in them. As many ordinary
texts are joined with each other; otherwise two subjects in one text would give an attack away.
"""

import random

from .data import Example

LONGEST = 700  # characters of a part: what is joined should still fit a window
SEPARATORS = (" ", " ", "\n", "\n\n", ". ", " - ")


def joined_examples(examples, settings) -> list[Example]:
    """`settings.joined` texts for each short attack, and as many ordinary ones."""
    generator = random.Random(settings.seed)
    short = [example for example in examples if len(example.text) <= LONGEST]
    attacks = [example for example in short if example.label == settings.unsafe_label]
    sources = by_source(example for example in short if example.label != settings.unsafe_label)
    if not sources:
        return []
    result = []
    for attack in attacks:
        for _ in range(settings.joined):
            first, second, third = (generator.choice(generator.choice(sources)) for _ in range(3))
            parts = [first, attack] if generator.random() < 0.7 else [attack, first]
            result.append(joined(parts, attack.label, generator))
            result.append(joined([second, third], third.label, generator))
    return result


def by_source(examples):
    """A list of texts per source: each source is drawn as often as another, however many texts it has."""
    sources = {}
    for example in examples:
        sources.setdefault(example.source, []).append(example)
    return list(sources.values())


def joined(parts, label, generator) -> Example:
    text = generator.choice(SEPARATORS).join(part.text.strip() for part in parts)
    return Example(text, label=label, source="joined", only="added")
