"""Tokenizers and what they make of a text."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property

from . import _html, _vsr


class Encoding:
    """A text, or a pair, as token ids. Lists are made when they are first read."""

    def __init__(self, handle: _vsr.Encoding, text: str | bytes, pair: str | bytes | None) -> None:
        self._handle = handle
        self._sides = (text, pair)

    @cached_property
    def ids(self) -> list[int]:
        return self._handle.ids

    @cached_property
    def tokens(self) -> list[str]:
        """The vocabulary's entry of each id."""
        return self._handle.tokens

    @cached_property
    def offsets(self) -> list[tuple[int, int]]:
        """Start and end of each token in its side of the text; (0, 0) for what the template added."""
        return self._handle.offsets

    @cached_property
    def type_ids(self) -> list[int]:
        return self._handle.type_ids

    @cached_property
    def sides(self) -> list[int]:
        """0 for tokens of the text, 1 for those of the pair, -1 for what the template added."""
        return self._handle.sides

    @property
    def windows(self) -> int:
        """Windows in which the model reads this encoding; 1 when it fits, and for a tokenizer without a model."""
        return self._handle.windows

    @property
    def replaced(self) -> int:
        """Bytes that were not UTF-8 and were read as U+FFFD."""
        return self._handle.replaced

    def __len__(self) -> int:
        return len(self._handle)

    def __repr__(self) -> str:
        shown = " ".join(self.tokens[:12]) + (" ..." if len(self) > 12 else "")
        return f"Encoding({len(self)} tokens, {self.windows} window{'s' * (self.windows != 1)}: {shown})"

    def _repr_html_(self) -> str:
        rows = []
        for token, token_id, side, (start, end) in zip(self.tokens, self.ids, self.sides, self.offsets):
            part = "" if side < 0 else _html.as_str(self._sides[side][start:end])
            rows.append((token, token_id, "" if side < 0 else f"{start}:{end}", part))
            if len(rows) == 200:
                break
        more = f"<p>{len(self) - 200} more</p>" if len(self) > 200 else ""
        return _html.table(("token", "id", "offsets", "text"), rows) + more


class Tokenizer:
    """Texts to token ids, and back. Made by load_tokenizer() or by a model's `tokenizer`."""

    def __init__(self, handle: _vsr.Tokenizer) -> None:
        self._handle = handle

    def encode(self, text: str | bytes, pair: str | bytes | None = None, add_special_tokens: bool = True) -> Encoding:
        """Encodes a text, or a pair joined by the tokenizer's own template, to its full length."""
        return Encoding(self._handle.encode(text, pair, add_special_tokens), text, pair)

    def encode_batch(self, texts: Iterable[str | bytes | tuple], add_special_tokens: bool = True) -> list[Encoding]:
        """Encodes each text, or (text, pair)."""
        sides = [text if isinstance(text, (tuple, list)) else (text, None) for text in texts]
        return [self.encode(text, pair, add_special_tokens) for text, pair in sides]

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """The text of ids (any iterable of integers, numpy arrays too)."""
        return self._handle.decode(ids, skip_special_tokens)

    @property
    def vocab_size(self) -> int:
        """Ids in the vocabulary, added tokens included."""
        return self._handle.vocab_size

    def __repr__(self) -> str:
        return f"Tokenizer(vocab_size={self.vocab_size})"


def load_tokenizer(path: str | os.PathLike) -> Tokenizer:
    """Loads a tokenizer from a folder, from a tokenizer.json under any name, from a vocab.txt, or from a
    sentencepiece model (.model, .spm), which adds no special tokens."""
    return Tokenizer(_vsr.load_tokenizer(path))
