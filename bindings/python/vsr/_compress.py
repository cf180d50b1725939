"""Prompt compression: for deciding about a long text, never for answering it."""

from __future__ import annotations

from typing import NamedTuple

from . import _vsr
from ._options import Text
from ._tokenizer import Tokenizer
from ._vsr import Cancel


class Compressed(NamedTuple):
    """The parts of a text that say most about it."""

    text: str
    kept: list[tuple[int, int]]
    """(start, end) of each kept part, as indices of the text."""
    tokens_before: int
    tokens_after: int
    estimated: bool
    """Tokens are estimates, made without a tokenizer."""

    def __repr__(self) -> str:
        about = "about " if self.estimated else ""
        return (
            f"Compressed({len(self.kept)} parts, {about}{self.tokens_before} to {self.tokens_after} tokens: "
            f"{self.text[:80]!r})"
        )


def compress(
    text: Text,
    max_tokens: int,
    language: str | None = None,
    *,
    tokenizer: Tokenizer | None = None,
    deadline_ms: int | None = None,
    cancel: Cancel | None = None,
) -> Compressed:
    """Keeps the sentences that carry most information, whole and in their order, up to `max_tokens`.

    language: ISO 639-1, chooses the stop words; None: found out. tokenizer: counts tokens; None: they are estimated.
    """
    handle = None if tokenizer is None else tokenizer._handle
    options = {"language": language, "tokenizer": handle, "deadline_ms": deadline_ms, "cancel": cancel}
    return Compressed(*_vsr.compress(text, max_tokens, options))
