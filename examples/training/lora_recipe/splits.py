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
    """Rows of "train", "calibration" and "held_out"; each stratum in proportion, as far as groups allow."""
    groups = collections.defaultdict(list)
    for row, group in enumerate(group_rows(examples)):
        groups[group].append(row)
    # Those bound to training stand aside: adding texts to train on leaves what is measured on as it is.
    bound = {group for group, rows in groups.items() if any(examples[row].only == "train" for row in rows)}
    order = sorted(groups.keys() - bound)
    random.Random(settings.seed).shuffle(order)
    counts = {g: collections.Counter(s for row in groups[g] for s in strata_of(examples[row])) for g in groups}
    total = sum(counts.values(), collections.Counter())
    fractions = {"held_out": settings.held_out, "calibration": settings.calibration}
    fractions["train"] = 1 - sum(fractions.values())
    need = {name: {s: fraction * n for s, n in total.items()} for name, fraction in fractions.items()}
    result = {name: [] for name in fractions}
    result["train"] = [row for group in bound for row in groups[group]]
    for s, n in sum((counts[group] for group in bound), collections.Counter()).items():
        need["train"][s] -= n
    # Large groups and rare strata first, while there is still a choice.
    order.sort(key=lambda g: (-len(groups[g]) if len(groups[g]) > 8 else 0, min(total[s] for s in counts[g])))
    for group in order:
        name = side_of(counts[group], need, fractions, total)
        result[name] += groups[group]
        for s, n in counts[group].items():
            need[name][s] -= n
    generator = random.Random(settings.seed + 1)
    for rows in result.values():
        rows.sort()
        generator.shuffle(rows)
    return result
