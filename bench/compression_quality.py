#!/usr/bin/env python3
"""Does a decision about a compressed text equal the one about what the text asks?

  PYTHONPATH=build/bindings/python python bench/compression_quality.py [--half test] [--tokens 512] [--documents 150] [--focus 0.7]

Documents are a labelled MMLU-Pro question at a random place among paragraphs of War and Peace, as a paragraph of its own
or inside one. The domain adapter decides about the question alone, about the document, and about the document after
compression. The weights of src/routing/compress/*.cpp were chosen with `--half tune`, the first half of the book; the
numbers to report are those of the second.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess

import vsr

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("VSR_SHARED_DATA", ROOT / "../shared/data"))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default=ROOT / "build/models/all-MiniLM-L6-v2", type=pathlib.Path)
    parser.add_argument("--half", choices=["tune", "test"], default="test")
    parser.add_argument("--tokens", type=int, nargs="+", default=[512, 256])
    parser.add_argument("--words", type=int, nargs="+", default=[1500, 15000], help="of distractor text")
    parser.add_argument("--documents", type=int, default=150)
    parser.add_argument("--questions", type=int, default=1, help="of one domain, in each document")
    parser.add_argument("--whole", type=int, default=0, help="documents whose decision is also taken uncompressed")
    parser.add_argument("--focus", type=float, default=0.7, help="of compression; the router's is 0.7, compress()'s 0")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def paragraphs(half):
    text = (DATA / "texts/war_and_peace.txt").read_text(encoding="utf-8")
    middle = len(text) // 2
    return (text[:middle] if half == "tune" else text[middle:]).split("\n\n")[1:-1]


def questions(half, count, each, random_):
    """Labelled questions of one domain for each document."""
    rows = [json.loads(line) for line in open(DATA / "domains/mmlu_pro_train.jsonl", encoding="utf-8")]
    rows = rows[::2] if half == "tune" else rows[1::2]
    if each == 1:
        return [(row["label"], [row["text"]]) for row in random_.sample(rows, count)]
    by_label = {}
    for row in rows:
        by_label.setdefault(row["label"], []).append(row["text"])
    labels = sorted(by_label)
    return [(label, random_.sample(by_label[label], each)) for label in random_.choices(labels, k=count)]


def document(asked, distractors, words, inside, random_):
    """The questions among about `words` words, as paragraphs or after a sentence of one."""
    at = random_.randrange(len(distractors))
    parts, size = [], 0
    while size < words:
        parts.append(distractors[at % len(distractors)])
        size += len(parts[-1].split())
        at += 1
    for question in asked:
        place = random_.randrange(len(parts) + (0 if inside else 1))
        if not inside:
            parts.insert(place, question)
            continue
        sentences = parts[place].split(". ")
        cut = random_.randrange(len(sentences)) + 1
        before, after = ". ".join(sentences[:cut]), ". ".join(sentences[cut:])
        parts[place] = f"{before}{'.' if after else ''} {question} {after}".strip()
    return "\n\n".join(parts)


def compress(texts, tokens, focus):
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    program = [ROOT / "build/bin/compress_file", str(tokens), str(focus), "--jsonl"]
    result = subprocess.run(program, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in result.stdout.splitlines()]


def kept_share(question, text):
    """How many of the question's words are in the text, in runs of three."""
    words = question.split()
    runs = [" ".join(words[i : i + 3]) for i in range(max(len(words) - 2, 1))]
    return sum(run in text for run in runs) / len(runs)


def share(values):
    values = list(values)
    return 100 * sum(values) / max(len(values), 1)


def main():
    options = arguments()
    random_ = random.Random(options.seed)
    model = vsr.load(options.model, adapters={"domain": ROOT / "models/adapters/domain"})
    decide = lambda texts: [c.label for c in model.classify(texts, task="domain")]  # noqa: E731
    rows = questions(options.half, options.documents, options.questions, random_)
    asked = [" ".join(texts) for _, texts in rows]
    alone = decide(asked)
    distractors = paragraphs(options.half)
    right = share(a == label for a, (label, _) in zip(alone, rows))
    print(f"{options.half} half, {len(rows)} documents, their questions alone {right:.1f} % right")
    print(
        f"{'words':>6} {'place':>10} {'budget':>6} {'agree':>7} {'right':>7} {'kept':>7} {'whole kept':>10} {'as document':>11}"
    )
    for words in options.words:
        for inside in (False, True):
            texts = [document(texts, distractors, words, inside, random_) for _, texts in rows]
            whole = decide(texts[: options.whole])
            for tokens in options.tokens:
                short = compress(texts, tokens, options.focus)
                labels = decide(short)
                kept = [kept_share(text, result) for text, result in zip(asked, short)]
                same = f"{share(a == b for a, b in zip(labels, whole)):9.1f} %" if whole else "-"
                print(f"{words:6} {'inside' if inside else 'paragraph':>10} {tokens:6} "
                      f"{share(a == b for a, b in zip(labels, alone)):5.1f} % "
                      f"{share(a == label for a, (label, _) in zip(labels, rows)):5.1f} % {share(kept):5.1f} % "
                      f"{share(k == 1 for k in kept):8.1f} % {same:>11}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
