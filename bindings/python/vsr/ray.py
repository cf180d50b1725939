"""Corpora: embedding, classifying and compressing the texts of a Ray Dataset. Needs Ray Data: pip install vsr[ray].

Each function returns the dataset with columns added, lazily as Ray does, computed by a pool of `workers` actors, each with
`threads` cores. A worker is a process that loads the model once: its threads share the weights, two workers do not. So
one worker per node with all of that node's cores holds the weights once per node, and workers of one thread each hold
them once per core. write_parquet() writes the results so that a run that was ended goes on where it was.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._errors import InvalidArgumentError
from ._options import Models, PathLike

try:
    import ray.data
    from ray.data.checkpoint import CheckpointConfig
except ImportError as error:
    raise ImportError("vsr.ray needs Ray Data from 2.60 on (hint: pip install vsr[ray])") from error

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["classify", "compress", "embed", "write_parquet"]


class _Worker:
    """One actor of the pool: a model, and what it does with each batch."""

    def __init__(
        self, work: str, source: Mapping[str, Any] | None, column: str, output: str, options: Mapping[str, Any]
    ) -> None:
        from . import arrow
        from ._engine import Engine
        from ._tokenizer import load_tokenizer

        self._column, self._output = column, output
        options = dict(options)
        if work == "compress":
            tokenizer = options.pop("tokenizer")
            options["tokenizer"] = None if tokenizer is None else load_tokenizer(tokenizer)
            self._answer = lambda texts: arrow.compress(texts, **options)
        else:
            engine, function = Engine(**source), getattr(arrow, work)
            self._answer = lambda texts: function(engine, texts, **options)

    def __call__(self, batch: pa.Table) -> pa.Table:
        if self._column not in batch.column_names:
            raise InvalidArgumentError(
                f"column {self._column!r} is not in the dataset: {', '.join(batch.column_names)}"
            )
        if self._output in batch.column_names:
            raise InvalidArgumentError(f"output {self._output!r} is a column of the dataset already")
        return batch.append_column(self._output, self._answer(batch.column(self._column)))


def embed(
    dataset: ray.data.Dataset,
    models: Models,
    column: str = "text",
    output: str = "embedding",
    *,
    workers: int = 1,
    threads: int = 1,
    cpus: float | None = None,
    batch_size: int = 256,
    engine: Mapping[str, Any] | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Embeds `column` into the new column `output`.

    models: what vsr.Engine(models=...) takes, as every node finds it; engine: other arguments of vsr.Engine;
    options: those of vsr.arrow.embed(), such as dim.

    cpus: what a worker counts to Ray's scheduler; None: half its threads. Actors keep what they count as, and reading and
    writing need a whole CPU beside them, or the dataset waits for ever (a RuntimeWarning says so). Give `cpus=threads`
    on clusters that have CPUs left, to place one worker of a node's size on each node."""
    source = {"models": models, **(engine or {})}
    return _map(dataset, "embed", source, column, output, workers, threads, cpus, batch_size, options)


def classify(
    dataset: ray.data.Dataset,
    models: Models,
    column: str = "text",
    output: str = "classification",
    *,
    workers: int = 1,
    threads: int = 1,
    cpus: float | None = None,
    batch_size: int = 256,
    engine: Mapping[str, Any] | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Classifies `column` into the new column `output`, a struct as vsr.arrow.classify() makes. Arguments as embed()."""
    source = {"models": models, **(engine or {})}
    return _map(dataset, "classify", source, column, output, workers, threads, cpus, batch_size, options)


def compress(
    dataset: ray.data.Dataset,
    max_tokens: int,
    column: str = "text",
    output: str = "compressed",
    *,
    workers: int = 1,
    cpus: float | None = None,
    batch_size: int = 256,
    language: str | None = None,
    tokenizer: PathLike | None = None,
) -> ray.data.Dataset:
    """Compresses `column` into the new column `output`, a struct as vsr.arrow.compress() makes.

    tokenizer: a path that vsr.load_tokenizer() takes; None: tokens are estimated. A worker uses one thread."""
    options = {"max_tokens": max_tokens, "language": language, "tokenizer": tokenizer}
    return _map(dataset, "compress", None, column, output, workers, 1, cpus, batch_size, options)


def write_parquet(dataset: ray.data.Dataset, path: PathLike, id_column: str, **options: Any) -> int:
    """Computes the dataset into Parquet files in the folder `path`, and returns how many rows that folder now holds.

    `id_column` is a column of the input with another value in every row. Which rows are written is kept in the folder
    `path`.checkpoint by Ray Data (two-phase: rows of a file that was cut off are computed again, and its rest removed);
    a later call for the same path skips them, reads what is missing, and removes that folder when all is written. All
    of the input's ids that were written are held in memory meanwhile. The dataset is to begin with a reader, such as
    ray.data.read_parquet(). A later call needs one CPU more than the
    first, for Ray's filter. `options` are those of Dataset.write_parquet()."""
    import pyarrow.dataset

    target = os.fspath(path)
    _refuse_what_cannot_be_resumed(dataset._logical_plan.dag)
    context = dataset.context
    if context.checkpoint_config is not None:
        raise InvalidArgumentError("dataset has a checkpoint_config already")
    context.checkpoint_config = CheckpointConfig(id_column, target.rstrip("/") + ".checkpoint")
    try:
        dataset.write_parquet(target, mode="append", **options)
    finally:
        context.checkpoint_config = None
    return pyarrow.dataset.dataset(target, format="parquet").count_rows()


def _refuse_what_cannot_be_resumed(step: Any) -> None:
    """Ray filters what is written already where files are read, and writes every row again of anything else."""
    for before in step.input_dependencies:
        _refuse_what_cannot_be_resumed(before)
    if not step.input_dependencies and type(step).__name__ not in ("ListFiles", "Read", "ReadFiles"):
        raise InvalidArgumentError(
            f"dataset begins with {type(step).__name__}, which Ray cannot resume (hint: ray.data.read_parquet(), or "
            "Dataset.write_parquet() without resuming)"
        )


def _warn_of_no_room(workers: int, cpus: float) -> None:
    if not ray.is_initialized():
        return
    there = ray.cluster_resources().get("CPU", 0)
    if there - workers * cpus < 1:
        warnings.warn(
            f"{workers} workers of {cpus:g} CPUs leave less than one of the cluster's {there:g} CPUs: reading waits until the "
            "cluster grows (hint: fewer workers, or a smaller cpus=)",
            RuntimeWarning,
            stacklevel=4,
        )


def _map(
    dataset: ray.data.Dataset,
    work: str,
    source: Mapping[str, Any] | None,
    column: str,
    output: str,
    workers: int,
    threads: int,
    cpus: float | None,
    batch_size: int,
    options: Mapping[str, Any],
) -> ray.data.Dataset:
    for name, value in (("workers", workers), ("threads", threads), ("batch_size", batch_size)):
        if not isinstance(value, int) or value < 1:
            raise InvalidArgumentError(f"{name} is {value!r}, expected a number of at least 1")
    cpus = threads / 2 if cpus is None else cpus
    _warn_of_no_room(workers, cpus)
    if source is not None:
        source = {"threads": threads, **source}
    return dataset.map_batches(
        _Worker,
        fn_constructor_args=(work, source, column, output, dict(options)),
        batch_format="pyarrow",
        batch_size=batch_size,
        zero_copy_batch=True,
        num_cpus=cpus,
        compute=ray.data.ActorPoolStrategy(size=workers),
    )
