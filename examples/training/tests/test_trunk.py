"""The way that training takes through the model gives what the model itself gives."""

import contextlib

import pytest
from conftest import MISSING, REASON

if MISSING:
    pytest.skip(REASON, allow_module_level=True)

import torch
from lora_recipe.data import Example
from lora_recipe.encode import encode
from lora_recipe.model import adapted_layers, add_adapter, load_base
from lora_recipe.score import window_logits
from lora_recipe.settings import RecipeError, Settings
from lora_recipe.trunk import Trunk, logits_of

EXAMPLES = {
    "sequence": [Example("where is my card", label="a"), Example("please", label="b")],
    "pair": [Example("where is my card", pair="it is lost", label="a"), Example("hello", pair="world", label="b")],
    "token": [Example("where is my card", spans=[(9, 16, "A")]), Example("please", spans=[])],
}
LABELS = {"sequence": ["a", "b"], "pair": ["a", "b"], "token": ["O", "B-A", "I-A"]}


def with_random_adapter(base, settings):
    torch.manual_seed(3)
    model, tokenizer = load_base(base, settings.task, LABELS[settings.task])
    model = add_adapter(model, settings).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter += 0.1 * torch.randn(parameter.shape)
    return model, tokenizer


@pytest.mark.parametrize("task", ["sequence", "pair", "token"])
@pytest.mark.parametrize("grad", [False, True])
def test_same_logits(base, task, grad):
    settings = Settings(task=task, last_layers=2, rank=4, train_pooler=True)
    model, tokenizer = with_random_adapter(base, settings)
    assert adapted_layers(model, settings) == [1, 2]
    windows = encode(EXAMPLES[task], tokenizer, LABELS[task], task, 24)
    trunk = Trunk(model.base_model.model.bert, 1, windows, contextlib.nullcontext)
    with torch.set_grad_enabled(grad):
        made = logits_of(model.base_model.model, 1, trunk.rows([0, 1]), task).detach().numpy()
    for row, expected in zip(made, window_logits(model, windows)):
        assert row[: len(expected)] == pytest.approx(expected, abs=1e-5)


def test_more_layers_than_there_are(base):
    with pytest.raises(RecipeError, match='"last_layers" is 9, the base model has 3 layers'):
        with_random_adapter(base, Settings(last_layers=9))
