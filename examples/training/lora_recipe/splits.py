"""Splits examples into training, calibration and held-out ones without leaks.

Near-duplicates form groups: texts that share most of their rarer runs of three words. A group stays on one side.
"""

import collections
import random
import re

SHINGLE = 3
COMMON = 60  # a run of words in more texts than this says nothing
SHARED = 0.5  # of the shorter text's rarer runs
LEAST = 3


def words_of(text):
    return re.findall(r"\w+", text.lower())


def shingles(text):
    words = words_of(text)
    return {tuple(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1)}


class Groups:
    """Union-find over the rows."""

    def __init__(self, size):
        self.parent = list(range(size))

    def find(self, row):
        while self.parent[row] != row:
            self.parent[row] = self.parent[self.parent[row]]
            row = self.parent[row]
        return row

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        self.parent[max(a, b)] = min(a, b)


def group_rows(examples) -> list[int]:
    """A group number for each row: rows with the same words, near-duplicates, and rows that name the same group."""
    groups = Groups(len(examples))
    first = {}
    for row, example in enumerate(examples):
        keys = [("words", *words_of(f"{example.text} {example.pair or ''}"))]
        if example.group is not None:
            keys.append(("group", example.source, example.group))
        for key in keys:
            groups.join(row, first.setdefault(key, row))
    for a, b in near_duplicates([example.text for example in examples]):
        groups.join(a, b)
    return [groups.find(row) for row in range(len(examples))]


def near_duplicates(texts):
    rows_with = collections.defaultdict(list)
    for row, text in enumerate(texts):
        for shingle in shingles(text):
            rows_with[shingle].append(row)
    rare, shared = collections.Counter(), collections.Counter()
    for rows in rows_with.values():
        if len(rows) > COMMON:
            continue
        for i, a in enumerate(rows):
            rare[a] += 1
            for b in rows[i + 1 :]:
                shared[a, b] += 1
    for (a, b), count in shared.items():
        if count >= LEAST and count >= SHARED * min(rare[a], rare[b]):
            yield a, b


def strata_of(example):
    """What a split keeps in proportion."""
    if example.spans is None:
        return [f"{example.source}/{example.label}"]
    return [label for _, _, label in example.spans] or ["no spans"]


def side_of(counts, need, fractions, total):
    """The side that still wants most of what a group brings, by stratum; one too large to hold out is trained on."""

    def gain(name):
        if name != "train" and any(n > max(1.0, 1.5 * need[name][s]) for s, n in counts.items()):
            return -1e9
        return sum(n * need[name][s] / (fractions[name] * total[s]) for s, n in counts.items())

    return max(fractions, key=gain)


def split(examples, settings) -> dict[str, list[int]]:
    """Rows of "train", "calibration" and "held_out". Those `only` "added" change nothing of the other rows' split."""
    first = [row for row, example in enumerate(examples) if example.only != "added"]
    result = split_in_proportion([examples[row] for row in first], settings)
    result = {name: [first[row] for row in rows] for name, rows in result.items()}
    result["train"] += added_rows(examples, {row for name in ("calibration", "held_out") for row in result[name]})
    return result


def added_rows(examples, measured) -> list[int]:
    """The added rows that are no near-duplicate of a row that is measured on.

    A copy of one made to train on may stay, even if the two share a template with a row that may not: no groups here.
    """
    added = {row for row, example in enumerate(examples) if example.only == "added"}
    if not added:
        return []
    texts = [example.text for example in examples]
    words = {tuple(words_of(texts[row])) for row in measured}
    alike = {row for row in added if tuple(words_of(texts[row])) in words}
    for a, b in near_duplicates(texts):
        alike |= {a, b} if a in measured or b in measured else set()
    return sorted(added - alike)


def split_in_proportion(examples, settings) -> dict[str, list[int]]:
    """Each stratum in proportion, as far as groups allow."""
    groups = collections.defaultdict(list)
    for row, group in enumerate(group_rows(examples)):
        groups[group].append(row)
    fractions = {"held_out": settings.held_out, "calibration": settings.calibration}
    fractions["train"] = 1 - sum(fractions.values())
    total = collections.Counter(s for example in examples for s in strata_of(example))
    need = {name: {s: fraction * n for s, n in total.items()} for name, fraction in fractions.items()}
    result = {name: [] for name in fractions}
    order = sorted(groups)
    random.Random(settings.seed).shuffle(order)
    counts = {g: collections.Counter(s for row in groups[g] for s in strata_of(examples[row])) for g in order}
    # Large groups and rare strata first, while there is still a choice.
    order.sort(key=lambda g: (-len(groups[g]) if len(groups[g]) > 8 else 0, min(total[s] for s in counts[g])))
    for group in order:
        bound = any(examples[row].only == "train" for row in groups[group])
        name = "train" if bound else side_of(counts[group], need, fractions, total)
        result[name] += groups[group]
        for s, n in counts[group].items():
            need[name][s] -= n
    generator = random.Random(settings.seed + 1)
    for rows in result.values():
        rows.sort()
        generator.shuffle(rows)
    return result
