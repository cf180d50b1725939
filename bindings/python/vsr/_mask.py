"""Personal data masked before a request leaves, and restored in its answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from . import _vsr
from ._engine import Engine
from ._guard import _FORMATS, Guard, _index
from ._info import Info
from ._options import Text, name_list


class Mask:
    """Values of one tenant that were masked, by their placeholders. Threads may share one.

    key: the placeholders of a value are the same while it is; None: a random one. pii_task: a task of `model` for what
    has no form, such as names. types: such as "EMAIL_ADDRESS"; none: all but URL. unknown: what looks like a placeholder
    in an answer and is none stays ("keep"), or ends the answer ("fail").
    """

    def __init__(
        self,
        key: Text | None = None,
        tenant: Text | None = None,
        model: Engine | None = None,
        pii_task: str | None = None,
        threshold: float = 0.5,
        types: Iterable[str] = (),
        unknown: str = "keep",
    ) -> None:
        fails = _index(unknown, ("keep", "fail"), "unknown") == 1
        handle = None if model is None else model._handle
        self._handle = _vsr.create_mask(
            handle, key or "", tenant or "", pii_task, threshold, name_list(types, "types"), fails
        )

    @classmethod
    def _of(cls, handle: _vsr.Mask) -> Mask:
        mask = cls.__new__(cls)
        mask._handle = handle
        return mask

    def text(self, text: Text) -> str:
        """The text with placeholders in the place of personal data."""
        return self._handle.text(text)

    def request(self, request: Mapping | Text) -> str:
        """The same in all strings of a request as JSON; what is not masked stays byte for byte."""
        if isinstance(request, Mapping):
            request = json.dumps(request, ensure_ascii=False)
        return self._handle.request(request)

    def restore(self, text: Text) -> str:
        """The text with the values back in it."""
        return self._handle.restore(text)

    def stream(self, format: str = "auto") -> Guard:
        """Restores an answer: feed() takes its bytes as they arrive, finish() its end."""
        return Guard._of(self._handle.stream(_index(format, _FORMATS, "format")), "observe")

    @property
    def info(self) -> Info:
        """masked, and types with how many of each."""
        return Info(json.loads(self._handle.describe()))

    def __repr__(self) -> str:
        return f"Mask({self.info.masked} values)"


class Masked(str):
    """A masked text, which can be restored."""

    mask: Mask

    @property
    def text(self) -> str:
        return str(self)

    def restore(self, text: Text) -> str:
        return self.mask.restore(text)

    def stream(self, format: str = "auto") -> Guard:
        return self.mask.stream(format)


def mask(text: Text, **options: object) -> Masked:
    """Masks one text: `.text`, `.restore(text)` and `.stream()`; options as those of Mask."""
    made = Mask(**options)
    masked = Masked(made.text(text))
    masked.mask = made
    return masked
