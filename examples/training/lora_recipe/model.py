"""The base model with a fresh adapter on its last layers."""

import json
import pathlib

import torch
from peft import LoraConfig, TaskType, get_peft_model
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoModelForTokenClassification, AutoTokenizer

from .settings import RecipeError

CLASSES = {
    "sequence": (AutoModelForSequenceClassification, TaskType.SEQ_CLS),
    "pair": (AutoModelForSequenceClassification, TaskType.SEQ_CLS),
    "token": (AutoModelForTokenClassification, TaskType.TOKEN_CLS),
}


def load_base(path: pathlib.Path, task, labels):
    """The plain headed model in float32 and its tokenizer. The head is new and seeded by the caller."""
    if not (path / "config.json").is_file():
        raise RecipeError(f"{path}: no config.json; expected the folder of a base model")
    config = AutoConfig.from_pretrained(path)
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: i for i, label in enumerate(labels)}
    model_class, _ = CLASSES[task]
    model = model_class.from_pretrained(path, config=config, dtype=torch.float32)
    return model.eval(), AutoTokenizer.from_pretrained(path)


def model_limit(path: pathlib.Path, model, tokenizer) -> int:
    """Tokens in a window, by the rule that vsr follows."""
    file = path / "sentence_bert_config.json"
    if file.is_file():
        limit = json.loads(file.read_text("utf-8")).get("max_seq_length")
        if isinstance(limit, int):
            return limit
    return min(tokenizer.model_max_length, model.config.max_position_embeddings)


def adapted_layers(model, settings) -> list[int]:
    layers = model.config.num_hidden_layers
    if settings.last_layers > layers:
        raise RecipeError(f'"last_layers" is {settings.last_layers}, the base model has {layers} layers')
    return list(range(layers - settings.last_layers, layers))


def add_adapter(model, settings):
    saved = ["classifier"]
    if settings.train_pooler and settings.task != "token":
        saved.append("pooler")
    config = LoraConfig(
        task_type=CLASSES[settings.task][1],
        r=settings.rank,
        lora_alpha=settings.alpha,
        use_rslora=settings.rslora,
        target_modules=settings.target_modules,
        layers_to_transform=adapted_layers(model, settings),
        modules_to_save=saved,
    )
    return get_peft_model(model, config)
