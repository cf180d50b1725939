"""What a call of many tasks returns: an answer or an error for each of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import _html
from ._errors import Error, from_status
from ._results import Classification, Classifications, Entities, EntityLists


class TaskResults(dict):
    """From each task to what it answered, in the order of the call.

    A task for classification has a list of Classification, one for entities a list of lists of Entity, one for
    embeddings a float32 array. A text that a task did not have to read is None there, and a row of NaN in an array.

    Asking for the answer of a task that failed raises its error, also by way of get(), values() and items(); its name is
    a key like the others. `errors` maps the tasks that failed to their errors.
    """

    def __init__(self, texts: list, outcomes: list[tuple], passes: list[dict]) -> None:
        super().__init__()
        self.texts = texts
        self.passes = passes
        """One dict per base model: model, tasks, blocks, shared_blocks, block_rows, separate_rows."""
        self.paths: dict[str, str] = {}
        """From each task to the path it took: "lora" or "standard"."""
        self.models: dict[str, str] = {}
        """From each task to the name of its base model."""
        self.errors: dict[str, Error] = {}
        for task, kind, path, model, value in outcomes:
            self.paths[task] = path
            self.models[task] = model
            self[task] = answer = _answer(kind, value, texts)
            if isinstance(answer, Error):
                self.errors[task] = answer

    def __getitem__(self, task: str) -> Classifications | EntityLists | np.ndarray:
        answer = super().__getitem__(task)
        if isinstance(answer, Error):
            raise answer
        return answer

    def get(self, task: str, default: object = None) -> object:
        return self[task] if task in self else default

    def values(self) -> Iterator:  # type: ignore[override]
        return (self[task] for task in self)

    def items(self) -> Iterator:  # type: ignore[override]
        return ((task, self[task]) for task in self)

    def __repr__(self) -> str:
        tasks = [f"{task}: {self._summary(task)}" for task in self]
        passes = [f"{p['model']} ({p['shared_blocks']} of {p['blocks']} blocks shared)" for p in self.passes]
        return f"TaskResults({', '.join(tasks)}; passes: {', '.join(passes) or 'none'})"

    def _summary(self, task: str) -> str:
        if task in self.errors:
            return f"{type(self.errors[task]).__name__}: {self.errors[task]}"
        return f"{len(self[task])} texts, {self.paths[task]}"

    def _cell(self, task: str, text: int) -> str:
        if task in self.errors:
            return f"{type(self.errors[task]).__name__}: {self.errors[task]}"
        answer = self[task]
        if isinstance(answer, np.ndarray):
            return "not read" if np.isnan(answer[text]).any() else f"{answer.shape[1]} values"
        if answer[text] is None:
            return "not read"
        if isinstance(answer[text], Classification):
            return f"{answer[text].label} ({answer[text].score:.3f})"
        return ", ".join(f"{e.label}: {_html.as_str(e.text)}" for e in answer[text]) or "none"

    def _repr_html_(self) -> str:
        rows = [
            (
                " | ".join(map(_html.as_str, text)) if isinstance(text, (tuple, list)) else _html.as_str(text),
                *(self._cell(task, i) for task in self),
            )
            for i, text in enumerate(self.texts)
        ]
        return _html.table(("text", *self), rows)


def classifications(result: object) -> Classifications:
    """The rows of a sequence-classification head; None for a text that was not read."""
    matrix, labels = np.asarray(result), result.labels
    return Classifications(
        Classification(labels[best], float(row[best]), row, labels, *usage) if best < len(labels) else None
        for row, best, usage in zip(matrix, result.best, result.usage)
    )


def _answer(kind: str, value: object, texts: list) -> Classifications | EntityLists | np.ndarray | Error:
    if kind == "error":
        return from_status(*value)
    if kind == "embedding":
        return np.asarray(value)
    if kind == "sequence_classification":
        return classifications(value)
    # Every text has a window, unless it was not read.
    return EntityLists(Entities(text, *of_text) if of_text[1] else None for text, of_text in zip(texts, value))
