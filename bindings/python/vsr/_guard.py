"""The stream guard: answers checked against pinned facts while they pass."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from . import _vsr
from ._engine import Engine
from ._errors import InvalidArgumentError
from ._info import Info

_POLICIES = ("observe", "annotate", "warn", "replace", "terminate")
_FORMATS = ("auto", "sse", "text", "json")
_OVERLOADS = ("open", "closed")
_FIELDS = ("text", "refusal", "reasoning", "tool")


def _index(value: str, names: tuple[str, ...], argument: str) -> int:
    if value not in names:
        raise InvalidArgumentError(f"{argument} is {value!r}, expected one of {', '.join(names)}")
    return names.index(value)


def _options(
    question: str | None = None,
    policy: str = "observe",
    format: str = "auto",
    hold: bool = False,
    on_overload: str = "open",
    grounding: bool = True,
    pii: bool = False,
    pii_task: str | None = None,
    jailbreak_task: str | None = None,
    threshold: float = 0.0,
    safety_threshold: float = 0.5,
    marker: str = " [unverified]",
    replacement: str = "[removed: not supported by the facts]",
    deadline_ms: int = 0,
    max_hold_ms: int = 10_000,
    safety_policy: str | None = None,
) -> dict:
    return {
        "question": question or "",
        "policy": _index(policy, _POLICIES, "policy"),
        "format": _index(format, _FORMATS, "format"),
        "hold": hold,
        "fail_closed": _index(on_overload, _OVERLOADS, "on_overload"),
        "grounding": grounding,
        "pii": pii,
        "pii_task": pii_task,
        "jailbreak_task": jailbreak_task,
        "threshold": threshold,
        "safety_threshold": safety_threshold,
        "marker": marker,
        "replacement": replacement,
        "deadline_ms": deadline_ms,
        "max_hold_ms": max_hold_ms,
        "own_safety_policy": int(safety_policy is not None),
        "safety_policy": _index(safety_policy or "observe", _POLICIES, "safety_policy"),
    }


@dataclass(frozen=True)
class GuardEvent:
    """Something wrong in an answer; positions are bytes of the answer's text, end exclusive."""

    start: int
    end: int
    text: str
    claim_start: int
    claim_end: int
    claim: str
    kind: str  # number date amount unit percent name identifier negation contradiction unsupported pii jailbreak
    score: float
    fact: int | None  # the fact that contradicts, or comes nearest
    milliseconds: float
    choice: int = 0  # the choice, content block or output item
    field: str = "text"  # text, refusal, reasoning or tool
    index: int = 0  # of the tool call or content part


@dataclass(frozen=True)
class GuardStep:
    """What came of one piece of an answer."""

    forward: bytes  # to send on
    events: list[GuardEvent]
    checked: int  # bytes of the answer's text judged so far; never goes back
    ended: bool  # nothing more will leave: cancel upstream
    overloaded: bool  # some of this piece went, or was stopped, unchecked


def _step(made: tuple) -> GuardStep:
    forward, checked, ended, overloaded, events = made
    read = [GuardEvent(*event[:11], _FIELDS[event[11]], event[12]) for event in events]
    return GuardStep(forward, read, checked, ended, overloaded)


@dataclass(frozen=True)
class AnswerPolicy:
    """What a decision asks of the answer. Actions are words of the config: "none", "header", "body", "block"; None: the
    decision does not have the plugin."""

    guard: dict  # keyword arguments for Guard
    nli: str | None  # for Router.facts()
    sources: list[str]  # the request's tool results
    hallucination_action: str | None
    unverified_action: str | None  # the gateway's, where there are no facts
    jailbreak_action: str | None
    include_details: bool


def _answer_policy(fields: dict | None) -> AnswerPolicy | None:
    if fields is None:
        return None
    guard = dict(fields["guard"])
    safety = guard["safety_policy"]
    guard["policy"] = _POLICIES[guard["policy"]]
    guard["on_overload"] = _OVERLOADS[guard.pop("fail_closed")]
    guard["safety_policy"] = None if safety is None else _POLICIES[safety]
    return AnswerPolicy(**{**fields, "guard": guard})


class Facts:
    """Facts that answers are held against, read once and shared by any number of guards.

    `model` has the tasks that are named: `nli` classifies pairs (fact, claim), `tokens` finds spans of answers. Without
    a model symbols alone decide.
    """

    def __init__(
        self,
        texts: str | bytes | Iterable[str | bytes],
        model: Engine | None = None,
        nli: str | None = None,
        tokens: str | None = None,
    ) -> None:
        if model is not None and not isinstance(model, Engine):
            raise TypeError(f"model is {type(model).__name__}, expected an Engine or None")
        self._handle = _vsr.create_facts(None if model is None else model._handle, texts, nli, tokens)

    @classmethod
    def _of(cls, handle: _vsr.Facts) -> Facts:
        facts = cls.__new__(cls)
        facts._handle = handle
        return facts

    def check(self, text: str | bytes, question: str | None = None, **options: object) -> list[GuardEvent]:
        """The events of a whole text; options as those of Guard."""
        return _step(self._handle.check(text, _options(question, **options))).events

    def __len__(self) -> int:
        return len(self._handle)

    def __repr__(self) -> str:
        return f"Facts({len(self)} facts)"


class Guard:
    """The guard of one answer: feed() takes its bytes as they arrive, finish() its end. One thread at a time.

    policy: "observe", "annotate", "warn", "replace", "terminate"; format: "auto", "sse", "text", "json"; hold: a claim
    leaves only when it is checked; on_overload "open": what cannot be checked passes, "closed": it ends the answer;
    safety_policy: of personal data and jailbreaks, where another than `policy` is meant.
    """

    def __init__(
        self,
        facts: Facts,
        policy: str = "observe",
        format: str = "auto",
        question: str | None = None,
        hold: bool = False,
        on_overload: str = "open",
        *,
        grounding: bool = True,
        pii: bool = False,
        pii_task: str | None = None,
        jailbreak_task: str | None = None,
        threshold: float = 0.0,
        safety_threshold: float = 0.5,
        marker: str = " [unverified]",
        replacement: str = "[removed: not supported by the facts]",
        deadline_ms: int = 0,
        max_hold_ms: int = 10_000,
        safety_policy: str | None = None,
    ) -> None:
        if not isinstance(facts, Facts):
            raise TypeError(f"facts is {type(facts).__name__}, expected vsr.Facts")
        options = _options(
            question,
            policy,
            format,
            hold,
            on_overload,
            grounding,
            pii,
            pii_task,
            jailbreak_task,
            threshold,
            safety_threshold,
            marker,
            replacement,
            deadline_ms,
            max_hold_ms,
            safety_policy,
        )
        self._handle = _vsr.create_guard(facts._handle, options)
        self._policy = policy

    @classmethod
    def _of(cls, handle: _vsr.Guard, policy: str) -> Guard:
        guard = cls.__new__(cls)
        guard._handle, guard._policy = handle, policy
        return guard

    def feed(self, data: bytes | str) -> GuardStep:
        """The next piece, of any size; an empty one has text go that was held for too long."""
        return _step(self._handle.feed(data))

    def finish(self) -> GuardStep:
        """The end of the answer: the rest is judged and leaves."""
        return _step(self._handle.finish())

    @property
    def info(self) -> Info:
        """claims, claims_by_symbols, checked, events, overloads, reason, ended and headers."""
        return Info(json.loads(self._handle.describe()))

    def __repr__(self) -> str:
        info = self.info
        return f"Guard({self._policy!r}, {info.claims} claims, {sum(info.events.values())} events)"
