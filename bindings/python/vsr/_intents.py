"""Private intents: routing by a few examples each, without training."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

import numpy as np

from . import _vsr
from ._engine import Engine
from ._errors import InvalidArgumentError
from ._info import Info
from ._results import Matches
from ._vsr import Cancel


class Intents:
    """A set of intents, each a label with example texts. Others may route while it changes.

    rule "vote": the `top_k` nearest examples vote, near ones with much more weight; "best": the nearest example alone
    decides; "blend": nearness to an intent's nearest example and to the mean of its examples count alike.
    None is the default. A text whose score is below `threshold`, or below the intent's own, matches no intent.
    """

    def __init__(
        self,
        engine: Engine,
        top_k: int | None = 5,
        threshold: float = 0.0,
        rule: str | None = "vote",
        task: str | None = None,
    ) -> None:
        options = {"rule": rule, "top_k": top_k, "threshold": threshold, "task": task}
        self._handle = _vsr.create_intents(engine._handle, options)

    @classmethod
    def read(
        cls,
        engine: Engine,
        path: str | os.PathLike,
        *,
        rule: str | None = None,
        top_k: int | None = None,
        threshold: float | None = None,
        task: str | None = None,
        deadline_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> Intents:
        """Makes a set of a YAML or CSV file that people write (docs/intents.md).

        `rule`, `top_k` and `threshold`, where given, count in place of the file's, `threshold` for all intents.
        """
        intents = cls.__new__(cls)
        options = {"rule": rule, "top_k": top_k, "threshold": threshold, "task": task}
        options |= {"deadline_ms": deadline_ms, "cancel": cancel}
        intents._handle = _vsr.read_intents(engine._handle, path, options)
        return intents

    @classmethod
    def load(cls, engine: Engine, path: str | os.PathLike, task: str | None = None) -> Intents:
        """Reads a set that save() wrote."""
        intents = cls.__new__(cls)
        intents._handle = _vsr.load_intents(engine._handle, path, task)
        return intents

    def add(
        self,
        label: str,
        examples: str | bytes | Iterable[str | bytes],
        threshold: float | None = None,
        *,
        deadline_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        """Adds examples to an intent, which begins with its first one; `threshold` becomes the intent's own."""
        options = {"threshold": threshold, "deadline_ms": deadline_ms, "cancel": cancel}
        self._handle.add(label, examples, options)

    def remove(self, label: str) -> None:
        """Removes an intent with all its examples."""
        self._handle.remove(label)

    def route(
        self,
        texts: str | bytes | Iterable[str | bytes],
        *,
        deadline_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> Matches:
        """The Match of each text."""
        texts = [texts] if isinstance(texts, (str, bytes)) else list(texts)
        return Matches(texts, self._handle.route(texts, {"deadline_ms": deadline_ms, "cancel": cancel}))

    def route_vectors(
        self, vectors: np.ndarray, *, deadline_ms: int | None = None, cancel: Cancel | None = None
    ) -> Matches:
        """The Match of each text that was embedded before, as embed() and classify_all() of the set's task do it."""
        vectors = np.ascontiguousarray(vectors, np.float32)
        if vectors.ndim != 2:
            raise InvalidArgumentError(f"vectors has {vectors.ndim} dimensions, expected [texts, dimensions]")
        limits = {"deadline_ms": deadline_ms, "cancel": cancel}
        return Matches([""] * len(vectors), self._handle.route_vectors(vectors, limits))

    def save(self, path: str | os.PathLike) -> None:
        """Writes the set, examples and vectors included, to one file."""
        self._handle.save(path)

    @property
    def info(self) -> Info:
        """rule, top_k, threshold, dim, index and intents, each with label, examples and threshold."""
        return Info(json.loads(self._handle.describe()))

    @property
    def labels(self) -> list[str]:
        return [intent["label"] for intent in self.info["intents"]]

    def __len__(self) -> int:
        return len(self.labels)

    def __contains__(self, label: object) -> bool:
        return label in self.labels

    def __repr__(self) -> str:
        info = self.info
        rule = f"rule={info.rule!r}, top_k={info.top_k}, threshold={info.threshold:g}"
        return f"Intents({len(info.intents)} intents, {rule})"
