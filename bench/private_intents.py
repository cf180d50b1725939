#!/usr/bin/env python3
"""Private intents from ten examples each, without training: accuracy, out-of-scope recall and time.

Routes CLINC150 (examples from its train split, its val split as test, out-of-scope texts too) and BANKING77 (examples
and test from its train split) with all-MiniLM-L6-v2 under each rule. With --peer, sentence-transformers in that Python
embeds the same texts and the documented rules are applied in numpy: accuracies must agree.

    PYTHONPATH=build/bindings/python bench/private_intents.py [--peer path/to/python] [--thresholds]

Needs numpy, the vsr module, the shared data ($VSR_SHARED_DATA or ../shared/data) and the model ($VSR_MINILM or
build/models/all-MiniLM-L6-v2).
"""

import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import private_intents_rules as rules
from machine import machine

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODEL = os.environ.get("VSR_MINILM", ROOT / "build/models/all-MiniLM-L6-v2")
DATA = pathlib.Path(os.environ.get("VSR_SHARED_DATA", ROOT.parent / "shared/data")) / "intents"
SEED = 7
# Near the best mean of accuracy and out-of-scope recall on texts that the tests do not use, under all rules; see
# --thresholds.
THRESHOLD = 0.45
PEER = """
import json, sys, time
import numpy as np
from sentence_transformers import SentenceTransformer
model = SentenceTransformer(sys.argv[1], device="cpu")
sets = json.load(open(sys.argv[2]))
vectors = {name: model.encode(texts, normalize_embeddings=True, batch_size=64) for name, texts in sets.items()}
texts = max(sets.values(), key=len)[:200]
times = []
for text in texts:
    start = time.perf_counter()
    model.encode([text], normalize_embeddings=True)
    times.append(time.perf_counter() - start)
np.savez(sys.argv[3], **vectors, seconds=np.array(times))
"""


class Split:
    """Examples, test texts and development texts of a dataset, each (text, label); out of scope is None."""

    def __init__(self, name, pool, test, seed, shots):
        self.name = name
        random = np.random.default_rng(seed)
        by_label = {}
        for i in random.permutation(len(pool)):
            by_label.setdefault(pool[i][1], []).append(pool[i])
        self.examples = [pair for label in sorted(by_label) for pair in by_label[label][:shots]]
        rest = [pair for label in sorted(by_label) for pair in by_label[label][shots:]]
        self.development = [rest[i] for i in random.permutation(len(rest))[:3000]]
        self.test = test
        self.out_of_scope = self.development_out_of_scope = []

    def sets(self):
        return {
            "examples": [text for text, _ in self.examples],
            "test": [text for text, _ in self.test],
            "development": [text for text, _ in self.development],
            "out_of_scope": self.out_of_scope,
            "development_out_of_scope": self.development_out_of_scope,
        }


def load_splits(shots):
    clinc = json.load(open(DATA / "clinc150.json"))
    first = Split("CLINC150", [tuple(p) for p in clinc["train"]], [tuple(p) for p in clinc["val"]], SEED, shots)
    first.out_of_scope = [text for text, _ in clinc["oos_val"]]
    first.development_out_of_scope = [text for text, _ in clinc["oos_train"]]
    with open(DATA / "banking77_train.csv", newline="") as file:
        rows = [(row["text"], row["category"]) for row in csv.DictReader(file)]
    order = np.random.default_rng(SEED).permutation(len(rows))
    test, pool = [rows[i] for i in order[:3000]], [rows[i] for i in order[3000:]]
    return [first, Split("BANKING77", pool, test, SEED, shots)]


def peer_vectors(python, split):
    with tempfile.TemporaryDirectory() as folder:
        texts, vectors = os.path.join(folder, "texts.json"), os.path.join(folder, "vectors.npz")
        sets = split.sets()
        json.dump({name: sets[name] for name in ("examples", "test")}, open(texts, "w"))
        environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TQDM_DISABLE": "1"}
        environment.pop("PYTHONPATH", None)
        subprocess.run([python, "-c", PEER, str(MODEL), texts, vectors], check=True, env=environment)
        return dict(np.load(vectors))


def accuracy(labels, split, name="test"):
    return 100 * float(np.mean([label == truth for label, (_, truth) in zip(labels, getattr(split, name))]))


class Router:
    """One vsr.Intents per rule over the examples of a split."""

    def __init__(self, vsr, model, split):
        self.sets = {}
        for rule in rules.RULES:
            intents = vsr.Intents(model, rule=rule, threshold=-1.0)
            for label in sorted({label for _, label in split.examples}):
                intents.add(label, [text for text, own in split.examples if own == label])
            self.sets[rule] = intents

    def route(self, rule, texts):
        matches = self.sets[rule].route(texts)
        return [match.nearest for match in matches], np.array([match.score for match in matches])


def report_split(split, router, peer):
    labels = [label for _, label in split.examples]
    texts = split.sets()
    print(f"\n{split.name}: {len(set(labels))} intents, {len(labels)} examples, {len(split.test)} test texts", end="")
    print(f", {len(split.out_of_scope)} out of scope" if split.out_of_scope else "")
    print("  rule  | accuracy |  peer  | same label | with threshold: accuracy, out-of-scope recall and precision")
    for rule in rules.RULES:
        found, scores = router.route(rule, texts["test"])
        line = f"  {rule:5s} | {accuracy(found, split):7.2f}% | "
        if peer is not None:
            expected, _ = rules.apply(rule, peer["test"], peer["examples"], labels)
            same = np.mean([a == b for a, b in zip(found, expected)])
            line += f"{accuracy(expected, split):5.2f}% | {100 * same:9.2f}% | "
        else:
            line += "   -   |     -      | "
        if split.out_of_scope:
            _, outside = router.route(rule, split.out_of_scope)
            kept = [label if score >= THRESHOLD else None for label, score in zip(found, scores)]
            rejected = sum(label is None for label in kept)
            recall = np.mean(outside < THRESHOLD)
            precision = np.sum(outside < THRESHOLD) / max(1, np.sum(outside < THRESHOLD) + rejected)
            line += f"{accuracy(kept, split):.2f}%, {100 * recall:.0f}%, {100 * precision:.0f}%"
        print(line, flush=True)


def report_thresholds(split, router):
    texts = split.sets()
    print(
        f"\n{split.name}, {len(split.development)} development texts and {len(split.development_out_of_scope)} out of "
        "scope: accuracy and out-of-scope recall by threshold"
    )
    for rule in rules.RULES:
        found, scores = router.route(rule, texts["development"])
        _, outside = router.route(rule, split.development_out_of_scope)
        right = np.array([label == truth for label, (_, truth) in zip(found, split.development)])
        print(f"  {rule}")
        for threshold in np.arange(0.30, 0.81, 0.05):
            kept, recall = 100 * np.mean(right & (scores >= threshold)), 100 * np.mean(outside < threshold)
            print(f"    {threshold:.2f}: {kept:6.2f}%  {recall:6.2f}%  mean {(kept + recall) / 2:6.2f}%")


def report_time(split, router, peer):
    texts = [text for text, _ in split.test[:200]]
    intents = router.sets["vote"]
    intents.route(texts[:20])
    times = []
    for text in texts:
        start = time.perf_counter()
        intents.route([text])
        times.append(time.perf_counter() - start)
    start = time.perf_counter()
    intents.route(texts)
    batch = (time.perf_counter() - start) / len(texts)

    def line(name, seconds):
        seconds = sorted(seconds)
        return f"{name} median {1e3 * statistics.median(seconds):.2f} ms, p95 {1e3 * seconds[len(seconds) * 95 // 100]:.2f} ms"

    print(
        f"\ntime per text of {split.name}: {line('vsr, alone: embed and route', times)}; in one call of "
        f"{len(texts)}: {1e3 * batch:.2f} ms"
    )
    if peer is not None:
        print(f"  {line('sentence-transformers, alone: embed only', peer['seconds'])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="a Python that has sentence-transformers")
    parser.add_argument("--thresholds", action="store_true", help="also try thresholds on development texts")
    parser.add_argument("--shots", type=int, default=10, help="examples per intent")
    arguments = parser.parse_args()
    for path in (DATA / "clinc150.json", pathlib.Path(MODEL) / "model.safetensors"):
        if not path.exists():
            sys.exit(f"{path}: not found")
    import vsr

    print(
        f"{machine()}\nvsr {vsr.__version__}, LibTorch {vsr.torch_version}, {arguments.shots} examples per intent, seed {SEED}"
    )
    model = vsr.load(str(MODEL))
    for split in load_splits(arguments.shots):
        peer = peer_vectors(arguments.peer, split) if arguments.peer else None
        router = Router(vsr, model, split)
        report_split(split, router, peer)
        report_time(split, router, peer)
        if arguments.thresholds and split.out_of_scope:
            report_thresholds(split, router)


if __name__ == "__main__":
    main()
