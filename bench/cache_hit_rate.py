#!/usr/bin/env python3
"""How often the semantic cache answers, and how often wrongly: embeds questions and lets cache_bench look them up.

Sets of questions, each "stored" and then "asked":
  clinc150    50 questions for each of 150 intents; asked: the val split, and questions out of scope. A hit is right if it
              has the same intent: that is a mild judge, since one intent asks for many things ("translate ... to ...").
  banking77   four fifths of the train split; asked: the others.
  edited      questions of CLINC150, asked with one word changed so that another answer is due: every hit is false.
  cases       the cache cases of the router's end-to-end tests: three questions, five paraphrases each.

    PYTHONPATH=build/bindings/python bench/cache_hit_rate.py [--bench build/bin/cache_bench] [set ...]

Needs numpy, the vsr module, the shared data ($VSR_SHARED_DATA or ../shared/data) and the model ($VSR_MINILM or
build/models/all-MiniLM-L6-v2).
"""

import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import vsr

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODEL = os.environ.get("VSR_MINILM", ROOT / "build/models/all-MiniLM-L6-v2")
DATA = pathlib.Path(os.environ.get("VSR_SHARED_DATA", ROOT.parent / "shared/data"))
SEED = 7
STORED_PER_INTENT = 50
EDITS = [
    (
        r"\b(one|two|three|four|five|six|ten)\b",
        {
            "one": "nine",
            "two": "three",
            "three": "four",
            "four": "two",
            "five": "eight",
            "six": "seven",
            "ten": "twenty",
        },
    ),
    (r"\b(\d+)\b", None),
    (
        r"\b(spanish|french|italian|german|english)\b",
        {"spanish": "french", "french": "italian", "italian": "spanish", "german": "french", "english": "german"},
    ),
    (
        r"\b(monday|tuesday|friday|tomorrow|today|june|march)\b",
        {
            "monday": "tuesday",
            "tuesday": "friday",
            "friday": "monday",
            "tomorrow": "today",
            "today": "tomorrow",
            "june": "april",
            "march": "june",
        },
    ),
    (
        r"\b(chicago|paris|london|new york|las vegas|denver)\b",
        {
            "chicago": "boston",
            "paris": "rome",
            "london": "paris",
            "new york": "chicago",
            "las vegas": "denver",
            "denver": "seattle",
        },
    ),
    (
        r"\b(do i|can i|should i|is it)\b",
        {"do i": "do i not", "can i": "can i not", "should i": "should i not", "is it": "is it not"},
    ),
    (r"\b(on|off|increase|open)\b", {"on": "off", "off": "on", "increase": "decrease", "open": "close"}),
]


def edited(text):
    """The text with its first editable word changed, or None."""
    for pattern, table in EDITS:
        if match := re.search(pattern, text):
            word = table[match[1]] if table else str(int(match[1]) + 1)
            return text[: match.start(1)] + word + text[match.end(1) :]
    return None


def clinc():
    return json.loads((DATA / "intents/clinc150.json").read_text(encoding="utf-8"))


def load_clinc150():
    data, count, stored = clinc(), {}, []
    for text, label in data["train"]:
        count[label] = count.get(label, 0) + 1
        if count[label] <= STORED_PER_INTENT:
            stored.append((label, text))
    asked = [(label, text) for text, label in data["val"]] + [("out of scope", text) for text, _ in data["oos_val"]]
    return stored, asked


def load_banking77():
    with open(DATA / "intents/banking77_train.csv", encoding="utf-8", newline="") as file:
        rows = [(row["category"], " ".join(row["text"].split())) for row in csv.DictReader(file)]
    order = np.random.default_rng(SEED).permutation(len(rows))
    cut = len(rows) * 4 // 5
    return [rows[i] for i in order[:cut]], [rows[i] for i in order[cut:]]


def load_edited():
    pairs = [(text, edited(text)) for text, _ in clinc()["val"]]
    pairs = [(text, other) for text, other in pairs if other]
    return [(f"original {i}", a) for i, (a, _) in enumerate(pairs)], [
        (f"edited {i}", b) for i, (_, b) in enumerate(pairs)
    ]


def load_cases():
    cases = json.loads((DATA / "router-configs/e2e/testcases/testdata/cache_cases.json").read_text(encoding="utf-8"))
    stored = [(str(i), case["original_question"]) for i, case in enumerate(cases)]
    return stored, [(str(i), text) for i, case in enumerate(cases) for text in case["similar_questions"]]


LOADERS = {"clinc150": load_clinc150, "banking77": load_banking77, "edited": load_edited, "cases": load_cases}


def write(model, rows, path):
    path.with_suffix(".tsv").write_text("".join(f"{label}\t{text}\n" for label, text in rows), encoding="utf-8")
    vectors = model.embed([text for _, text in rows])
    path.with_suffix(".f32").write_bytes(np.ascontiguousarray(vectors, dtype=np.float32).tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default=str(ROOT / "build/bin/cache_bench"))
    parser.add_argument("sets", nargs="*", metavar="set", help=f"of {', '.join(LOADERS)}; all by default")
    args = parser.parse_args()
    unknown = set(args.sets) - set(LOADERS)
    if unknown:
        parser.error(f"unknown set {sorted(unknown)[0]}, expected {', '.join(LOADERS)}")
    model = vsr.load(str(MODEL))
    for name in args.sets or LOADERS:
        stored, asked = LOADERS[name]()
        with tempfile.TemporaryDirectory() as folder:
            write(model, stored, pathlib.Path(folder) / "stored")
            write(model, asked, pathlib.Path(folder) / "asked")
            print(f"\n{name}", flush=True)
            subprocess.run([args.bench, "--rates", folder], check=True)
    return 0


sys.exit(main())
