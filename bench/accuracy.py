#!/usr/bin/env python3
"""What bfloat16 and int8 change in a model's answers: cosines of embeddings, labels that flip, scores that move.

    PYTHONPATH=build/bindings/python bench/accuracy.py [--texts 1000] [--types int8 bfloat16] [--base FOLDER ...]

float32 is the reference. Embeddings are those of texts of eight sources, the same number of each and cut at 800
characters; each adapter in models/adapters gets texts of its own kind. A label is that of a text, for pii that of a
token. `--base` measures cosines of further checkpoints, for instance one of random weights by
make_encoder_checkpoint.py. A type that the machine lacks is named and left out.

Needs numpy, the vsr module, the shared data ($VSR_SHARED_DATA or ../shared/data) and MiniLM ($VSR_MINILM or
build/models/all-MiniLM-L6-v2).
"""

import argparse
import pathlib

import numpy as np
import vsr
from accuracy_texts import MODEL, ROOT, inputs_of_adapters, mixed, sources
from machine import machine

ADAPTERS = ("domain", "jailbreak", "pii", "nli")
# Cosine at least, share of flipped labels at most.
AIMS = {"bfloat16": (0.9995, 0.003), "int8": (0.99, 0.01)}


def scores_of(model, task, inputs):
    """[labels asked for, label] scores."""
    if task == "pii":
        return np.concatenate([model.token_probs(text, task=task) for text in inputs])
    return np.stack([result.row for result in model.classify(inputs, task=task)])


def answers(dtype, texts, inputs):
    """Of one type: vectors, scores by adapter, and what info says."""
    model = vsr.load(MODEL, dtype=dtype, adapters={name: ROOT / "models/adapters" / name for name in ADAPTERS})
    scores = {name: scores_of(model, name, inputs[name]) for name in ADAPTERS}
    return model.embed(texts), scores, model.info


def cosines_text(name, reference, vectors, least):
    cosines = np.sum(reference * vectors, axis=1)
    low = np.quantile(cosines, 0.001)
    verdict = "meets" if cosines.min() >= least else "misses"
    return (f"| {name} | {len(cosines)} | {cosines.mean():.5f} | {low:.5f} | {cosines.min():.5f} | "
            f"{verdict} {least} |")  # fmt: skip


def flips_text(name, reference, scores, most):
    flipped = reference.argmax(1) != scores.argmax(1)
    top = np.sort(reference, axis=1)[:, -2:]
    margin = (top[:, 1] - top[:, 0])[flipped].max(initial=0)
    verdict = "meets" if flipped.mean() <= most else "misses"
    return (f"| {name} | {len(flipped)} | {flipped.sum()} | {100 * flipped.mean():.2f} % | {margin:.3f} | "
            f"{np.abs(scores - reference).max():.3f} | {verdict} {100 * most:.1f} % |")  # fmt: skip


def compare(dtype, reference, other, bases):
    least, most = AIMS[dtype]
    print(f"\n{dtype}: {other[2].bytes_in_memory / 1e6:.1f} MB instead of {reference[2].bytes_in_memory / 1e6:.1f}\n")
    print("| vectors | texts | mean cosine | 0.1 percentile | least | aim |\n| --- | ---: | ---: | ---: | ---: | --- |")
    print(cosines_text("all-MiniLM-L6-v2", reference[0], other[0], least))
    for folder, texts, vectors in bases:
        found = vsr.load(folder, dtype=dtype).embed(texts)
        print(cosines_text(pathlib.Path(folder).name, vectors, found, least), flush=True)
    print("\n| labels | asked | flipped | share | largest margin of a flip | largest change of a score | aim |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for name in ADAPTERS:
        print(flips_text(name, reference[1][name], other[1][name], most), flush=True)


def runs_here(dtype):
    try:
        vsr.load(MODEL, dtype=dtype)
    except vsr.UnsupportedError as error:
        print(f"\n{dtype}: not measured: {error}")
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--texts", type=int, default=1000, help="for the embeddings, and for each adapter")
    parser.add_argument("--types", nargs="+", choices=list(AIMS), default=["int8", "bfloat16"])
    parser.add_argument("--base", nargs="+", default=[], help="folders of further checkpoints, for cosines")
    parser.add_argument("--base-texts", type=int, default=80)
    arguments = parser.parse_args()
    print(machine())
    texts = sources()
    inputs = inputs_of_adapters(texts, arguments.texts)
    vectors_of = mixed(texts, arguments.texts)
    reference = answers("float32", vectors_of, inputs)
    few = mixed(texts, arguments.base_texts)
    bases = [(folder, few, vsr.load(folder, dtype="float32").embed(few)) for folder in arguments.base]
    for dtype in arguments.types:
        if runs_here(dtype):
            compare(dtype, reference, answers(dtype, vectors_of, inputs), bases)


if __name__ == "__main__":
    main()
