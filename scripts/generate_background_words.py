#!/usr/bin/env python3
"""Writes src/routing/compress/background_words.cpp: how common English words are, for prompt compression.

  python scripts/generate_background_words.py path/to/war_and_peace.txt

Counts the first half of the book (public domain), so that the second half can serve as text that the table has not seen.
Names, which are mostly written with a capital, stay out, and so do words with letters beyond ASCII (French, mostly) and what
occurs fewer than three times.
"""

import collections
import math
import pathlib
import re
import sys

OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "src/routing/compress/background_words.cpp"
WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")  # letters of any script: "Dólokhov" is one word
LEAST = 3

HEADER = """// Made by scripts/generate_background_words.py from the first half of War and Peace (public domain).
#include "routing/compress/background_words.h"

namespace vsr::routing {

const std::array<WordBand, kWordBands> kBackgroundWords{{
"""


def counts_of(text):
    every, small = collections.Counter(), collections.Counter()
    for word in WORD.findall(text):
        word = word.replace("\u2019", "'")
        every[word.lower()] += 1
        small[word.lower()] += word == word.lower()
    names = {word for word, n in every.items() if small[word] * 2 < n and word != "i"}
    return {word: n for word, n in every.items() if n >= LEAST and word.isascii() and word not in names}, sum(
        every.values()
    )


def literal(words):
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) > 105:
            lines.append(line)
            line = ""
        line += word + " "
    lines.append(line.rstrip())
    return "\n".join(f'     "{part}"' for part in lines)


def main():
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    counts, total = counts_of(text[: len(text) // 2])
    bands = collections.defaultdict(list)
    for word, n in counts.items():
        bands[round(-math.log2(n / total))].append(word)
    first, last = min(bands), max(bands)
    body = "".join(f"    {{{bits},\n{literal(sorted(bands.get(bits, [])))}}},\n" for bits in range(first, last + 1))
    OUTPUT.write_text(HEADER + body + "}};\n\n}  // namespace vsr::routing\n", encoding="utf-8")
    print(f"{len(counts)} words, {last + 1 - first} bands, {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
