"""From examples to a folder with an adapter, thresholds, reference answers and a report."""

import pathlib
import random
import time

import numpy as np
import torch

from . import calibrate, evaluate, neighbours
from .data import label_names
from .encode import encode
from .export import check_same, reload_adapter, round_to_float16, save_adapter, scale_head, write_json
from .joined import joined_examples
from .model import adapted_layers, add_adapter, load_base, model_limit
from .score import entities, merged_probs, window_logits
from .settings import RecipeError
from .splits import split
from .training import autocast_of, train
from .trunk import Trunk
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


def make_adapter(examples, settings, base: pathlib.Path, base_name: str, folder: pathlib.Path, own=None, say=print):
    """Trains, saves and measures; returns the report. `own` are texts for expected.json, else held-out ones serve."""
    torch.manual_seed(settings.seed)
    began = time.monotonic()
    labels, rows = label_names(examples, settings.task), split(examples, settings)
    check_labels(examples, rows, labels, settings)
    say("split: " + ", ".join(f"{len(part)} {name}" for name, part in rows.items()))
    model, tokenizer = load_base(base, settings.task, labels)
    limit = model_limit(base, model, tokenizer)
    sides = {name: [examples[row] for row in part] for name, part in rows.items()}
    if settings.joined:
        sides["train"] += joined_examples(sides["train"], settings)
    parts = {name: Part(side, tokenizer, labels, settings, limit) for name, side in sides.items()}
    parts["train"].windows = spread(parts["train"].windows, settings.max_windows, unsafe_of(labels, settings))
    train_windows = parts["train"].windows
    if settings.max_tokens:
        train_windows = encode(parts["train"].examples, tokenizer, labels, settings.task, settings.max_tokens)
        train_windows = spread(train_windows, settings.max_windows, unsafe_of(labels, settings))
    layers = adapted_layers(model, settings)

    say("the trunk of all windows, and their nearest neighbours")
    autocast = autocast_of(settings)
    trunks = {name: Trunk(model.bert, layers[0], part.windows, autocast) for name, part in parts.items()}
    nearest, soft = measure_neighbours(model.bert, trunks, parts, labels, settings)
    trunk = trunks["train"]
    if train_windows is not parts["train"].windows:
        trunk = Trunk(model.bert, layers[0], train_windows, autocast)
    say(f"training on {len(train_windows)} windows, {len(trunk.hidden)} tokens")
    model = add_adapter(model, settings)
    trained = train(model, trunk, train_windows, labels, settings, soft, say)

    say("calibration")
    if settings.float16:
        round_to_float16(model)
    logits = window_logits(model, parts["calibration"].windows)
    temperature = round(calibrate.temperature_of(*calibrate.rows_with_targets(parts["calibration"].windows, logits)), 4)
    scale_head(model, temperature)
    if settings.float16:
        round_to_float16(model)
    folder.mkdir(parents=True, exist_ok=True)
    save_adapter(model, labels, settings, base_name, folder)

    # From here on everything is measured on what was saved.
    reloaded = reload_adapter(base, folder, settings)
    difference = check_same(model, reloaded, parts["calibration"].windows[:64])
    say(f"reloaded with peft: differs by {difference:.1e} at most; measuring")
    thresholds = make_thresholds(reloaded, parts["calibration"], labels, settings, temperature)
    write_json(folder / "thresholds.json", thresholds)
    measured = measure(
        window_logits(reloaded, parts["held_out"].windows), parts["held_out"], labels, settings, thresholds
    )
    expected = expected_answers(reloaded, own or parts["held_out"].examples, tokenizer, labels, settings, limit)
    write_json(folder / "expected.json", expected)
    return {
        "rows": {name: len(part.examples) for name, part in parts.items()},
        "labels": labels,
        "layers": layers,
        "layers_of_base": model.config.num_hidden_layers,
        "window_tokens": limit,
        "trained": trained,
        "temperature": temperature,
        "reload_difference": difference,
        "held_out": measured,
        "neighbours": nearest,
        "seconds": round(time.monotonic() - began),
    }


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


def unsafe_of(labels, settings):
    return labels.index(settings.unsafe_label) if settings.unsafe_label else None


def answers(logits, part, labels, settings):
    """What the windows of each text say together: entities, or probabilities."""
    if settings.task == "token":
        return entities(part.windows, logits, labels, len(part.examples))
    return merged_probs(part.windows, logits, len(part.examples), unsafe_of(labels, settings))


def make_thresholds(model, part, labels, settings, temperature):
    made = answers(window_logits(model, part.windows), part, labels, settings)
    result = {
        "version": 1,
        "task": settings.task,
        "temperature": temperature,
        "calibration": {"rows": len(part.examples), "seed": settings.seed, "data": settings.data},
    }
    if settings.task == "token":
        result |= {"target_precision": settings.target_precision}
        result["labels"] = calibrate.entity_thresholds(made, part.true, settings.target_precision)
    elif settings.unsafe_label:
        unsafe = unsafe_of(labels, settings)
        scores, is_unsafe = made[:, unsafe], part.targets == unsafe
        threshold = calibrate.alarm_threshold(scores, is_unsafe, settings.max_false_alarms)
        metrics = evaluate.alarm_metrics(scores, is_unsafe, part.sources, threshold)
        result |= {"max_false_alarms": settings.max_false_alarms}
        entry = {"threshold": threshold, "recall": metrics["recall"], "false_alarms": metrics["false_alarms"]}
        result["labels"] = {settings.unsafe_label: entry}
    else:
        result |= {"target_precision": settings.target_precision}
        result["labels"] = calibrate.sequence_thresholds(made, part.targets, labels, settings.target_precision)
    return result


def measure(logits, part, labels, settings, thresholds):
    made = answers(logits, part, labels, settings)
    if settings.task == "token":
        chosen = {label: entry["threshold"] or 0 for label, entry in thresholds["labels"].items()}
        return {"strict": evaluate.entity_metrics(made, part.true),
                "with_thresholds": evaluate.entity_metrics(made, part.true, chosen)}  # fmt: skip
    result = evaluate.sequence_metrics(made, part.targets, labels, part.sources)
    if settings.unsafe_label:
        unsafe = unsafe_of(labels, settings)
        threshold = thresholds["labels"][settings.unsafe_label]["threshold"]
        result["alarms"] = evaluate.alarm_metrics(made[:, unsafe], part.targets == unsafe, part.sources, threshold)
    return result


def measure_neighbours(bert, trunks, parts, labels, settings):
    """The same measures for the rule without training, k chosen on the calibration texts; and targets to train on."""
    if settings.task == "token":
        asked = parts["held_out"]
        known, other = (neighbours.states(bert, trunks[n], parts[n].windows, settings) for n in ("train", "held_out"))
        logits = neighbours.token_logits(known, parts["train"].windows, other, len(labels))
        return {"k": 1, **evaluate.entity_metrics(answers(logits, asked, labels, settings), asked.true)}, None
    vectors = {name: neighbours.embeddings(bert, trunks[name], part.windows, settings) for name, part in parts.items()}
    targets = np.array([window.target for window in parts["train"].windows])

    def probs(name, k):
        made = neighbours.votes(vectors[name] @ vectors["train"].T, targets, len(labels), k)
        return answers(list(np.log(np.maximum(made, 1e-9))), parts[name], labels, settings)

    def right(k):
        return (probs("calibration", k).argmax(1) == parts["calibration"].targets).mean()

    k = max(neighbours.CHOICES, key=right)
    asked, made = parts["held_out"], probs("held_out", k)
    result = {"k": k, **evaluate.sequence_metrics(made, asked.targets, labels, asked.sources)}
    if settings.unsafe_label:
        unsafe, known = unsafe_of(labels, settings), parts["calibration"]
        scores = probs("calibration", k)[:, unsafe]
        threshold = calibrate.alarm_threshold(scores, known.targets == unsafe, settings.max_false_alarms)
        result["alarms"] = evaluate.alarm_metrics(made[:, unsafe], asked.targets == unsafe, asked.sources, threshold)
    result["near"] = near_training(vectors)
    if settings.neighbour_smoothing == 0:
        return result, None
    return result, neighbours.soft_targets(vectors["train"], parts["train"].windows, len(labels))


def near_training(vectors, near=0.95):
    """How many held-out texts have a training text this close: what is left of duplicates after grouping."""
    nearest = (vectors["held_out"] @ vectors["train"].T).max(1)
    return {"similarity": near, "windows": int((nearest >= near).sum()), "of": len(nearest),
            "median_nearest": round(float(np.median(nearest)), 3)}  # fmt: skip


def expected_answers(model, examples, tokenizer, labels, settings, limit, count=20, longest=2500):
    """Texts with the reference's answers, for tests of what serves the adapter."""
    chosen = [example for example in examples if len(example.text) <= longest]
    strata = {}
    for example in random.Random(settings.seed).sample(chosen, len(chosen)):
        strata.setdefault((example.source, example.label), []).append(example)
    queues, picked = list(strata.values()), []
    while len(picked) < min(count, len(chosen)):
        queues = [queue for queue in queues if queue]
        picked += [queue.pop() for queue in queues]
    part = Part(picked[:count], tokenizer, labels, settings, limit)
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
