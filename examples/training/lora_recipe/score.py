"""The plain forward pass of a headed model over windows, and what the windows of one text say together."""

import numpy as np
import torch

from .encode import batches
from .trunk import padded


def inputs_of(windows):
    ids = [window.ids for window in windows]
    return {
        "input_ids": padded(ids),
        "token_type_ids": padded([window.type_ids for window in windows]),
        "attention_mask": padded([[1] * len(row) for row in ids]),
    }


def window_logits(model, windows, size=16) -> list[np.ndarray]:
    """Per window [labels], or [tokens, labels] of a token task; in float32, by the model's own forward."""
    result = [None] * len(windows)
    with torch.inference_mode():
        for numbers in batches(windows, size):
            logits = model(**inputs_of([windows[n] for n in numbers])).logits
            for n, row in zip(numbers, logits):
                result[n] = (row[: len(windows[n].ids)] if row.dim() == 2 else row).numpy().astype(np.float64)
    return result


def softmax(logits):
    exps = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


def merged_probs(windows, logits, examples, unsafe=None):
    """[examples, labels]: the mean of a text's windows, or with `unsafe` the window where that label is largest."""
    rows = [[] for _ in range(examples)]
    for window, values in zip(windows, logits):
        rows[window.example].append(softmax(values))
    if unsafe is None:
        return np.stack([np.mean(r, axis=0) for r in rows])
    return np.stack([max(r, key=lambda p: p[unsafe]) for r in rows])


def spans_of(probs, labels, offsets):
    """Neighbouring tokens of one type, each by its best label; a beginning never goes on. The score is the mean."""
    spans, run = [], None
    for row, (start, end) in zip(probs, offsets):
        best = int(row.argmax())
        if start == end or labels[best] == "O":
            run = None
            continue
        place, label = labels[best][0], labels[best][2:]
        if run is None or run["label"] != label or place == "B":
            run = {"label": label, "start": start, "scores": []}
            spans.append(run)
        run["end"] = end
        run["scores"].append(float(row[best]))
    return [dict(label=s["label"], start=s["start"], end=s["end"], score=float(np.mean(s["scores"]))) for s in spans]


def entities(windows, logits, labels, examples):
    """The entities of each text; of overlapping windows the union."""
    found = [[] for _ in range(examples)]
    for window, values in zip(windows, logits):
        found[window.example] += spans_of(softmax(values), labels, window.offsets)
    return [united(spans) for spans in found]


def united(spans):
    result = []
    for span in sorted(spans, key=lambda s: (s["label"], s["start"], s["end"])):
        last = result[-1] if result else None
        if last and last["label"] == span["label"] and span["start"] < last["end"]:
            last["end"], last["score"] = max(last["end"], span["end"]), max(last["score"], span["score"])
        else:
            result.append(span)
    return sorted(result, key=lambda s: (s["start"], s["end"], s["label"]))
