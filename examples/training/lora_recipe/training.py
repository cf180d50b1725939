"""The training loop: AdamW, linear warm-up and decay, and the mean of the last weights."""

import contextlib
import math
import time

import numpy as np
import torch
from torch.nn import functional

from .encode import IGNORED, batches
from .trunk import logits_of, padded


def autocast_of(settings):
    def context():
        return torch.autocast("cpu", torch.bfloat16) if settings.bfloat16 else contextlib.nullcontext()

    return context


def learning_rate_at(step, steps, warmup):
    warm = max(1, round(warmup * steps))
    return (step + 1) / warm if step < warm else max(0.05, (steps - step) / max(1, steps - warm))


class WeightMean:
    """The running mean of the trained weights."""

    def __init__(self, parameters):
        self.parameters, self.mean, self.count = parameters, [torch.zeros_like(p) for p in parameters], 0

    @torch.no_grad()
    def add(self):
        self.count += 1
        for mean, parameter in zip(self.mean, self.parameters):
            mean += (parameter - mean) / self.count

    @torch.no_grad()
    def put_back(self):
        for mean, parameter in zip(self.mean, self.parameters):
            if self.count:
                parameter.copy_(mean)


def loss_weights(settings, labels):
    if not settings.class_weights:
        return None
    return torch.tensor([settings.class_weights.get(label, 1.0) for label in labels])


def targets_of(windows, settings, labels, soft):
    """Label ids; or with the neighbours' votes, [texts, labels], probabilities."""
    if settings.task == "token":
        return padded([window.target for window in windows], IGNORED).flatten()
    hard = torch.tensor([window.target for window in windows])
    if soft is None:
        return hard
    voted = torch.tensor(soft[[window.example for window in windows]], dtype=torch.float32)
    return torch.lerp(functional.one_hot(hard, labels).float(), voted, settings.neighbour_smoothing)


def loss_of(logits, targets, settings, weights):
    return functional.cross_entropy(
        logits.float().flatten(0, -2),
        targets,
        weight=weights,
        ignore_index=IGNORED,
        label_smoothing=settings.label_smoothing,
    )


def train(model, trunk, windows, labels, settings, soft=None, say=print):
    """Trains the adapter of a PEFT model in place; returns what the report says about it."""
    headed, autocast = model.base_model.model, autocast_of(settings)
    parameters = [p for p in model.parameters() if p.requires_grad]
    plain = [p for p in parameters if p.dim() < 2]
    matrices = [p for p in parameters if p.dim() >= 2]
    groups = [{"params": matrices, "weight_decay": settings.weight_decay}, {"params": plain, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=settings.learning_rate)
    steps = math.ceil(settings.epochs * math.ceil(len(windows) / settings.batch_size))
    generator, weights = np.random.default_rng(settings.seed), loss_weights(settings, labels)
    mean = WeightMean(parameters)
    mean_from, mean_every = int(steps * (1 - settings.average_last)), max(1, steps // 200)

    model.train()
    step, losses, began = 0, [], time.monotonic()
    while step < steps:
        for numbers in batches(windows, settings.batch_size, generator):
            if step == steps:
                break
            for group in optimizer.param_groups:
                group["lr"] = settings.learning_rate * learning_rate_at(step, steps, settings.warmup)
            with autocast():
                logits = logits_of(headed, trunk.first_layer, trunk.rows(numbers), settings.task)
            targets = targets_of([windows[n] for n in numbers], settings, len(labels), soft)
            loss = loss_of(logits, targets, settings, weights)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            losses.append(loss.item())
            step += 1
            if step > mean_from and step % mean_every == 0:
                mean.add()
            if step % 50 == 0 or step == steps:
                say(f"step {step} of {steps}: loss {np.mean(losses[-50:]):.4f}, {time.monotonic() - began:.0f} s")
    mean.put_back()
    model.eval()
    return {
        "windows": len(windows), "tokens": len(trunk.hidden), "steps": steps, "averaged": mean.count,
        "last_loss": round(float(np.mean(losses[-50:])), 4),
        "seconds": round(time.monotonic() - began),
        "trained_parameters": sum(p.numel() for p in parameters),
    }  # fmt: skip
