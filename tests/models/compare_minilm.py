"""all-MiniLM-L6-v2 through vsr against sentence-transformers: ids, offsets, vectors, and long texts by the window rule.

Not part of the test run: needs sentence-transformers, vsr on PYTHONPATH and the shared data.
    PYTHONPATH=build/bindings/python python tests/models/compare_minilm.py MODEL [--data ../shared/data] [--texts 1000]
Exits with 1 when a difference is above 1e-5 or an id or offset differs.
"""

import argparse
import html
import json
import pathlib
import random
import sys
import time

import numpy as np

# Both orders of import work when the versions of LibTorch are equal; this one is the usual.
import torch  # noqa: F401
import vsr
from sentence_transformers import SentenceTransformer

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/goldens"))
from golden_windows import merge_vectors, unit, window_ranges  # noqa: E402

TOLERANCE = 1e-5
HAND_MADE = ["", " ", "\n\t", "🙂", "👩‍💻👨‍👩‍👧‍👦 family", "a\0b", "e\u0301 é", "\u200b"]
HAND_MADE += ["ﬁ ǅ İ", "🇩🇪🇫🇷", "[CLS] [MASK] [SEP]", "\ufffd"]


def jsonl(path, key):
    return [json.loads(line)[key] for line in path.read_text("utf-8").splitlines() if line.strip()]


def strings(value):
    """All strings in nested JSON."""
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for v in values for text in strings(v)]


def mixed_texts(data, wanted, fits, seed=7):
    """The same number from each source, of texts that fit the model, after those made by hand."""
    clinc = [text for text, _ in json.loads((data / "intents/clinc150.json").read_text("utf-8"))["val"]]
    udhr = [html.unescape(text) for text in jsonl(data / "texts/udhr.jsonl", "text")]
    blns = strings(json.loads((data / "texts/blns.json").read_text("utf-8")))
    mmlu = jsonl(data / "domains/mmlu_pro_train.jsonl", "text")
    random.seed(seed)
    chosen = list(HAND_MADE)
    # The declarations are all longer than the model reads at once.
    sources = [list(filter(fits, source)) for source in (clinc, [text[:200] for text in udhr], blns, mmlu)]
    for number, source in enumerate(sources):
        room = (wanted - len(chosen)) // (len(sources) - number)
        chosen += random.sample(source, min(room, len(source)))
    return chosen + random.sample(clinc, wanted - len(chosen))


def compare_encodings(reference, model, texts):
    """Counts texts whose ids or offsets differ, of all lengths."""
    tokenizer = reference.tokenizer._tokenizer
    tokenizer.no_truncation()
    tokenizer.no_padding()
    wrong = 0
    for text in texts:
        expected, made = tokenizer.encode(text), model.tokenize(text)
        if expected.ids != made.ids or expected.offsets != made.offsets or expected.tokens != made.tokens:
            wrong += 1
            print(f"differs: {text[:60]!r}", file=sys.stderr)
    return wrong


def long_texts(data, count=12):
    """Chunks of prose, 1,500 to 30,000 characters."""
    prose = (data / "texts/war_and_peace.txt").read_text("utf-8")
    sizes = np.geomspace(1500, 30000, count).astype(int)
    return [prose[100_000 + i * 40_000 :][:size] for i, size in enumerate(sizes)]


def windowed_reference(reference, text, limit):
    """The window rule with the reference's own forward pass over the token ids of each window."""
    tokenizer = reference.tokenizer
    ids = tokenizer._tokenizer.encode(text, add_special_tokens=False).ids
    bert = reference[0].auto_model if hasattr(reference[0], "auto_model") else reference[0].model
    vectors, weights = [], []
    for start, end in window_ranges(len(ids), limit - 2):
        window = [tokenizer.cls_token_id, *ids[start:end], tokenizer.sep_token_id]
        with torch.no_grad():
            hidden = bert(input_ids=torch.tensor([window])).last_hidden_state[0].numpy()
        vectors.append(unit(hidden.mean(axis=0)))
        weights.append(end - start)
    return merge_vectors(vectors, weights, True), len(vectors)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--texts", type=int, default=1000)
    options = parser.parse_args()
    reference = SentenceTransformer(options.model, device="cpu")
    model = vsr.load(options.model)
    limit = model.info.max_tokens

    texts = mixed_texts(options.data, options.texts, lambda text: model.tokenize(text).windows == 1)
    wrong = compare_encodings(reference, model, texts)
    print(f"{len(texts)} texts: ids, tokens and offsets differ in {wrong}")

    began = time.perf_counter()
    expected = reference.encode(texts, batch_size=32)
    reference_seconds = time.perf_counter() - began
    began = time.perf_counter()
    made = model.embed(texts)
    seconds = time.perf_counter() - began
    difference = float(np.abs(made - expected).max())
    print(f"{len(texts)} texts within {limit} tokens: largest difference {difference:.2e} "
          f"({seconds:.1f} s; sentence-transformers {reference_seconds:.1f} s)")  # fmt: skip

    long = long_texts(options.data)
    wrong += compare_encodings(reference, model, long)
    by_rule = [windowed_reference(reference, text, limit) for text in long]
    difference_long = float(np.abs(model.embed(long) - np.stack([vector for vector, _ in by_rule])).max())
    wrong += sum(model.tokenize(text).windows != windows for text, (_, windows) in zip(long, by_rule))
    print(f"{len(long)} texts of up to {max(w for _, w in by_rule)} windows: largest difference {difference_long:.2e}")
    return 0 if wrong == 0 and max(difference, difference_long) <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
