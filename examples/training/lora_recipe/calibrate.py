"""The temperature that makes scores honest, and thresholds; both from texts neither trained on nor held out."""

import numpy as np

from .encode import IGNORED
from .score import softmax

TEMPERATURES = np.exp(np.linspace(np.log(0.2), np.log(5), 161))
LEAST_TARGETS = 30  # fewer say nothing about a temperature
LEAST_ROWS = 5  # a threshold from fewer right answers than this is none


def temperature_of(logits, targets) -> float:
    """Minimises the negative log likelihood; all temperatures leave the order of labels as it is."""
    logits, targets = np.asarray(logits), np.asarray(targets)
    if len(targets) < LEAST_TARGETS:
        return 1.0
    rows = np.arange(len(targets))

    def loss(temperature):
        return -np.log(np.maximum(softmax(logits / temperature)[rows, targets], 1e-12)).mean()

    return float(min(TEMPERATURES, key=loss))


def rows_with_targets(windows, logits):
    """All windows' rows, or all tokens' of a token task, with their label ids."""
    if not isinstance(windows[0].target, list):
        return np.stack(logits), np.array([window.target for window in windows])
    targets = np.concatenate([window.target for window in windows])
    return np.concatenate(logits)[targets != IGNORED], targets[targets != IGNORED]


def precise_threshold(scores, right, precision):
    """The least score from which on answers are right so often, or None."""
    order = np.argsort(-scores, kind="stable")
    share = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    good = np.nonzero((share >= precision) & (np.cumsum(right[order]) >= LEAST_ROWS))[0]
    return float(scores[order][good[-1]]) if len(good) else None


def threshold_entry(scores, right, true, precision):
    """What thresholds.json says of a label; with a null threshold no score was precise enough."""
    threshold = precise_threshold(scores, right, precision) if len(scores) else None
    entry = {"threshold": None if threshold is None else round_down(threshold), "count": int(true)}
    if threshold is not None:
        kept = right[scores >= threshold]
        entry |= {"precision": round(float(kept.mean()), 4), "recall": round(float(kept.sum() / max(1, true)), 4)}
    return entry


def round_down(value, digits=4):
    return float(np.floor(value * 10**digits) / 10**digits)


def sequence_thresholds(probs, targets, labels, precision):
    best, scores = probs.argmax(1), probs.max(1)
    return {
        label: threshold_entry(scores[best == i], (targets == i)[best == i], (targets == i).sum(), precision)
        for i, label in enumerate(labels)
    }


def alarm_threshold(scores, is_unsafe, max_false_alarms):
    """Half way between the highest safe score that must not alarm and certainty, but never below one half.

    Calibration texts are too few to see the rarest false alarm, hence the margin.
    """
    safe = np.sort(scores[~is_unsafe])[::-1]
    allowed = int(max_false_alarms * len(safe))
    highest = float(safe[allowed]) if allowed < len(safe) else 0.0
    return round(max(0.5, highest + 0.5 * (1 - highest)) if highest >= 0.5 else 0.5, 4)


def entity_thresholds(found, true, precision):
    labels = sorted({label for wanted in true for _, _, label in wanted})
    result = {}
    for label in labels:
        pairs = [(s["score"], (s["start"], s["end"], label) in set(wanted))
                 for made, wanted in zip(found, true) for s in made if s["label"] == label]  # fmt: skip
        scores, right = (np.array(column) for column in zip(*pairs)) if pairs else (np.array([]), np.array([]))
        count = sum(name == label for wanted in true for _, _, name in wanted)
        result[label] = threshold_entry(scores, right, count, precision)
    return result
