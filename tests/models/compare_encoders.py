"""Full-size checkpoints through vsr against transformers in float32, at several lengths and after a layer.

Not part of the test run: needs transformers, vsr on PYTHONPATH and a folder of bench/make_encoder_checkpoint.py.
    PYTHONPATH=build/bindings/python python tests/models/compare_encoders.py build/models/modernbert-base [--lengths 500]
Exits with 1 when a unit vector differs by more than 1e-5 or a token id at all.
"""

import argparse
import sys

import numpy as np

# Both orders of import work when the versions of LibTorch are equal; this one is the usual.
import torch
import vsr
from transformers import AutoModel

TOLERANCE = 1e-5


def reference_vector(model, ids, layers):
    blocks = model.layers
    model.layers = torch.nn.ModuleList(blocks[:layers])
    with torch.no_grad():
        hidden = model(input_ids=torch.tensor([ids])).last_hidden_state[0]
    model.layers = blocks
    pooled = hidden[-1] if model.config.model_type == "qwen3" else hidden.mean(0)
    return (pooled / pooled.norm()).numpy()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--lengths", type=int, nargs="+", default=[5, 130, 500, 1200])
    arguments = parser.parse_args()
    reference = AutoModel.from_pretrained(arguments.folder, dtype=torch.float32).eval()
    model = vsr.load(arguments.folder)
    worst = 0.0
    for length in arguments.lengths:
        text = " ".join(f"w{(7 * i) % 1000}" for i in range(length - 2))
        ids = model.tokenize(text).ids
        if len(ids) != length:
            sys.exit(f"{length} tokens were asked for, the tokenizer made {len(ids)}")
        for layers in (len(reference.layers), len(reference.layers) // 2):
            made = model.embed([text], layer=layers)[0]
            difference = float(np.abs(made - reference_vector(reference, ids, layers)).max())
            worst = max(worst, difference)
            print(f"{length} tokens, {layers} layers: largest difference {difference:.2e}", flush=True)
    sys.exit(worst > TOLERANCE)


if __name__ == "__main__":
    main()
