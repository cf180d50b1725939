"""From examples to a folder with an adapter, thresholds, reference answers and a report."""

import dataclasses
import pathlib
import random
import time

import numpy as np
import torch

from . import calibrate, neighbours
from .data import label_names
from .encode import encode
from .export import check_same, reload_adapter, round_to_float16, save_adapter, scale_head, write_json
from .joined import joined_examples
from .measure import answers, make_thresholds, measure, measure_neighbours, trunk_of, unsafe_of
from .model import adapted_layers, add_adapter, load_base, model_limit
from .score import window_logits
from .settings import RecipeError
from .splits import split
from .training import train
from .windows import spread


class Part:
    """The examples of one side of the split, encoded as they are served."""

    def __init__(self, examples, tokenizer, labels, settings, limit):
        self.examples = examples
        self.windows = encode(examples, tokenizer, labels, settings.task, limit)
        self.sources = [example.source for example in examples]
        if settings.task == "token":
            self.true = [example.spans for example in examples]
        else:
            self.targets = np.array([labels.index(example.label) for example in examples])


class Recipe:
    """What all trainings of a run have in common."""

    def __init__(self, base: pathlib.Path, base_name: str, labels, settings, say):
        self.base, self.base_name, self.labels, self.settings, self.say = base, base_name, labels, settings, say
        self.model, self.tokenizer = load_base(base, settings.task, labels)  # without an adapter
        self.limit = model_limit(base, self.model, self.tokenizer)
        self.layers, self.layers_of_base = adapted_layers(self.model, settings), self.model.config.num_hidden_layers

    def part(self, examples):
        return Part(examples, self.tokenizer, self.labels, self.settings, self.limit)


def make_adapter(examples, settings, base: pathlib.Path, base_name: str, folder: pathlib.Path, own=None, say=print):
    """Trains, saves and measures; returns the report. `own` are texts for expected.json, else held-out ones serve."""
    began = time.monotonic()
    labels, rows = label_names(examples, settings.task), split(examples, settings)
    check_labels(examples, rows, labels, settings)
    say("split: " + ", ".join(f"{len(part)} {name}" for name, part in rows.items()))
    recipe = Recipe(base, base_name, labels, settings, say)
    sides = {name: [examples[row] for row in part] for name, part in rows.items()}
    folder.mkdir(parents=True, exist_ok=True)
    first = made = fit(recipe, sides, folder)

    # Everything is measured on what was saved.
    say(f"reloaded with peft: differs by {first.difference:.1e} at most; measuring")
    held_out = recipe.part(sides["held_out"])
    measured = measure(window_logits(first.model, held_out.windows), held_out, labels, settings, first.thresholds)
    nearest = measure_neighbours(recipe, {**first.parts, "held_out": held_out})
    if settings.refit:
        say("once more, with the held-out texts among the others")
        made = fit(recipe, {**sides, "train": sides["train"] + sides["held_out"]}, folder)
    expected = expected_answers(made.model, own or held_out.examples, recipe)
    write_json(folder / "expected.json", expected)
    return {
        "rows": {name: len(part.examples) for name, part in (first.parts | {"held_out": held_out}).items()},
        "labels": labels,
        "layers": recipe.layers,
        "layers_of_base": recipe.layers_of_base,
        "window_tokens": recipe.limit,
        "trained": made.trained,
        "temperature": made.temperature,
        "reload_difference": made.difference,
        "held_out": measured,
        "neighbours": nearest,
        "seconds": round(time.monotonic() - began),
    }


@dataclasses.dataclass
class Fitted:
    """A trained adapter as it was saved."""

    model: torch.nn.Module  # read back with plain peft
    parts: dict[str, Part]  # "train" and "calibration"
    thresholds: dict
    temperature: float
    difference: float  # of a probability, by saving and reading back
    trained: dict


def fit(recipe, sides, folder) -> Fitted:
    """Trains on one side, calibrates on the other, writes the folder. The same sides always give the same files."""
    settings, labels, say = recipe.settings, recipe.labels, recipe.say
    torch.manual_seed(settings.seed)
    model, _ = load_base(recipe.base, settings.task, labels)
    examples = sides["train"] + (joined_examples(sides["train"], settings) if settings.joined else [])
    parts = {"train": recipe.part(examples), "calibration": recipe.part(sides["calibration"])}
    unsafe = unsafe_of(labels, settings)
    parts["train"].windows = spread(parts["train"].windows, settings.max_windows, unsafe)
    windows = parts["train"].windows
    if settings.max_tokens:
        windows = encode(examples, recipe.tokenizer, labels, settings.task, settings.max_tokens)
        windows = spread(windows, settings.max_windows, unsafe)

    say("the trunk of all windows")
    trunk = trunk_of(model.bert, windows, recipe)
    soft = None
    if settings.neighbour_smoothing:
        served = parts["train"].windows
        whole = trunk if windows is served else trunk_of(model.bert, served, recipe)
        soft = neighbours.soft_targets(neighbours.embeddings(model.bert, whole, served, settings), served, len(labels))
    say(f"training on {len(windows)} windows, {len(trunk.hidden)} tokens")
    model = add_adapter(model, settings)
    trained = train(model, trunk, windows, labels, settings, soft, say)

    say("calibration")
    if settings.float16:
        round_to_float16(model)
    logits = window_logits(model, parts["calibration"].windows)
    temperature = round(calibrate.temperature_of(*calibrate.rows_with_targets(parts["calibration"].windows, logits)), 4)
    scale_head(model, temperature)
    if settings.float16:
        round_to_float16(model)
    save_adapter(model, labels, settings, recipe.base_name, folder)
    reloaded = reload_adapter(recipe.base, folder, settings)
    difference = check_same(model, reloaded, parts["calibration"].windows[:64])
    thresholds = make_thresholds(reloaded, parts["calibration"], labels, settings, temperature)
    write_json(folder / "thresholds.json", thresholds)
    return Fitted(reloaded, parts, thresholds, temperature, difference, trained)


def check_labels(examples, rows, labels, settings):
    if len(labels) < 2:
        raise RecipeError(f"the data has only the label {labels}; expected two or more")
    if settings.unsafe_label and settings.unsafe_label not in labels:
        raise RecipeError(f'"unsafe_label" is "{settings.unsafe_label}", the data has: {", ".join(labels)}')
    for key in settings.class_weights:
        if key not in labels:
            raise RecipeError(f'"class_weights" names "{key}", the data has: {", ".join(labels)}')
    for name, part in rows.items():
        if not part:
            raise RecipeError(f'nothing is left for "{name}": {len(examples)} rows are too few, or one group')
    if settings.task != "token":
        missing = set(labels) - {examples[row].label for row in rows["train"]}
        if missing:
            raise RecipeError(f"no training row is left of: {', '.join(sorted(missing))}")


def expected_answers(model, examples, recipe, count=20, longest=2500):
    """Texts with the reference's answers, for tests of what serves the adapter."""
    settings, labels = recipe.settings, recipe.labels
    chosen = [example for example in examples if len(example.text) <= longest]
    strata = {}
    for example in random.Random(settings.seed).sample(chosen, len(chosen)):
        strata.setdefault((example.source, example.label), []).append(example)
    queues, picked = list(strata.values()), []
    while len(picked) < min(count, len(chosen)):
        queues = [queue for queue in queues if queue]
        picked += [queue.pop() for queue in queues]
    part = recipe.part(picked[:count])
    logits = window_logits(model, part.windows, size=1)
    made = answers(logits, part, labels, settings)
    rows = []
    for number, (example, answer) in enumerate(zip(part.examples, made)):
        row = {"text": example.text}
        if example.pair is not None:
            row["text_pair"] = example.pair
        row["windows"] = sum(window.example == number for window in part.windows)
        if settings.task == "token":
            row["entities"] = [{**span, "score": round(span["score"], 7)} for span in answer]
        else:
            row |= {"label": labels[int(answer.argmax())], "probs": [round(float(p), 7) for p in answer]}
        rows.append(row)
    return {"labels": labels, "merge": settings.unsafe_label or "mean", "offsets": "characters", "texts": rows}
