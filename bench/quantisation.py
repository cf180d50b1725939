#!/usr/bin/env python3
"""Where int8 and bfloat16 lose accuracy, simulated with transformers: types that this machine lacks, and parts alone.

    HF_HUB_OFFLINE=1 path/to/python bench/quantisation.py [--texts 160] [--layers]

Integers are rounded exactly as src/core/kernels/quantize_kernels.h rounds them and multiplied as floats that hold their
sums almost exactly, so only the order of sums differs from vsr. Cosines are those of all-MiniLM-L6-v2's mean-pooled
vectors with the ones of float32. Needs torch and transformers, and what accuracy.py needs besides vsr.
"""

import argparse

import torch
from accuracy_texts import MODEL, mixed, sources
from machine import machine
from torch.nn.functional import linear
from transformers import AutoModel, AutoTokenizer

MOST_TOKENS = 64


def even(x, most):
    """-most .. most around 0."""
    scale = x.abs().amax(-1, keepdim=True).clamp_min(1e-30) / most
    return (x / scale).round() * scale


def spread_within(x, within, most):
    """0 .. most over the range that `within` has in each row, with 0 in it."""
    low = within.amin(-1, keepdim=True).clamp_max(0)
    scale = ((within.amax(-1, keepdim=True).clamp_min(0) - low) / most).clamp_min(1e-30)
    zero = (-low / scale).round()
    return ((x / scale + zero).round().clamp(0, most) - zero) * scale


def spread(x, most):
    """0 .. most over the row's range, with 0 in it."""
    return spread_within(x, x, most)


def bfloat16(x):
    return x.bfloat16().float()


def balancing(weight):
    """What columns are divided and inputs multiplied by; as balancing_factors() in src/core/linear/quantize.cpp."""
    most = weight.abs().amax(0)
    return (most / most.max()).sqrt().clamp_min(1e-3)


def ones(weight):
    return torch.ones_like(weight[0])


class Simulated(torch.nn.Module):
    """A linear layer: functions of its weight, of its rows and of what leaves it, and factors of the columns."""

    def __init__(self, layer, weight, rows, output, factors=ones):
        super().__init__()
        self.factors = factors(layer.weight)
        self.weight, self.bias, self.rows, self.output = weight(layer.weight / self.factors), layer.bias, rows, output

    def forward(self, x):
        return self.output(linear(self.rows(x * self.factors), self.weight, self.bias))


def same(x):
    return x


def weights(x):
    return even(x, 127)


def groups(x, size, most):
    """0 .. most over the range of each `size` neighbours of a row, narrowed to where the squared error is least."""
    x = x.unflatten(-1, (-1, size))
    narrowed = torch.stack([spread_within(x, x * part, most) for part in (1, 0.95, 0.9, 0.85, 0.8, 0.75)])
    best = (narrowed - x).square().sum(-1, keepdim=True).argmin(0, keepdim=True)
    return narrowed.take_along_dim(best, 0)[0].flatten(-2)


FORMS = {
    "weights of 8 bits alone": (weights, same, same),
    "rows of 7 bits alone": (same, lambda x: even(x, 63), same),
    "rows of 7 bits": (weights, lambda x: even(x, 63), same),
    "rows of 8 bits": (weights, lambda x: even(x, 127), same),
    "rows of 8 bits with a zero each (VNNI, AMX)": (weights, lambda x: spread(x, 255), same),
    "rows of 8 bits with a zero each, balanced": (weights, lambda x: spread(x, 255), same, balancing),
    "rows of 12 bits": (weights, lambda x: even(x, 2047), same),
    "rows of 12 bits, balanced (without)": (weights, lambda x: even(x, 2047), same, balancing),
    "weights of 4 bits by 32, rows of 8 bits": (lambda x: groups(x, 32, 15), lambda x: even(x, 127), same),
    "weights of 4 bits by 16, rows of 8 bits": (lambda x: groups(x, 16, 15), lambda x: even(x, 127), same),
    "bfloat16": (bfloat16, bfloat16, bfloat16),
}
PARTS = {
    "query, key, value": ".attention.self.",
    "attention's output": ".attention.output.",
    "up": ".intermediate.",
    "down": ".output.dense",
}


def part_of(name):
    return next(part for part, infix in PARTS.items() if infix in name)


def simulated(form, wanted):
    """The model with those layers of its blocks simulated whose name is wanted."""
    model = AutoModel.from_pretrained(MODEL, attn_implementation="eager").eval()
    layers = [(name, module) for name, module in model.named_modules() if isinstance(module, torch.nn.Linear)]
    for name, layer in layers:
        if "encoder.layer." in name and wanted(name):
            parent, _, leaf = name.rpartition(".")
            setattr(model.get_submodule(parent), leaf, Simulated(layer, *form))
    return model


def vectors(model, encodings):
    pooled = torch.stack([model(**encoding).last_hidden_state[0].mean(0) for encoding in encodings])
    return torch.nn.functional.normalize(pooled, dim=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--texts", type=int, default=160)
    parser.add_argument("--layers", action="store_true", help="rows of 7 bits in one part, or one block, at a time")
    arguments = parser.parse_args()
    torch.set_grad_enabled(False)
    print(machine())
    tokenizer = AutoTokenizer.from_pretrained(MODEL)
    encodings = [
        tokenizer(text, truncation=True, max_length=MOST_TOKENS, return_tensors="pt")
        for text in mixed(sources(), arguments.texts)
    ]
    reference = vectors(AutoModel.from_pretrained(MODEL, attn_implementation="eager").eval(), encodings)

    def report(name, form, wanted):
        cosines = (vectors(simulated(form, wanted), encodings) * reference).sum(1)
        print(f"| {name} | {cosines.mean():.5f} | {cosines.min():.5f} |", flush=True)

    print(f"\n| {arguments.texts} texts | mean cosine | least |\n| --- | ---: | ---: |")
    for name, form in FORMS.items():
        report(name, form, lambda _: True)
    if arguments.layers:
        for part in PARTS:
            report(f"rows of 7 bits in {part}", FORMS["rows of 7 bits"], lambda name: part_of(name) == part)
        for block in range(6):
            report(f"rows of 7 bits in block {block}", FORMS["rows of 7 bits"], lambda name: f".{block}." in name)


if __name__ == "__main__":
    main()
