"""Arguments of calls, as the extension takes them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ._errors import InvalidArgumentError
from ._progress import Report
from ._vsr import Cancel

Text = str | bytes
Texts = Text | Iterable[Text]
Pairs = Texts | Iterable[tuple[Text, Text]]
PathLike = str | os.PathLike
Adapters = Mapping[str, PathLike | tuple[PathLike, str]]
Models = PathLike | Mapping[str, PathLike] | Sequence[PathLike]


def text_list(texts: Texts | Pairs) -> list:
    """One text or many as a list, which can be read twice."""
    return [texts] if isinstance(texts, (str, bytes)) else list(texts)


def name_list(names: Iterable[str], what: str) -> list[str]:
    """Names as a list; a single str is none, though its letters could be taken for one."""
    if isinstance(names, (str, bytes)):
        raise TypeError(f"{what} is {type(names).__name__}, expected a list of str")
    return list(names)


def string_map(values: Mapping[str, str] | None, what: str) -> dict[str, str]:
    """A mapping as a dict; a list of pairs is none, as headers may come in one that has names twice."""
    if values is not None and not isinstance(values, Mapping):
        raise TypeError(f"{what} is {type(values).__name__}, expected a mapping of str to str")
    return dict(values or {})


def engine_options(
    config: Models | None,
    models: Models | None,
    dtype: str | None,
    device: str | None,
    adapters: Adapters | None,
    threads: int = 0,
    max_queued_calls: int = 0,
    max_queued_tokens: int = 0,
) -> tuple[object, list, list, dict]:
    """The config file, models, adapters and limits as the extension takes them. A first argument that is no file name is
    models."""
    if models is None and config is not None and not isinstance(config, (str, bytes, os.PathLike)):
        config, models = None, config
    if models is None:
        models = {}
    elif isinstance(models, (str, bytes, os.PathLike)):
        models = [models]
    named = models.items() if isinstance(models, Mapping) else [(None, path) for path in models]
    limits = {"threads": threads, "max_queued_calls": max_queued_calls, "max_queued_tokens": max_queued_tokens}
    return config, [(name, path, dtype, device) for name, path in named], adapter_options(adapters), limits


def adapter_options(adapters: Adapters | None) -> list[tuple]:
    """(name, path, model) of each adapter."""
    if adapters is not None and not isinstance(adapters, Mapping):
        raise TypeError(f"adapters is {type(adapters).__name__}, expected a dict from names to folders")
    return [(name, *at) if isinstance(at, tuple) else (name, at, None) for name, at in (adapters or {}).items()]


def wanted_mask(wanted: object, texts: int, tasks: list[str] | None) -> np.ndarray | None:
    """Which text each task reads, as bytes of 0 and 1."""
    if wanted is None:
        return None
    if tasks is None:
        raise InvalidArgumentError("wanted is given, and tasks is None, so that its columns have no names")
    mask = np.ascontiguousarray(wanted, np.bool_)
    if mask.shape != (texts, len(tasks)) and mask.size + texts * len(tasks) > 0:
        raise InvalidArgumentError(
            f"wanted has the shape {mask.shape}, expected ({texts}, {len(tasks)}), [texts, tasks]"
        )
    return mask


def embed_options(
    dim: int | None,
    layer: int | None,
    prompt: str | None,
    instruction: str | None,
    normalize: bool,
    task: str | None,
    max_tokens: int | None,
    report: Report | None,
    deadline_ms: int | None = None,
    cancel: Cancel | None = None,
) -> dict[str, object]:
    return {
        "dim": dim,
        "layer": layer,
        "prompt": prompt,
        "instruction": instruction,
        "normalize": normalize,
        "task": task,
        "max_tokens": max_tokens,
        "progress": report,
        "deadline_ms": deadline_ms,
        "cancel": cancel,
    }
