"""What an adapter is worth: its thresholds, its answers on held-out texts, and those of the nearest neighbours."""

import numpy as np

from . import calibrate, evaluate, neighbours
from .score import entities, merged_probs, window_logits
from .training import autocast_of
from .trunk import Trunk


def trunk_of(bert, windows, recipe):
    return Trunk(bert, recipe.layers[0], windows, autocast_of(recipe.settings))


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


def measure_neighbours(recipe, parts):
    """The same measures for the rule without training, k chosen on the calibration texts."""
    settings, labels, bert = recipe.settings, recipe.labels, recipe.model.bert

    def of(reduced, name):
        return reduced(bert, trunk_of(bert, parts[name].windows, recipe), parts[name].windows, settings)

    if settings.task == "token":
        asked = parts["held_out"]
        known, other = of(neighbours.states, "train"), of(neighbours.states, "held_out")
        logits = neighbours.token_logits(known, parts["train"].windows, other, len(labels))
        return {"k": 1, **evaluate.entity_metrics(answers(logits, asked, labels, settings), asked.true)}
    vectors = {name: of(neighbours.embeddings, name) for name in parts}
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
    return result


def near_training(vectors, near=0.95):
    """How many held-out texts have a training text this close: what is left of duplicates after grouping."""
    nearest = (vectors["held_out"] @ vectors["train"].T).max(1)
    return {"similarity": near, "windows": int((nearest >= near).sum()), "of": len(nearest),
            "median_nearest": round(float(np.median(nearest)), 3)}  # fmt: skip
