"""Columns of Arrow and pandas: texts in, columns out. Needs pyarrow: pip install vsr[arrow].

A column is a pyarrow Array or ChunkedArray of strings or binary, a pandas Series or Index, or a list. Strings of Arrow,
also those that a pandas Series holds, are read where they lie; string views, dictionaries and Python's own strings are
converted first. Results have the rows of the column in their order; a row that is null has the result null and is not
read. What follows is one Array, whatever the chunks were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _vsr
from ._options import embed_options
from ._progress import Progress, Report

try:
    import pyarrow as pa
except ImportError as error:
    raise ImportError("vsr.arrow needs pyarrow (hint: pip install vsr[arrow])") from error

if TYPE_CHECKING:
    from ._engine import Engine
    from ._tokenizer import Tokenizer
    from ._vsr import Cancel

__all__ = ["classify", "compress", "embed"]

Column = Any


def embed(
    engine: Engine,
    column: Column,
    dim: int | None = None,
    layer: int | None = None,
    prompt: str | None = None,
    instruction: str | None = None,
    normalize: bool = True,
    *,
    task: str | None = None,
    max_tokens: int | None = None,
    progress: bool | Report = False,
    deadline_ms: int | None = None,
    cancel: Cancel | None = None,
) -> pa.FixedSizeListArray:
    """Embeds each text: fixed_size_list<float>[dimensions]. The other arguments are those of Engine.embed().

    Without nulls the array is a view of the library's memory. It has the length that vectors have, also of a column
    without texts."""
    array = _strings(column)
    with Progress(progress, "embed") as report:
        options = embed_options(
            dim, layer, prompt, instruction, normalize, task, max_tokens, report, deadline_ms, cancel
        )
        vectors = np.asarray(_vsr.embed(engine._handle, _texts(array), options))
        if len(vectors) == 0:  # a result without rows says nothing of its columns
            options |= {"progress": None}
            vectors = np.asarray(_vsr.embed(engine._handle, [""], options))[:0]
    return _rows(vectors, array)


def classify(
    engine: Engine,
    column: Column,
    task: str | None = None,
    *,
    max_tokens: int | None = None,
    progress: bool | Report = False,
    deadline_ms: int | None = None,
    cancel: Cancel | None = None,
) -> pa.StructArray:
    """Classifies each text: struct<label: string, score: float, scores: fixed_size_list<float>, windows: int32>.

    `scores` are all of a text, in the order of the checkpoint's labels (its id2label)."""
    array = _strings(column)
    with Progress(progress, "classify") as report:
        options = {"task": task, "threshold": None, "max_tokens": max_tokens, "progress": report}
        options |= {"deadline_ms": deadline_ms, "cancel": cancel}
        result = _vsr.classify(engine._handle, _texts(array), options)
        if len(result.best) == 0:
            result = _vsr.classify(engine._handle, [""], options | {"progress": None})
    count = len(array) - array.null_count
    scores, best = np.asarray(result)[:count], np.asarray(result.best[:count], np.int64)
    labels = pa.array(result.labels, pa.string())
    fields = {
        "label": _spread(labels.take(pa.array(best)), array),
        "score": _spread(pa.array(scores[np.arange(count), best]), array),
        "scores": _rows(scores, array),
        "windows": _spread(pa.array([usage[1] for usage in result.usage[:count]], pa.int32()), array),
    }
    return _struct(fields, array)


def compress(
    column: Column,
    max_tokens: int,
    language: str | None = None,
    *,
    tokenizer: Tokenizer | None = None,
    deadline_ms: int | None = None,
    cancel: Cancel | None = None,
) -> pa.StructArray:
    """Compresses each text as vsr.compress() does: struct<text: large_string, tokens_before: int64, tokens_after: int64,
    estimated: bool>. The deadline is that of each text."""
    array = _strings(column)
    handle = None if tokenizer is None else tokenizer._handle
    limits = {"deadline_ms": deadline_ms, "cancel": cancel}
    rows = _vsr.compress_column(_texts(array), max_tokens, language, handle, limits)
    kinds = {
        "text": pa.large_string(),
        "tokens_before": pa.int64(),
        "tokens_after": pa.int64(),
        "estimated": pa.bool_(),
    }
    columns = list(zip(*rows)) or [()] * len(kinds)
    fields = {name: _spread(pa.array(values, kind), array) for (name, kind), values in zip(kinds.items(), columns)}
    return _struct(fields, array)


def _strings(column: Column) -> pa.Array:
    """The column as one array of a type whose strings are offsets and data."""
    if isinstance(column, (str, bytes)):
        raise TypeError(f"column is {type(column).__name__}, expected an Arrow array, a pandas Series or a list")
    if not isinstance(column, (pa.Array, pa.ChunkedArray)):
        # A Series gives Arrow's own strings without a copy where it has them.
        column = pa.array(column, from_pandas=True)
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if isinstance(column, pa.ChunkedArray):  # combine_chunks() keeps those of more than 2 GiB apart
        column = pa.chunked_array([chunk.cast(pa.large_binary()) for chunk in column.chunks]).combine_chunks()
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.dictionary_decode()
        kind = column.type
    if pa.types.is_null(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.large_string())
    if pa.types.is_binary_view(kind):
        return column.cast(pa.large_binary())
    if _is_narrow(kind) or pa.types.is_large_string(kind) or pa.types.is_large_binary(kind):
        return column
    raise TypeError(f"column has the type {kind}, expected strings or binary")


def _is_narrow(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_binary(kind)


def _texts(array: pa.Array) -> _vsr.TextColumn:
    valid, offsets, data = array.buffers()
    empty = pa.py_buffer(b"")
    if array.null_count == 0:
        valid = None
    return _vsr.TextColumn(
        empty if offsets is None else offsets,
        empty if data is None else data,
        valid,
        array.offset,
        len(array),
        not _is_narrow(array.type),
    )


def _missing(array: pa.Array) -> pa.Array | None:
    return array.is_null() if array.null_count else None


def _spread(values: pa.Array, array: pa.Array) -> pa.Array:
    """One value per row of `array`, null where that is, from one per text that was read."""
    if not array.null_count:
        return values
    valid = np.asarray(array.is_valid())
    places = pa.array(np.cumsum(valid) - 1, mask=~valid)
    return values.take(places)


def _rows(matrix: np.ndarray, array: pa.Array) -> pa.FixedSizeListArray:
    width = matrix.shape[1]
    if array.null_count:
        whole = np.zeros((len(array), width), np.float32)
        whole[np.asarray(array.is_valid())] = matrix
        matrix = whole
    return pa.FixedSizeListArray.from_arrays(pa.array(matrix.reshape(-1)), width, mask=_missing(array))


def _struct(fields: dict[str, pa.Array], array: pa.Array) -> pa.StructArray:
    return pa.StructArray.from_arrays(list(fields.values()), list(fields), mask=_missing(array))
