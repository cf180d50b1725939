"""The engine of the whole process."""

from __future__ import annotations

from . import _vsr
from ._engine import Engine
from ._options import Adapters, Models, engine_options


def init(
    config: Models | None = None,
    models: Models | None = None,
    *,
    dtype: str | None = None,
    device: str | None = None,
    adapters: Adapters | None = None,
    threads: int = 0,
    max_queued_calls: int = 0,
    max_queued_tokens: int = 0,
) -> Engine:
    """Opens the process-wide default engine, once; takes what Engine takes. Returns default_engine()."""
    limits = threads, max_queued_calls, max_queued_tokens
    _vsr.init(*engine_options(config, models, dtype, device, adapters, *limits))
    return default_engine()


def reload(
    config: Models | None = None,
    models: Models | None = None,
    *,
    dtype: str | None = None,
    device: str | None = None,
    adapters: Adapters | None = None,
    threads: int = 0,
    max_queued_calls: int = 0,
    max_queued_tokens: int = 0,
) -> Engine:
    """Replaces the default engine in one step; calls in flight end on the one they began with."""
    limits = threads, max_queued_calls, max_queued_tokens
    _vsr.reload(*engine_options(config, models, dtype, device, adapters, *limits))
    return default_engine()


def shutdown() -> None:
    """Closes the default engine."""
    _vsr.shutdown()


def default_engine() -> Engine:
    """Represents the process-wide default engine, whichever is open when a call begins."""
    return Engine._of(_vsr.default_engine())
