"""The window and entity rules of include/vsr/infer.h in plain Python and numpy: the reference for long texts.

`encode` stands for one forward pass; everything here is arithmetic around it, written as the rule reads.
"""

import numpy as np


def window_ranges(content, capacity):
    """Half-open ranges of content tokens: they start at 0, s, 2s, ... and the last is the first that reaches the end."""
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


def split_label(label):
    """A tag's place and type: ("B", "person"), or ("", "person") for a plain label."""
    if len(label) > 2 and label[1] == "-" and label[0] in "BIESLU":
        return label[0], label[2:]
    return "", label


def entities(probs, labels, sides, offsets, threshold):
    """Spans of joined tokens whose mean score reaches the threshold."""
    found, run = [], None

    def close():
        nonlocal run
        if run is not None:
            score = float(np.mean(run["scores"]))
            if score >= threshold:
                found.append({"label": run["label"], "start": run["start"], "end": run["end"], "score": score})
        run = None

    for row, side, (start, end) in zip(probs, sides, offsets):
        if side < 0:
            continue
        best = int(np.argmax(row))
        if labels[best] == "O":
            close()
            continue
        place, kind = split_label(labels[best])
        continues = run is not None and run["label"] == kind and place in ("", "I", "E", "L")
        if not continues:
            close()
            run = {"label": kind, "start": start, "end": end, "scores": []}
        run["scores"].append(row[best])
        run["end"] = end
        if place in ("E", "L", "S", "U"):
            close()
    close()
    return found


def unite(spans):
    """The union of the windows' spans: overlapping ones of one label become one, with the higher score."""
    united = []
    for span in sorted(spans, key=lambda s: (s["label"], s["start"], s["end"])):
        last = united[-1] if united else None
        if last and last["label"] == span["label"] and span["start"] < last["end"]:
            last["end"] = max(last["end"], span["end"])
            last["score"] = max(last["score"], span["score"])
        else:
            united.append(dict(span))
    return sorted(united, key=lambda s: (s["start"], s["end"]))


def entities_of_windows(rows_by_window, ranges, labels, offsets, threshold):
    """What each window finds by itself, united; the threshold applies to the outcome. `offsets`: of the text's tokens."""
    spans = []
    for rows, (start, end) in zip(rows_by_window, ranges):
        content = rows[1 : 1 + end - start]
        spans += entities(content, labels, [0] * (end - start), offsets[start:end], 0)
    return [span for span in unite(spans) if span["score"] >= threshold]
