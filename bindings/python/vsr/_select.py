"""Which embedding model a policy chose, and why."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import _html


class Candidate(NamedTuple):
    """One model of an engine, and what speaks for and against it."""

    model: str
    rejected: str | None
    """Why it could not be chosen; None: it could."""
    quality: float
    speed: float
    """1: the fastest of those that could be chosen, 0.5: half as fast."""
    score: float
    chosen: bool
    tokens: int
    """Of the longest text, prompt included."""
    windows: int
    """In which all texts are read."""


class Selection:
    """The chosen `model`, the `reason` in one line, and all `candidates`."""

    def __init__(self, model: str, reason: str, candidates: list[tuple]) -> None:
        self.model = model
        self.reason = reason
        self.candidates = [Candidate(*fields) for fields in candidates]

    def __repr__(self) -> str:
        return f"Selection({self.model}: {self.reason})"

    def _repr_html_(self) -> str:
        rows = [(c.model, f"{c.score:.3f}", f"{c.quality:.3f}", f"{c.speed:.3f}", "chosen" if c.chosen else c.rejected or "")
                for c in self.candidates]  # fmt: skip
        return _html.table(("model", "score", "quality", "speed", ""), rows)


class Selected(NamedTuple):
    """Vectors, and the model that made them."""

    vectors: np.ndarray
    selection: Selection
