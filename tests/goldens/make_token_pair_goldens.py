"""Writes token-pairs.json: what the tiny token classifiers under models/ say of pairs of texts, the second of which they label.

Run as make_model_goldens.py, after it: the folders are read as they are.
"""

import numpy as np
import torch
from golden_texts import PAIRS
from golden_windows import merge_token_rows, spans_of_window, unite
from make_model_goldens import HERE, MODELS, SPECS, THRESHOLDS, Reference, write_golden
from transformers import BertForTokenClassification, BertTokenizerFast

NAMES = ("bert-token", "bert-token-plain")
MORE_PAIRS = [
    ["Café in Strasse 12, é", "the hotel in paris 🙂 is not 你好 lost: É 12?"],
    ["hello world " * 14, "it is lost, hello!"],
    ["it is lost, hello!", "hello world in berlin " * 14],
]


def rows_of_pair(case, windows, windowed):
    """One row per token of the full encoding: of the windowed side the most central, of the other the mean."""
    side_of = np.array(case["sides"])
    leading = int(np.argmax(side_of == windowed)) if (side_of == windowed).any() else len(side_of)
    trailing = len(side_of) - leading - int((side_of == windowed).sum())
    rows = merge_token_rows([probs for probs, _ in windows], [r[windowed] for _, r in windows], leading, trailing)
    for i in np.flatnonzero(side_of == 1 - windowed):
        rows[i] = np.mean([probs[i if i < leading else i - len(side_of)] for probs, _ in windows], axis=0)
    return rows


def pair_case(reference, name, texts):
    case = reference.encode(texts)
    own = [[o for o, s in zip(case["offsets"], case["sides"]) if s == side] for side in (0, 1)]
    windows, spans = [], []
    for window, types, ranges in reference.windows(texts):
        probs = reference.probabilities(reference.run(window, types).logits[0])
        windows.append((probs, ranges))
        start, end = ranges[1]
        second = probs[len(window) - 1 - (end - start) : len(window) - 1]
        spans += spans_of_window(second, reference.labels, [1] * (end - start), own[1][start:end])
    windowed = 1 if len(own[1]) > len(own[0]) else 0
    case = dict(model=name, text=texts[0], pair=texts[1], windows=len(windows), ids=case["ids"])
    case["token_probs"] = rows_of_pair(reference.encode(texts), windows, windowed).tolist()
    spans = spans if len(windows) == 1 else unite(spans, reference.labels)
    for threshold in THRESHOLDS:
        # Rounding must decide nothing.
        assert all(abs(span["score"] - threshold) > 1e-4 for span in spans)
        case[f"entities_{threshold}"] = [span for span in spans if span["score"] >= threshold]
    best = np.sort(np.concatenate([probs for probs, _ in windows]), axis=1)
    assert (best[:, -1] - best[:, -2]).min() > 1e-5
    return case


def main():
    cases = []
    for spec in SPECS:
        if spec["name"] not in NAMES:
            continue
        folder = MODELS / spec["name"]
        model = BertForTokenClassification.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager")
        reference = Reference(spec, model.eval(), BertTokenizerFast.from_pretrained(folder))
        cases += [pair_case(reference, spec["name"], texts) for texts in PAIRS + MORE_PAIRS]
    write_golden(HERE / "token-pairs.json", dict(tolerance=1e-5, cases=cases))
    print([(case["windows"], len(case["entities_0.5"])) for case in cases])


if __name__ == "__main__":
    main()
