"""Measures on texts the training never saw."""

import collections

import numpy as np


def ratio(part, whole):
    return round(part / whole, 4) if whole else None


def precision_recall(right, found, true):
    precision, recall = right / found if found else 0.0, right / true if true else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4), "count": int(true)}


def calibration_error(probs, targets, bins=10):
    """The mean distance between score and accuracy, over bins of equal width."""
    best, scores = probs.argmax(1), probs.max(1)
    which = np.minimum((scores * bins).astype(int), bins - 1)
    gaps = [abs((best == targets)[which == b].mean() - scores[which == b].mean()) * (which == b).sum()
            for b in range(bins) if (which == b).any()]  # fmt: skip
    return round(float(sum(gaps) / len(targets)), 4)


def sequence_metrics(probs, targets, labels, sources):
    best = probs.argmax(1)
    per_label = {
        label: precision_recall(((best == i) & (targets == i)).sum(), (best == i).sum(), (targets == i).sum())
        for i, label in enumerate(labels)
    }
    per_source = {
        source: {"accuracy": ratio(int((best == targets)[rows].sum()), int(rows.sum())), "count": int(rows.sum())}
        for source in sorted(set(sources))
        for rows in [np.array([s == source for s in sources])]
    }
    present = [metrics["f1"] for metrics in per_label.values() if metrics["count"]]
    return {
        "accuracy": ratio(int((best == targets).sum()), len(targets)),
        "macro_f1": round(float(np.mean(present)), 4),
        "calibration_error": calibration_error(probs, targets),
        "count": len(targets),
        "labels": per_label,
        "sources": per_source,
    }


def alarm_metrics(scores, is_unsafe, sources, threshold):
    """Of a safety task: how many attacks are found, and how many safe texts give a false alarm, by source."""
    alarm = scores >= threshold
    result = {"threshold": round(float(threshold), 4), "sources": {}}
    for name, wanted in (("recall", True), ("false_alarms", False)):
        rows = is_unsafe == wanted
        result[name] = {"rate": ratio(int(alarm[rows].sum()), int(rows.sum())), "alarms": int(alarm[rows].sum()),
                        "count": int(rows.sum())}  # fmt: skip
        for source in sorted(set(sources)):
            own = rows & np.array([s == source for s in sources])
            if own.any():
                key = f"{source}: {'attacks found' if wanted else 'false alarms'}"
                result["sources"][key] = {"alarms": int(alarm[own].sum()), "count": int(own.sum())}
    return result


def entity_metrics(found, true, thresholds=None):
    """Strict: an entity counts when start, end and type are right."""
    counts = collections.defaultdict(lambda: [0, 0, 0])
    for made, wanted in zip(found, true):
        kept = {(s["start"], s["end"], s["label"]) for s in made if s["score"] >= (thresholds or {}).get(s["label"], 0)}
        for _, _, label in kept & set(wanted):
            counts[label][0] += 1
        for _, _, label in kept:
            counts[label][1] += 1
        for _, _, label in wanted:
            counts[label][2] += 1
    total = np.sum(list(counts.values()), axis=0) if counts else (0, 0, 0)
    return {**precision_recall(*total), "texts": len(true),
            "labels": {label: precision_recall(*counts[label]) for label in sorted(counts)}}  # fmt: skip
