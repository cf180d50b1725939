"""What needs no training: the vote of the nearest training texts, by the base model's own embeddings.

The rule is that of vsr's private intents: each of the k nearest adds e^(10 x similarity) to its label. Of a token task
the nearest training token decides, by the hidden states of the last layer.
"""

import numpy as np
import torch

from .encode import IGNORED, batches
from .training import autocast_of
from .trunk import hidden_states

CHOICES = (1, 5, 10, 20, 40)


def states(bert, trunk, windows, settings, reduce=lambda state: state):
    """What `reduce` makes of the last hidden states of each window, [tokens, hidden_size]."""
    result = [None] * len(windows)
    with torch.inference_mode(), autocast_of(settings)():
        for numbers in batches(windows, 32):
            hidden = hidden_states(bert, trunk.first_layer, trunk.rows(numbers))
            for n, state in zip(numbers, hidden):
                result[n] = reduce(state[: len(windows[n].ids)].float()).numpy()
    return result


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def embeddings(bert, trunk, windows, settings):
    return unit(np.stack(states(bert, trunk, windows, settings, lambda state: state.mean(dim=0))))


def votes(similarities, targets, labels, k):
    """[texts, labels], summing to 1."""
    nearest = np.argpartition(-similarities, min(k, similarities.shape[1] - 1), axis=1)[:, :k]
    weights = np.exp(10 * np.take_along_axis(similarities, nearest, 1))
    result = np.zeros((len(similarities), labels))
    for label in range(labels):
        result[:, label] = (weights * (targets[nearest] == label)).sum(1)
    return result / result.sum(1, keepdims=True)


def soft_targets(vectors, windows, labels, k=20, size=1024):
    """For each text the vote of the k nearest windows of other texts: [texts, labels]."""
    owners, targets = (np.array([getattr(window, key) for window in windows]) for key in ("example", "target"))
    result, counts = np.zeros((owners.max() + 1, labels)), np.bincount(owners)
    for start in range(0, len(vectors), size):
        similarities = vectors[start : start + size] @ vectors.T
        similarities[owners[start : start + size, None] == owners[None, :]] = -1
        np.add.at(result, owners[start : start + size], votes(similarities, targets, labels, k))
    return result / counts[:, None]


def nearest_tokens(known, known_targets, asked, size=1024):
    known = unit(known)
    rows = [(unit(asked[i : i + size]) @ known.T).argmax(1) for i in range(0, len(asked), size)]
    return known_targets[np.concatenate(rows)]


def token_logits(known_states, windows, asked_states, labels):
    """For each window asked a certain answer per token: that of the nearest token of `windows`."""
    targets = np.concatenate([window.target for window in windows])
    known = np.concatenate(known_states)[targets != IGNORED]
    answers = nearest_tokens(known, targets[targets != IGNORED], np.concatenate(asked_states))
    sizes = np.cumsum([len(state) for state in asked_states])[:-1]
    return [np.where(np.arange(labels)[None, :] == rows[:, None], 50.0, 0.0) for rows in np.split(answers, sizes)]
