"""Writes the adapter as `peft` writes it, and proves that what was written is what was trained."""

import json
import pathlib

import numpy as np
import torch
from peft import PeftModel
from safetensors.torch import load_file, save_file

from .model import load_base
from .score import softmax, window_logits
from .settings import RecipeError

WEIGHTS = "adapter_model.safetensors"
TOLERANCE = 1e-5  # on probabilities


def scale_head(model, temperature):
    """Folds the temperature into the head: its softmax is then calibrated as it is, with no setting left over."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.requires_grad and ".classifier." in name:
                parameter /= temperature


def round_to_float16(model):
    """Measured, then, is what will be stored."""
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                rounded = parameter.half().float()
                if not torch.isfinite(rounded).all():
                    raise RecipeError('a trained weight does not fit float16; set "float16 = false"')
                parameter.copy_(rounded)


def write_json(path: pathlib.Path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def save_adapter(model, labels, settings, base_name, folder: pathlib.Path):
    (folder / "README.md").unlink(missing_ok=True)  # peft would write into the one of an earlier run
    model.save_pretrained(folder)
    tensors = load_file(folder / WEIGHTS)
    dtype = torch.float16 if settings.float16 else torch.float32
    tensors = {name: tensor.to(dtype).contiguous() for name, tensor in tensors.items()}
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})
    # The base's name, not where it lay on this machine.
    config = json.loads((folder / "adapter_config.json").read_text("utf-8"))
    config["base_model_name_or_path"] = base_name
    for key in ("target_modules", "modules_to_save"):
        config[key] = sorted(set(config[key]))  # peft keeps sets, whose order differs from run to run
    if config["lora_alpha"] == int(config["lora_alpha"]):
        config["lora_alpha"] = int(config["lora_alpha"])
    write_json(folder / "adapter_config.json", config)
    write_json(folder / "id2label.json", {str(i): label for i, label in enumerate(labels)})


def reload_adapter(base: pathlib.Path, folder: pathlib.Path, settings):
    """Plain `peft`: the base as it was, and the folder."""
    labels = list(json.loads((folder / "id2label.json").read_text("utf-8")).values())
    model, _ = load_base(base, settings.task, labels)
    return PeftModel.from_pretrained(model, folder).eval()


def check_same(trained, reloaded, windows) -> float:
    """The largest difference of a probability between the model trained and the one reloaded."""
    pairs = zip(window_logits(trained, windows), window_logits(reloaded, windows))
    difference = max(float(np.abs(softmax(a) - softmax(b)).max()) for a, b in pairs)
    if difference > TOLERANCE:
        raise RecipeError(f"the reloaded adapter differs from the trained one by {difference:.1e} in a probability")
    return difference
