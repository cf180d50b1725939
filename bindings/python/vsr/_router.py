"""The router: from chat requests to the models that should answer them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from . import _html, _vsr
from ._engine import Engine
from ._guard import AnswerPolicy, Facts, Guard, _answer_policy
from ._info import Info
from ._options import PathLike, Text, Texts, name_list, string_map
from ._vsr import Cancel

_OUTCOMES = ("none", "forward", "respond", "cached", "passthrough")
_LEVELS = {1: "info", 2: "warning", 3: "error"}


class Signal(NamedTuple):
    """What a signal said of a request."""

    matched: bool
    confidence: float
    value: float
    """What was measured, in the signal's own unit: a similarity, a count, tokens."""
    milliseconds: float
    detail: str


class Header(NamedTuple):
    """A change of the request's headers."""

    name: str
    value: str | None
    """None: remove the header."""


class Decision:
    """Where a request goes: `name` of the decision (None: none matched), `model`, the rewritten `request`.

    outcome: "forward" sends `request` to `model`; "respond" and "cached" answer with `response`; "passthrough" sends
    the request as it is, because it names its model. `signals` are those that were evaluated, by "type:name".
    """

    def __init__(self, handle: _vsr.Decision) -> None:
        self._handle = handle
        fields = handle.read()
        self.outcome: str = _OUTCOMES[fields["outcome"]]
        self.name: str | None = fields["name"]
        self.confidence: float = fields["confidence"]
        self.model: str | None = fields["model"]
        self.lora: str | None = fields["lora"]
        self.reasoning: bool = fields["reasoning"]
        self.effort: str | None = fields["effort"]
        self.body: bytes = fields["body"]
        """The rewritten request as bytes, what was not changed as it came; empty after decide()."""
        self.response: bytes = fields["response"]
        self.held_back: bytes = fields["held_back"]
        """The cached answer that was not given, because too little is known of such matches (`max_error_rate`)."""
        self.signals: dict[str, Signal] = {name: Signal(*values) for name, *values in fields["signals"]}
        self.headers: list[Header] = [Header(*values) for values in fields["headers"]]
        self.plan: dict | None = json.loads(fields["plan"]) if fields["plan"] else None
        """What the gateway does besides one call to `model`: algorithm, candidates, steps, parameters, gateway; None:
        nothing. See docs/routing.md, "Plans"."""
        self.answer: AnswerPolicy | None = _answer_policy(fields["answer"])
        """What is asked of the model's answer, by the plugins hallucination and response_jailbreak; None: nothing.
        Router.guard() does it."""
        self._explanation: str = fields["explanation"]

    @property
    def request(self) -> dict | None:
        """The rewritten request; None after decide()."""
        return json.loads(self.body) if self.body else None

    @property
    def explanation(self) -> Info | None:
        """Why, by attribute or key; None unless route() was asked to explain."""
        return Info(json.loads(self._explanation)) if self._explanation else None

    def __repr__(self) -> str:
        lora = f", lora={self.lora!r}" if self.lora else ""
        effort = f", effort={self.effort!r}" if self.effort else ""
        return (
            f"Decision({self.name!r}, model={self.model!r}{lora}, confidence={self.confidence:.3f}, "
            f"reasoning={self.reasoning}{effort}, outcome={self.outcome!r})"
        )

    def _repr_html_(self) -> str:
        rows = [
            (name, "yes" if s.matched else "no", f"{s.confidence:.3f}", f"{s.milliseconds:.2f} ms", s.detail)
            for name, s in self.signals.items()
        ]
        title = f"<p>{_html.escape(repr(self))}</p>"
        return title + _html.table(("signal", "matched", "confidence", "time", ""), rows)


def _handle_of(decision: Decision) -> _vsr.Decision:
    if isinstance(decision, Decision):
        return decision._handle
    raise TypeError(f"decision is {type(decision).__name__}, expected a vsr.Decision")


class Router:
    """Decisions of a config file (docs/routing.md), ready to route. Threads may share one.

    lenient: skip what the file uses and vsr does not run, and list it in `.info.skipped`; else that is an
    UnsupportedError. engine: answers signals that need a model; None: the models of the file's `vsr:` section, loaded
    when a signal first needs one. log: called with a level ("info", "warning", "error") and a line. validate_models:
    load the models, adapters and cache now, and ask each signal that a rule needs about a short text.

    What can be known without loading a model is checked always: a task that a rule needs and no model has is a
    NotFoundError with the place of the rule. `.info.warnings` lists what is no error.
    """

    def __init__(
        self,
        path: PathLike,
        lenient: bool = False,
        *,
        engine: Engine | None = None,
        log: Callable[[str, str], object] | None = None,
        validate_models: bool = False,
    ) -> None:
        if log is not None and not callable(log):
            raise TypeError(f"log is {type(log).__name__}, expected None or what takes (level, line)")
        write = None if log is None else lambda level, message: log(_LEVELS[level], message)
        options = {
            "lenient": lenient,
            "own_models": engine is None,
            "validate_models": validate_models,
            "engine": None if engine is None else engine._handle,
            "log": write,
        }
        self._handle = _vsr.open_router(path, options)

    def route(
        self,
        request: Mapping | Text,
        user: str | None = None,
        explain: bool = False,
        *,
        groups: Iterable[str] = (),
        headers: Mapping[str, str] | None = None,
        metadata: Mapping[str, str] | None = None,
        tenant: str | None = None,
        evaluate_all: bool = False,
        deadline_ms: int | None = None,
        cancel: Cancel | None = None,
    ) -> Decision:
        """Decides where a request goes, and rewrites it.

        request: an OpenAI chat request as a dict or JSON, or plain text, which is one user message. A request that
        names a model of its own instead of "auto" passes through, unless the config's vsr.passthrough checks or refuses
        it. user and groups: who asks, for role bindings.
        tenant: tenants never share cached answers. explain: fill `.explanation`. evaluate_all: also evaluate signals
        that cannot change the outcome. deadline_ms: milliseconds until the call ends with a DeadlineError;
        cancel: it ends with a CancelledError once triggered.
        """
        if isinstance(request, Mapping):
            request = json.dumps(request, ensure_ascii=False).encode("utf-8", "surrogatepass")
        options = {
            "user": user,
            "tenant": tenant,
            "groups": name_list(groups, "groups"),
            "headers": string_map(headers, "headers"),
            "metadata": string_map(metadata, "metadata"),
            "explain": explain,
            "evaluate_all": evaluate_all,
            "deadline_ms": deadline_ms,
            "cancel": cancel,
        }
        return Decision(self._handle.route(request, options))

    def reload(self) -> None:
        """Reads the file again and routes by it from then on; calls in flight end by the file they began with. A broken
        file raises, and the router goes on as before. Models that did not change are not loaded again; the cache and
        what was counted stay where they mean the same."""
        self._handle.reload()

    def decide(self, signals: Mapping[str, float]) -> Decision:
        """The decision engine alone: what follows from confidences of signals, by "type:name"; absent: no match."""
        return Decision(self._handle.decide(dict(signals)))

    def facts(self, texts: Texts, nli: str | None = None, tokens: str | None = None) -> Facts:
        """Facts over the models that answer the router's signals."""
        return Facts._of(self._handle.facts(texts, nli, tokens))

    def guard(self, decision: Decision, facts: Facts | None = None) -> Guard:
        """The guard of the answer to a routed request, as `decision.answer` asks for: against `facts`, or the request's
        own tool results. Where there are none, claims are not held against anything."""
        policy = decision.answer.guard["policy"] if _handle_of(decision) and decision.answer else "observe"
        handle = self._handle.guard(decision._handle, None if facts is None else facts._handle)
        return Guard._of(handle, policy)

    def store(self, decision: Decision, response: Text) -> None:
        """Keeps the model's answer to a routed request in the response cache, if the config has one. An answer that is
        empty, cut off or an error is not kept."""
        self._handle.store(_handle_of(decision), response)

    def feedback(self, decision: Decision, right: bool) -> None:
        """Says whether a cached answer was right, or `decision.held_back` would have been; a wrong one is removed, or
        asks for nearer questions."""
        self._handle.feedback(_handle_of(decision), right)

    def measure(
        self, model: str, ttft_ms: float | None = None, tpot_ms: float | None = None, in_flight: int | None = None
    ) -> None:
        """Says what was measured of a model: milliseconds to the first token of an answer and for each token after
        it, and how many requests it has now. The algorithms latency_aware and multi_factor choose by it."""
        self._handle.measure(model, ttft_ms, tpot_ms, in_flight)

    def replay(self) -> dict:
        """What was decided about the last requests of decisions with the plugin router_replay: records, dropped."""
        return json.loads(self._handle.replay())

    def metrics(self) -> str:
        """Counters and latency histograms as OpenMetrics text."""
        return self._handle.metrics()

    @property
    def info(self) -> Info:
        """path, strategy, decisions, signals, models, default_model, warnings, skipped, for_gateway, replaced, cache."""
        return Info(json.loads(self._handle.describe()))

    @staticmethod
    def schema() -> dict:
        """The JSON Schema of config files, for editors."""
        return json.loads(_vsr.router_schema())

    def __repr__(self) -> str:
        info = self.info
        return f"Router({info.path!r}, {len(info.decisions)} decisions, {len(info.signals)} signals)"
