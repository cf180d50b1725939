"""Writes LoRA adapters with random weights for a ModernBERT checkpoint, in the form that peft saves.

    python bench/make_adapters.py build/models/modernbert-base build/models/modernbert-adapters --count 64 --layers 4

Each adapts Wqkv, attn.Wo, Wi and mlp.Wo of the last --layers layers (0: all) and brings a head of its own for
classification. Needs numpy.
"""

import argparse
import json
import pathlib

import numpy as np
from make_encoder_checkpoint import write_safetensors

LABELS = 14


def shapes_of(config, first, rank):
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    modules = {"attn.Wqkv": (hidden, 3 * hidden), "attn.Wo": (hidden, hidden), "mlp.Wi": (hidden, 2 * inner),
               "mlp.Wo": (inner, hidden)}  # fmt: skip
    shapes = {}
    for layer in range(first, config["num_hidden_layers"]):
        for name, (inputs, outputs) in modules.items():
            module = f"base_model.model.model.layers.{layer}.{name}"
            shapes[module + ".lora_A.weight"] = (rank, inputs)
            shapes[module + ".lora_B.weight"] = (outputs, rank)
    head = {"head.dense.weight": (hidden, hidden), "head.norm.weight": (hidden,),
            "classifier.weight": (LABELS, hidden), "classifier.bias": (LABELS,)}  # fmt: skip
    return shapes | {"base_model.model." + name: shape for name, shape in head.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("base", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=64)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--rank", type=int, default=8)
    arguments = parser.parse_args()
    config = json.loads((arguments.base / "config.json").read_text())
    layers = config["num_hidden_layers"]
    first = 0 if arguments.layers == 0 else layers - arguments.layers
    for i in range(arguments.count):
        folder = arguments.folder / f"task{i}"
        folder.mkdir(parents=True, exist_ok=True)
        shapes = shapes_of(config, first, arguments.rank)
        write_safetensors(folder / "adapter_model.safetensors", shapes, "F32", np.float32(1), 1000 + i)
        settings = dict(peft_type="LORA", task_type="SEQ_CLS", r=arguments.rank, lora_alpha=arguments.rank,
                        target_modules=["Wqkv", "Wi", "Wo"], layers_to_transform=list(range(first, layers)),
                        modules_to_save=["head", "classifier"], base_model_name_or_path=str(arguments.base.name))  # fmt: skip
        (folder / "adapter_config.json").write_text(json.dumps(settings, indent=1) + "\n")
        labels = {str(label): f"label {label}" for label in range(LABELS)}
        (folder / "id2label.json").write_text(json.dumps(labels) + "\n")
    own = sum(int(np.prod(shape)) for name, shape in shapes.items() if "lora" in name)
    print(f"{arguments.folder}: {arguments.count} adapters of {own:,} parameters besides the head")


if __name__ == "__main__":
    main()
