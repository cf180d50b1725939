"""The window and entity rules of include/vsr/infer.h in plain Python and numpy: the reference for long texts.

`encode` is one forward pass; everything here is arithmetic around it, written as the rule reads.
"""

import numpy as np


def window_ranges(content, capacity):
    """Half-open ranges of content tokens: they start at 0, s, 2s, ...; the first that reaches the end is the last."""
    if content <= capacity:
        return [(0, content)]
    stride = max(1, capacity // 2)
    ranges, start = [], 0
    while True:
        ranges.append((start, min(start + capacity, content)))
        if start + capacity >= content:
            return ranges
        start += stride


def windows_of(sides, limit, specials):
    """The windows of a text (one side) or a pair (two): a list of lists of per-side token ranges."""
    lengths = [len(side) for side in sides]
    long_side = int(np.argmax(lengths))  # ties: the first side
    capacity = limit - specials - (sum(lengths) - lengths[long_side])
    result = []
    for window in window_ranges(lengths[long_side], capacity):
        result.append([window if side == long_side else (0, lengths[side]) for side in range(len(sides))])
    return result


def unit(vector):
    length = np.linalg.norm(vector)
    return vector / length if length > 0 else vector


def merge_vectors(vectors, content_tokens, normalize):
    """Mean weighted with each window's tokens of the text. One window stays as it is, also without any content."""
    if len(vectors) == 1:
        merged = vectors[0]
    else:
        merged = np.average(np.stack(vectors), axis=0, weights=content_tokens)
    return unit(merged) if normalize else merged


def merge_token_rows(rows_by_window, ranges, leading, trailing):
    """One row per token of the full encoding, from the window in which the token lies most centrally."""
    content = ranges[-1][1]
    rows = list(rows_by_window[0][:leading])
    for token in range(content):
        covering = [w for w, (start, end) in enumerate(ranges) if start <= token < end]
        # min keeps the first of equals: ties go to the earlier window.
        best = min(covering, key=lambda w: abs(2 * token - (ranges[w][0] + ranges[w][1] - 1)))
        rows.append(rows_by_window[best][leading + token - ranges[best][0]])
    rows.extend(rows_by_window[-1][len(rows_by_window[-1]) - trailing :])
    return np.stack(rows)


def split_label(label, labels):
    """A tag's place and type: ("B", "person"), or ("", "person") for a plain label."""
    place, dash, kind = label[:1], label[1:2], label[2:]
    is_tag = dash == "-" and kind and (place in "BI" or (place in "ESLU" and {"B-" + kind, "I-" + kind} & set(labels)))
    return (place, kind) if is_tag else ("", label)


def spans_of_window(probs, labels, sides, offsets):
    """Neighbouring tokens of one type, each by its best label.

    A beginning (B, S, U) never goes on, and nothing follows an end (E, L, S, U).
    """
    spans, run = [], None
    for row, side, (start, end) in zip(probs, sides, offsets):
        best = int(np.argmax(row))
        if side < 0 or labels[best] == "O":
            run = None
            continue
        place, kind = split_label(labels[best], labels)
        if run is None or run["label"] != kind or place in ("B", "S", "U"):
            run = {"label": kind, "start": start, "scores": []}
            spans.append(run)
        run["scores"].append(row[best])
        run["end"] = end
        if place in ("E", "L", "S", "U"):
            run = None
    return [dict(label=s["label"], start=s["start"], end=s["end"], score=float(np.mean(s["scores"]))) for s in spans]


def unite(spans, labels):
    """Of several windows: overlapping spans of one type become one, with the higher score. Types in the labels' order."""
    types = list(dict.fromkeys(split_label(label, labels)[1] for label in labels))
    united = []
    for span in sorted(spans, key=lambda s: (s["label"], s["start"], s["end"])):
        last = united[-1] if united else None
        if last and last["label"] == span["label"] and span["start"] < last["end"]:
            last["end"] = max(last["end"], span["end"])
            last["score"] = max(last["score"], span["score"])
        else:
            united.append(dict(span))
    return sorted(united, key=lambda s: (s["start"], s["end"], types.index(s["label"])))
