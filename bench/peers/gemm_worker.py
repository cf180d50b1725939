"""The machine's limit: the products of a model's layers alone, weights packed once.    gemm_worker.py MODEL THREADS DTYPE"""

import json
import pathlib
import sys

import protocol
import torch

folder, threads, dtype = pathlib.Path(sys.argv[1]), int(sys.argv[2]), getattr(torch, sys.argv[3])
if dtype == torch.bfloat16 and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
    protocol.skip("packed products in bfloat16 need a processor with AVX-512 or AMX")
torch.set_num_threads(threads)
config = json.loads((folder / "config.json").read_text())
hidden, inner = config["hidden_size"], config["intermediate_size"]
dim = config.get("head_dim") or hidden // config["num_attention_heads"]
queries = config["num_attention_heads"] * dim
keys = config.get("num_key_value_heads", config["num_attention_heads"]) * dim
gates = 1 if config["model_type"] == "bert" else 2
SHAPES = [(queries + 2 * keys, hidden), (hidden, queries), (gates * inner, hidden), (hidden, inner)]
ROWS = 2048  # products of more rows are slower than several of this many
# Each layer has weights of its own, as a model has: those of one layer would stay in the cache.
weights = [[(torch.randn(shape) / shape[1] ** 0.5).to(dtype) for shape in SHAPES]
           for _ in range(config["num_hidden_layers"])]  # fmt: skip


# By oneDNN, which is quicker than at::linear in float32 as well.
def packed(weight, rows):
    return torch.ops.mkldnn._reorder_linear_weight(weight, rows)


def multiply(x, weight):
    return torch.ops.mkldnn._linear_pointwise(x, weight, None, "none", [], "")


def forward(ids, texts, pooling):
    total = len(ids) * len(ids[0])
    rows = [min(ROWS, total - at) for at in range(0, total, ROWS)]
    inputs = [[torch.randn(n, shape[1]).to(dtype) for shape in SHAPES] for n in rows]
    layers = [[packed(weight, rows[0]) for weight in layer] for layer in weights]

    def run():
        with torch.inference_mode():
            for layer in layers:
                for block in inputs:
                    for x, weight in zip(block, layer):
                        multiply(x, weight)

    return run


protocol.serve(forward)
