"""What generate() and moderate() return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import _html

OnToken = Callable[[int, str], object]


@dataclass(frozen=True, slots=True)
class Generation:
    """Text after a prompt."""

    text: str
    """The new text, without special tokens."""
    ids: list[int]
    """The new tokens, an end-of-text token included."""
    finish: str
    """Why it ended: "eos" or "length"."""
    prompt_tokens: int
    replaced: int
    """Bytes of the prompt that were not UTF-8 and were read as U+FFFD."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a safety classifier says of a prompt, or of the response to it."""

    severity: str
    """"safe", "controversial", "unsafe", or "unparsed" for an answer that is no verdict."""
    categories: list[str]
    refusal: bool | None
    """Whether a response refuses; None for a prompt."""
    probs: dict[str, float]
    """How likely "safe", "controversial" and "unsafe" are, whatever the answer says."""
    answer: str
    """What the model wrote."""
    prompt: str
    """What it read: the checkpoint's chat template with the texts."""
    prompt_tokens: int
    control_tokens: int
    """Special tokens that the texts spell out; they can write parts of the question."""
    replaced: int
    """Bytes of the texts that were not UTF-8 and were read as U+FFFD."""

    @property
    def safe(self) -> bool:
        """True for "safe" alone: what is not parsed is not safe."""
        return self.severity == "safe"

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} {prob:.3f}" for name, prob in self.probs.items())
        refusal = "" if self.refusal is None else f", refusal={self.refusal}"
        return f"Verdict({self.severity}, categories={self.categories}{refusal}, {shown})"

    def _repr_html_(self) -> str:
        return _html.bars(self.probs.items())
