"""The windows of long texts, as vsr makes them: half a window of stride, of a pair only the longer side."""


def window_ranges(content, capacity):
    """Half-open ranges of content tokens; the first that reaches the end is the last."""
    if content <= capacity:
        return [(0, content)]
    stride = max(1, capacity // 2)
    starts = range(0, content - capacity + stride, stride)
    return [(start, min(start + capacity, content)) for start in starts]


def windows_of(sides, limit, specials):
    """For each window the token range of each side. Ties: the first side is windowed."""
    lengths = [len(side) for side in sides]
    longest = max(range(len(sides)), key=lambda side: lengths[side])
    capacity = limit - specials - (sum(lengths) - lengths[longest])
    if capacity < 1:
        raise ValueError("the shorter side of a pair leaves no room for the longer one")
    return [
        [window if side == longest else (0, lengths[side]) for side in range(len(sides))]
        for window in window_ranges(lengths[longest], capacity)
    ]


def spread(windows, most, target=None):
    """At most `most` windows of each text: the first, the last and evenly spaced ones between; all if `most` is 0.

    A long attack carries its label as a whole: most of its windows may be harmless, and are trained on wrongly. An
    ordinary text is ordinary in each of its windows; so with a `target` only the texts that have it are thinned.
    """
    if most == 0:
        return windows
    texts, kept = {}, []
    for window in windows:
        texts.setdefault(window.example, []).append(window)
    for own in texts.values():
        thin = target is None or own[0].target == target
        count = min(most, len(own)) if thin else len(own)
        kept += [own[round(i * (len(own) - 1) / max(1, count - 1))] for i in range(count)]
    return kept
