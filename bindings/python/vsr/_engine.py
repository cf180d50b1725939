"""Engines and models: what is loaded, and the calls on it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import numpy as np

from . import _vsr
from ._generate import Generation, OnToken, Verdict
from ._info import Info
from ._multi import TaskResults, classifications
from ._options import (
    Adapters,
    Models,
    Pairs,
    PathLike,
    Text,
    Texts,
    embed_options,
    engine_options,
    text_list,
    wanted_mask,
)
from ._progress import Progress, Report
from ._results import Classifications, Entities, EntityLists, Neighbour
from ._select import Selected, Selection
from ._tokenizer import Encoding, Tokenizer
from ._vsr import Cancel


class Engine:
    """Loaded models and the tasks that they answer.

    `config` is a YAML file with a `vsr:` section; `models` is a path, a list of paths, or a dict from names to paths.
    `adapters` is a dict from names to folders of LoRA adapters, or to (folder, name of the model) where there are several
    models. `threads` is for computing, shared by all engines: the first engine of the process decides; 0 is one per core.
    `max_queued_calls` (0: 4,096) and `max_queued_tokens` (0: 8,388,608) bound what waits: more is a LimitError.
    """

    def __init__(
        self,
        config: Models | None = None,
        models: Models | None = None,
        *,
        dtype: str | None = None,
        device: str | None = None,
        adapters: Adapters | None = None,
        threads: int = 0,
        max_queued_calls: int = 0,
        max_queued_tokens: int = 0,
    ) -> None:
        limits = threads, max_queued_calls, max_queued_tokens
        self._handle = _vsr.open_engine(*engine_options(config, models, dtype, device, adapters, *limits))

    @classmethod
    def _of(cls, handle: _vsr.Engine) -> Engine:
        engine = cls.__new__(cls)
        engine._handle = handle
        return engine

    @property
    def info(self) -> Info:
        """Models and tasks, by attribute or key: engine.info.models[0].hidden_size."""
        return Info(json.loads(self._handle.describe()))

    @property
    def tasks(self) -> list[str]:
        return [task["name"] for task in self.info["tasks"]]

    def tokenize(self, text: Text, pair: Text | None = None, *, model: str | None = None) -> Encoding:
        """Encodes a text, or a pair, as the model reads it; `.windows` says in how many windows."""
        return Encoding(_vsr.tokenize(self._handle, text, pair, model), text, pair)

    def tokenizer(self, model: str | None = None) -> Tokenizer:
        """The tokenizer of one of the models; it may outlive the engine."""
        return Tokenizer(_vsr.engine_tokenizer(self._handle, model))

    def embed(
        self,
        texts: Texts,
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
    ) -> np.ndarray:
        """Embeds each text: float32 [texts, dimensions], a view of the library's own memory.

        dim: keep the first values of each vector; layer: stop after that many blocks; prompt: a name from the
        checkpoint's prompts; instruction: free text instead; normalize=False leaves vectors as the model's modules make
        them. A text beyond the model's limit is read in windows, or is a LimitError beyond `max_tokens`.

        deadline_ms: milliseconds until the call ends with a DeadlineError; cancel: it ends with a
        CancelledError once another thread triggers that Cancel. Other calls with these options do the same.
        """
        with Progress(progress, "embed") as report:
            options = embed_options(
                dim, layer, prompt, instruction, normalize, task, max_tokens, report, deadline_ms, cancel
            )
            return np.asarray(_vsr.embed(self._handle, texts, options))

    def select_model(
        self,
        texts: Texts,
        dim: int | None = None,
        layer: int | None = None,
        prompt: str | None = None,
        instruction: str | None = None,
        *,
        quality_priority: float = 0.0,
        latency_priority: float = 0.0,
        language: str | None = None,
    ) -> Selection:
        """Says which model embed_select() would choose for these texts, and why.

        Priorities are between 0 and 1, and only their proportion counts; `language` is that of the texts ("de",
        "pt-BR"). Languages, quality and Matryoshka dimensions of models are set in the config file.
        """
        options = embed_options(dim, layer, prompt, instruction, True, None, None, None)
        return Selection(*_vsr.select_model(self._handle, texts, quality_priority, latency_priority, language, options))

    def embed_select(
        self,
        texts: Texts,
        dim: int | None = None,
        layer: int | None = None,
        prompt: str | None = None,
        instruction: str | None = None,
        normalize: bool = True,
        *,
        quality_priority: float = 0.0,
        latency_priority: float = 0.0,
        language: str | None = None,
        max_tokens: int | None = None,
        progress: bool | Report = False,
        deadline_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> Selected:
        """Chooses one model for all texts, as select_model() does, and embeds with it: .vectors and .selection."""
        with Progress(progress, "embed") as report:
            options = embed_options(
                dim, layer, prompt, instruction, normalize, None, max_tokens, report, deadline_ms, cancel
            )
            result, fields = _vsr.embed_select(
                self._handle, texts, quality_priority, latency_priority, language, options
            )
        return Selected(np.asarray(result), Selection(*fields))

    def classify(
        self,
        texts: Pairs,
        task: str | None = None,
        *,
        max_tokens: int | None = None,
        progress: bool | Report = False,
        deadline_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> Classifications:
        """Classifies each text, or each (text, pair), with a sequence-classification head."""
        with Progress(progress, "classify") as report:
            options = {"task": task, "threshold": None, "max_tokens": max_tokens, "progress": report}
            options |= {"deadline_ms": deadline_ms, "cancel": cancel}
            result = _vsr.classify(self._handle, texts, options)
        return classifications(result)

    def classify_all(
        self,
        texts: Pairs,
        tasks: str | Iterable[str] | None = None,
        *,
        path: str = "auto",
        threshold: float | None = None,
        wanted: Sequence[Sequence[bool]] | np.ndarray | None = None,
        max_tokens: int | None = None,
        progress: bool | Report = False,
        deadline_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> TaskResults:
        """Runs many tasks on the same texts, or pairs of them: one pass of each base model.

        tasks: names of any kind; None: every classification task. path: for a task that has both, "standard" is its own
        model and "lora" its adapter; "auto" is the adapter where its base runs anyway, else the model. threshold: least
        score of an entity; None: each task's own, or 0.5. wanted: which text each task reads, [texts, tasks].
        A task that fails raises its error where its answer is asked for, and leaves the others alone.
        """
        texts = text_list(texts)
        if tasks is not None:
            tasks = [tasks] if isinstance(tasks, str) else list(tasks)
        with Progress(progress, "classify_all") as report:
            options = {
                "path": path,
                "threshold": threshold,
                "wanted": wanted_mask(wanted, len(texts), tasks),
                "max_tokens": max_tokens,
                "progress": report,
                "deadline_ms": deadline_ms,
                "cancel": cancel,
            }
            outcomes, passes = _vsr.classify_all(self._handle, texts, tasks, options)
        return TaskResults(texts, outcomes, [Info(report) for report in passes])

    def load_adapter(self, name: str, path: PathLike, model: str | None = None, replace: bool = False) -> None:
        """Loads a LoRA adapter, which answers a task of its name; calls in flight end without it.

        `model` is the one that it adapts, where there are several. With `replace` it takes the place of the adapter of
        that name, if there is one.
        """
        _vsr.load_adapter(self._handle, name, path, model, replace)

    def unload_adapter(self, name: str) -> None:
        """Takes an adapter and its task away; calls in flight that use it end with it."""
        _vsr.unload_adapter(self._handle, name)

    def merge_adapter(self, path: PathLike, output: PathLike, model: str | None = None) -> None:
        """Writes the adapter in folder `path` and its base as one standard checkpoint, the new folder `output`."""
        _vsr.merge_adapter(self._handle, path, output, model)

    def token_probs(
        self,
        text: Text,
        task: str | None = None,
        *,
        pair: Text | None = None,
        max_tokens: int | None = None,
        deadline_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> np.ndarray:
        """Scores each token, special tokens included: float32 [tokens, labels]. With `pair`, those of both texts."""
        options = {
            "task": task,
            "threshold": None,
            "max_tokens": max_tokens,
            "progress": None,
            "deadline_ms": deadline_ms,
            "cancel": cancel,
        }
        return np.asarray(_vsr.token_probs(self._handle, text, pair, options))

    def entities(
        self,
        texts: Pairs,
        task: str | None = None,
        threshold: float | None = None,
        *,
        max_tokens: int | None = None,
        progress: bool | Report = False,
        deadline_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> EntityLists:
        """Finds the entities in each text, or of each (text, pair) in `pair`, which is read together with `text`.

        `threshold` is the least score of one; None: the task's own, or 0.5.
        """
        texts = text_list(texts)
        with Progress(progress, "entities") as report:
            options = {"task": task, "threshold": threshold, "max_tokens": max_tokens, "progress": report}
            options |= {"deadline_ms": deadline_ms, "cancel": cancel}
            found = _vsr.entities(self._handle, texts, options)
        labelled = (text if isinstance(text, (str, bytes)) else text[1] for text in texts)
        return EntityLists(Entities(text, *of_text) for text, of_text in zip(labelled, found))

    def similarity(
        self,
        a: Texts,
        b: Texts,
        *,
        dim: int | None = None,
        layer: int | None = None,
        task: str | None = None,
        progress: bool | Report = False,
    ) -> float | np.ndarray:
        """Cosine similarity of a[i] and b[i]: float32 [texts], or a float for two single texts."""
        one = isinstance(a, (str, bytes)) and isinstance(b, (str, bytes))
        a, b = _vsr.TextBatch(a, "a"), _vsr.TextBatch(b, "b")
        scores = np.empty(len(a), np.float32)
        with Progress(progress, "similarity") as report:
            options = embed_options(dim, layer, None, None, True, task, None, report)
            _vsr.similarity(self._handle, a, b, options, scores)
        return float(scores[0]) if one else scores

    def similarity_matrix(
        self,
        a: Texts,
        b: Texts | None = None,
        *,
        dim: int | None = None,
        layer: int | None = None,
        task: str | None = None,
        progress: bool | Report = False,
    ) -> np.ndarray:
        """Cosine similarity of every a[i] with every b[j] (None: a itself): float32 [len(a), len(b)]."""
        a = _vsr.TextBatch(a, "a")
        b = a if b is None else _vsr.TextBatch(b, "b")
        scores = np.empty((len(a), len(b)), np.float32)
        with Progress(progress, "similarity_matrix") as report:
            options = embed_options(dim, layer, None, None, True, task, None, report)
            _vsr.similarity_matrix(self._handle, a, b, options, scores)
        return scores

    def nearest(
        self,
        query: Text,
        candidates: Texts,
        k: int = 5,
        *,
        dim: int | None = None,
        layer: int | None = None,
        task: str | None = None,
        progress: bool | Report = False,
    ) -> list[Neighbour]:
        """The `k` candidates most similar to `query`, best first."""
        candidates = text_list(candidates)
        with Progress(progress, "nearest") as report:
            options = embed_options(dim, layer, None, None, True, task, None, report)
            found = _vsr.nearest(self._handle, query, _vsr.TextBatch(candidates, "candidates"), k, options)
        return [Neighbour(index, score, candidates[index]) for index, score in found]

    def generate(
        self,
        prompt: Text,
        max_new_tokens: int = 128,
        stop_at_eos: bool = True,
        *,
        temperature: float = 0.0,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int = 0,
        task: str | None = None,
        on_token: OnToken | None = None,
        deadline_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> Generation:
        """Generates text after `prompt`, which is read as it is, without special tokens of its own.

        temperature: 0 takes the most likely token, above 0 a token is drawn, from the `top_k` most likely ones (0: all)
        and those that together have the probability `top_p`; the same `seed` gives the same tokens. on_token is called
        with each new id and the text that it completes; True ends the call with CancelledError. The prompt and
        `max_new_tokens` must fit the model, or it is a LimitError. deadline_ms and cancel end the call as they end the
        others, also while the prompt is read.
        """
        options = {
            "task": task,
            "max_new_tokens": max_new_tokens,
            "stop_at_eos": stop_at_eos,
            "temperature": temperature,
            "top_k": top_k,
            "top_p": top_p,
            "seed": seed,
            "on_token": on_token,
            "deadline_ms": deadline_ms,
            "cancel": cancel,
        }
        return Generation(*_vsr.generate(self._handle, prompt, options))

    def moderate(
        self,
        prompt: Text,
        response: Text | None = None,
        *,
        task: str | None = None,
        max_new_tokens: int = 128,
        deadline_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> Verdict:
        """Judges a prompt, or the response to it, with a generative safety classifier such as Qwen3Guard-Gen.

        The texts are put into the checkpoint's own chat template. An answer that is no verdict has the severity
        "unparsed", never "safe". deadline_ms and cancel end the call as they end the others.
        """
        options = {"task": task, "max_new_tokens": max_new_tokens, "deadline_ms": deadline_ms, "cancel": cancel}
        return Verdict(**_vsr.moderate(self._handle, prompt, response, options))

    def close(self) -> None:
        """Gives up the models now instead of at garbage collection; running calls end first. Closing twice is fine."""
        self._handle.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle.closed:
            return f"{type(self).__name__}(closed)"
        info = self.info
        models = ", ".join(f"{m.name} ({m.architecture}, {m.layers} layers)" for m in info.models)
        return f"{type(self).__name__}(models: {models}; tasks: {', '.join(t.name for t in info.tasks)})"


class Model(Engine):
    """An engine of one model, made by load()."""

    def __init__(self) -> None:
        raise TypeError("a Model is made by vsr.load(path)")

    @property
    def info(self) -> Info:
        """The model, by attribute or key: architecture, layers, hidden_size, max_tokens, labels, bytes_in_memory,
        adapters."""
        whole = json.loads(self._handle.describe())
        model = Info(whole["models"][0])
        labels = [label for head in whole["models"][0]["heads"] for label in head.get("labels", [])]
        return Info({**model, "labels": labels, "adapters": whole["adapters"], "tasks": whole["tasks"]})

    def __repr__(self) -> str:
        if self._handle.closed:
            return "Model(closed)"
        info = self.info
        adapters = "".join(f", adapter {adapter.name}" for adapter in info.adapters)
        return (
            f"Model({info.name}: {info.architecture}, {info.layers} layers, hidden size {info.hidden_size}, "
            f"up to {info.max_tokens} tokens per window, {info.bytes_in_memory / 1e6:.1f} MB{adapters})"
        )

    def _repr_html_(self) -> str:
        from . import _html

        info = self.info
        rows = [(key, value) for key, value in info.items() if not isinstance(value, (list, dict))]
        rows += [("adapter", f"{a.name}: {a.kind}, {', '.join(a.labels)}") for a in info.adapters]
        return _html.table(("", info.name), rows)


def load(
    path: PathLike,
    dtype: str = "auto",
    device: str = "auto",
    adapters: Adapters | None = None,
    *,
    name: str | None = None,
) -> Model:
    """Loads the model in a folder: config.json, model.safetensors (or shards) and the tokenizer's files.

    `dtype` is that of the linear layers: "float32", "int8", "bfloat16" where the processor has it, or "auto" (float32).
    `device` is "cpu", "cuda", "cuda:N" for the GPU of that number, or "auto" (cpu).
    `adapters` is a dict from names to folders of LoRA adapters for it (see load_adapter()).
    """
    if adapters:
        return Model._of(_vsr.open_engine(*engine_options(None, {name: path}, dtype, device, adapters)))
    return Model._of(_vsr.load_model(path, name, dtype, device))
