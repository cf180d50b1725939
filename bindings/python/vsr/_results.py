"""What calls return. Lists of results are lists; in a notebook they show themselves as tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from . import _html


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Classification:
    """How a text, or a pair of texts, was classified."""

    label: str
    """The label with the highest score."""
    score: float
    row: np.ndarray = field(repr=False)
    """All scores, in the order of `labels`."""
    labels: tuple[str, ...] = field(repr=False)
    tokens: int
    """Tokens of the full encoding, special tokens included."""
    windows: int
    """Windows in which a long text was read; 1 when it fits."""
    dropped: int
    """Tokens that no window read."""
    replaced: int
    """Bytes that were not UTF-8 and were read as U+FFFD."""

    @property
    def probs(self) -> dict[str, float]:
        """Label to score, in the order of the checkpoint's id2label."""
        return dict(zip(self.labels, self.row.tolist()))

    def __repr__(self) -> str:
        return (
            f"Classification(label={self.label!r}, score={self.score:.4f}, tokens={self.tokens}, "
            f"windows={self.windows}, dropped={self.dropped}, replaced={self.replaced})"
        )

    def _repr_html_(self) -> str:
        return _html.bars(self.probs.items())


class Classifications(list):
    """A list of Classification."""

    def _repr_html_(self) -> str:
        return _html.table(
            ("label", "score", "tokens", "windows"),
            [("not read", "", "", "") if c is None else (c.label, f"{c.score:.3f}", c.tokens, c.windows) for c in self],
        )


@dataclass(frozen=True, slots=True, repr=False)
class Entity:
    """Part of a text with a label: text[start:end]."""

    label: str
    start: int
    end: int
    score: float
    text: str | bytes

    def __repr__(self) -> str:
        return f"Entity({self.label}: {self.text!r} [{self.start}:{self.end}], score={self.score:.4f})"

    def _repr_html_(self) -> str:
        return _html.marked(self.text, [(0, len(self.text), self.label, self.score)])


class Entities(list):
    """The entities of one text, in order; `of` is the text, of a pair the second one."""

    def __init__(self, of: str | bytes, found: list, windows: int, replaced: int) -> None:
        super().__init__(Entity(label, start, end, score, of[start:end]) for label, start, end, score in found)
        self.of = of
        self.windows = windows
        self.replaced = replaced

    def _repr_html_(self) -> str:
        return _html.marked(self.of, [(e.start, e.end, e.label, e.score) for e in self])


class EntityLists(list):
    """One Entities per text."""

    def _repr_html_(self) -> str:
        return "".join("<div>not read</div>" if entities is None else entities._repr_html_() for entities in self)


@dataclass(frozen=True, slots=True, repr=False)
class Match:
    """The intent of a text."""

    label: str | None
    """None: none of the intents, since the score is below the threshold or there are no intents."""
    score: float
    """Cosine similarity of the text and the nearest example of `nearest`."""
    nearest: str | None
    """The winner before the threshold."""
    runner_up: str | None
    runner_up_score: float

    def __repr__(self) -> str:
        runner_up = "" if self.runner_up is None else f", runner_up={self.runner_up!r} {self.runner_up_score:.4f}"
        nearest = f", nearest={self.nearest!r}" if self.label is None and self.nearest is not None else ""
        return f"Match(label={self.label!r}, score={self.score:.4f}{nearest}{runner_up})"

    def _row(self) -> tuple[str, ...]:
        runner_up = "" if self.runner_up is None else f"{self.runner_up} ({self.runner_up_score:.3f})"
        return ("none of these" if self.label is None else self.label, f"{self.score:.3f}", runner_up)

    def _repr_html_(self) -> str:
        return _html.table(("intent", "score", "runner-up"), [self._row()])


class Matches(list):
    """A list of Match; `texts` are what was routed."""

    def __init__(self, texts: list, found: list) -> None:
        super().__init__(Match(*fields) for fields in found)
        self.texts = texts

    def _repr_html_(self) -> str:
        rows = [(_html.as_str(text), *match._row()) for text, match in zip(self.texts, self)]
        return _html.table(("text", "intent", "score", "runner-up"), rows)


class Neighbour(NamedTuple):
    """A candidate near a query: candidates[index] is `text`."""

    index: int
    score: float
    text: str | bytes
