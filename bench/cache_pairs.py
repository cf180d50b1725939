#!/usr/bin/env python3
"""How often near but opposite questions would share an answer, and how often true paraphrases do.

Prints false hits and recall, per cent, at several cosines: by cosine alone, with the veto (where a doubt is a refusal,
as without a pair check), by the same_question adapter alone, and by both, as the cache does it.

    PYTHONPATH=build/bindings/python bench/cache_pairs.py [FILE] [--adapter FOLDER] [--least P] [--show]

FILE: label ("opposite" or "same"), kind, question, question, with tabs between; bench/cache_pairs.tsv by default. Rules
and thresholds were chosen with bench/cache_pairs_dev.tsv. Needs the vsr module, build/bin/cache_bench and the model
($VSR_MINILM or build/models/all-MiniLM-L6-v2).
"""

import argparse
import collections
import os
import pathlib
import subprocess
import sys

import numpy as np
import vsr

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODEL = os.environ.get("VSR_MINILM", ROOT / "build/models/all-MiniLM-L6-v2")
COSINES = (0.70, 0.75, 0.80, 0.85, 0.90, 0.92, 0.95)


def read_pairs(path):
    lines = path.read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def verdicts(bench, path):
    output = subprocess.run([bench, "--verdicts", str(path)], check=True, capture_output=True, text=True).stdout
    return [line.split("\t") for line in output.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=ROOT / "bench/cache_pairs.tsv")
    parser.add_argument("--adapter", type=pathlib.Path, default=ROOT / "models/adapters/same_question")
    parser.add_argument("--bench", default=str(ROOT / "build/bin/cache_bench"))
    parser.add_argument("--least", type=float, default=0.7, help="least probability of the pair check")
    parser.add_argument("--show", action="store_true", help="also the pairs that are judged wrongly at 0.75")
    args = parser.parse_args()

    pairs, rules = read_pairs(args.file), verdicts(args.bench, args.file)
    assert len(pairs) == len(rules), "cache_bench reads other lines than this script"
    model = vsr.load(str(MODEL), adapters={"same_question": str(args.adapter)})
    first, second = [pair[2] for pair in pairs], [pair[3] for pair in pairs]
    cosine = (model.embed(first) * model.embed(second)).sum(axis=1)
    there = model.classify(list(zip(first, second)), task="same_question")
    back = model.classify(list(zip(second, first)), task="same_question")
    probability = np.array([min(a.probs["same"], b.probs["same"]) for a, b in zip(there, back)])

    same = np.array([pair[0] == "same" for pair in pairs])
    verdict = np.array([rule[0] for rule in rules])
    checked = probability >= args.least
    ways = {
        "cosine": np.ones(len(pairs), bool),
        "veto": verdict == "pass",
        "pair check": checked,
        "both": (verdict != "refuse") & checked,
    }
    print(f"{args.file.name}: {(~same).sum()} opposite pairs, {same.sum()} paraphrases; false hits / recall, per cent")
    for name, mask in (("opposite", ~same), ("same", same)):
        print(f"  the veto of {name} pairs:", dict(collections.Counter(verdict[mask].tolist())))
    print("  cosine | " + " | ".join(f"{name:>13}" for name in ways))
    for least in COSINES:
        cells = []
        for served in ways.values():
            hits = served & (cosine >= least)
            cells.append(f"{100 * hits[~same].mean():5.1f} / {100 * hits[same].mean():5.1f}")
        print(f"    {least:.2f} | " + " | ".join(cells))
    if args.show:
        hits = ways["both"] & (cosine >= 0.75)
        for i in np.flatnonzero(hits != same):
            print("\t".join([*pairs[i], f"{cosine[i]:.2f}", f"{probability[i]:.2f}", *rules[i]]))
    return 0


sys.exit(main())
