"""A fast way through a BERT with an adapter on its last layers: the trunk's output of every window is kept.

The layers below the adapted ones are frozen, so what they give for a window never changes: it is computed once, and
training runs the adapted layers only. Nothing of this is in the result: reloading the saved adapter with plain `peft`
must give the same logits (export.py).
"""

import numpy as np
import torch
from torch.nn import functional

from .encode import batches
from .settings import RecipeError


def padded(rows, fill=0):
    """A list of 1-d or 2-d arrays as one tensor, padded at the end of the first dimension."""
    rows = [torch.as_tensor(row) for row in rows]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=fill)


def mask_of(rows):
    """[rows, 1, 1, longest]: true where a token may be attended."""
    lengths = torch.tensor([len(row) for row in rows])
    return (torch.arange(int(lengths.max()))[None, :] < lengths[:, None])[:, None, None, :]


def attend(query, key, value, mask):
    if not torch.is_grad_enabled():
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    # The fused kernel's backward pass costs more than it saves at these lengths.
    weights = (query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5).masked_fill(~mask, -1e4).softmax(-1)
    return weights.to(value.dtype) @ value


def run_layer(layer, hidden, mask, first_only=False):
    """One encoder layer; with first_only the output of the first token alone, all that a pooler reads."""
    attention = layer.attention.self
    asking = hidden[:, :1] if first_only else hidden

    def heads(x):
        return x.unflatten(-1, (-1, attention.attention_head_size)).transpose(1, 2)

    query, key, value = heads(attention.query(asking)), heads(attention.key(hidden)), heads(attention.value(hidden))
    attended = attend(query, key, value, mask)
    attended = layer.attention.output(attended.transpose(1, 2).flatten(2), asking)
    return layer.output(layer.intermediate(attended), attended)


class Trunk:
    """The hidden states below the adapted layers, of all windows, one after another in one array."""

    def __init__(self, bert, first_layer, windows, autocast):
        if bert.config.model_type != "bert":
            raise RecipeError(f'the base model is a "{bert.config.model_type}"; the recipe trains BERT models')
        self.first_layer = first_layer
        self.starts = np.cumsum([0] + [len(window.ids) for window in windows])
        self.hidden = torch.empty(int(self.starts[-1]), bert.config.hidden_size)
        with torch.inference_mode(), autocast():
            for numbers in batches(windows, 32):
                rows = [windows[n].ids for n in numbers]
                mask = mask_of(rows)
                hidden = bert.embeddings(padded(rows), token_type_ids=padded([windows[n].type_ids for n in numbers]))
                for layer in bert.encoder.layer[:first_layer]:
                    hidden = run_layer(layer, hidden, mask)
                for n, row, output in zip(numbers, rows, hidden):
                    self.hidden[self.starts[n] : self.starts[n + 1]] = output[: len(row)]

    def rows(self, numbers):
        return [self.hidden[self.starts[n] : self.starts[n + 1]] for n in numbers]


def hidden_states(bert, first_layer, rows, first_only=False):
    """From the trunk's rows through the adapted layers: [rows, longest or 1, hidden_size]."""
    hidden, mask = padded(rows), mask_of(rows)
    layers = bert.encoder.layer[first_layer:]
    for layer in layers:
        hidden = run_layer(layer, hidden, mask, first_only and layer is layers[-1])
    return hidden


def logits_of(headed, first_layer, rows, task):
    """[rows, labels], or [rows, longest, labels] of a token task."""
    if task == "token":
        return headed.classifier(headed.dropout(hidden_states(headed.bert, first_layer, rows)))
    pooled = headed.bert.pooler(hidden_states(headed.bert, first_layer, rows, first_only=True))
    return headed.classifier(headed.dropout(pooled))
