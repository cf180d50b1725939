"""From examples to windows of token ids with their targets."""

import dataclasses

import numpy as np

from .settings import RecipeError
from .windows import windows_of

IGNORED = -100  # the loss skips these tokens


@dataclasses.dataclass
class Window:
    example: int  # index into the list that was encoded
    ids: list[int]
    type_ids: list[int]
    offsets: list[tuple[int, int]]  # characters of the text; (0, 0) for special tokens
    target: int | list[int]  # a label id, or one per token


def encode(examples, tokenizer, labels, task, limit) -> list[Window]:
    check_template(tokenizer, task == "pair")
    label_ids = {label: i for i, label in enumerate(labels)}
    windows = []
    for number, example in enumerate(examples):
        sides = [example.text] if example.pair is None else [example.text, example.pair]
        encoded = [
            tokenizer(side, add_special_tokens=False, return_offsets_mapping=True, verbose=False) for side in sides
        ]
        if task == "pair" and min(len(e["input_ids"]) for e in encoded) > limit // 2:
            raise RecipeError(
                f"a pair whose shorter side is longer than half the limit of {limit} tokens: {sides[0][:60]!r}"
            )
        specials = tokenizer.num_special_tokens_to_add(pair=len(sides) == 2)
        for ranges in windows_of([e["input_ids"] for e in encoded], limit, specials):
            parts = [e["input_ids"][start:end] for e, (start, end) in zip(encoded, ranges)]
            ids, type_ids = templated(tokenizer, parts)
            first = encoded[0]["offset_mapping"][slice(*ranges[0])]
            offsets = [(0, 0), *first, *[(0, 0)] * (len(ids) - 1 - len(first))]
            if task == "token":
                target = token_targets(offsets, example.spans or [], label_ids)
            else:
                target = label_ids[example.label]
            windows.append(Window(number, ids, type_ids, offsets, target))
    return windows


def templated(tokenizer, parts):
    """[CLS] a [SEP] and [CLS] a [SEP] b [SEP], the template of BERT's family."""
    cls, sep = tokenizer.cls_token_id, tokenizer.sep_token_id
    ids, type_ids = [cls, *parts[0], sep], [0] * (len(parts[0]) + 2)
    if len(parts) == 2:
        ids, type_ids = ids + [*parts[1], sep], type_ids + [1] * (len(parts[1]) + 1)
    return ids, type_ids


def check_template(tokenizer, pair):
    """The recipe writes the special tokens of a window itself; another template would train on what is never seen."""
    sides = ["one side"] if not pair else ["one side", "and another"]
    parts = [tokenizer(side, add_special_tokens=False)["input_ids"] for side in sides]
    expected, made = tokenizer(*sides), templated(tokenizer, parts)
    if expected["input_ids"] != made[0] or expected.get("token_type_ids", made[1]) != made[1]:
        raise RecipeError(
            "the base model's tokenizer has another template than [CLS] a [SEP] and [CLS] a [SEP] b [SEP]"
        )


def token_targets(offsets, spans, label_ids):
    """A token belongs to the span it overlaps; the span's first token begins it."""
    targets, last = [], None
    for start, end in offsets:
        if start == end:
            targets.append(IGNORED)
            continue
        inside = next((i for i, (s, e, _) in enumerate(spans) if start < e and s < end), None)
        if inside is None:
            targets.append(label_ids["O"])
        else:
            targets.append(label_ids[("I-" if inside == last else "B-") + spans[inside][2]])
        last = inside
    return targets


def batches(windows, size, generator: np.random.Generator | None = None):
    """Lists of window numbers of about one length; in random order when there is a generator."""
    order = np.arange(len(windows))
    lengths = np.array([len(window.ids) for window in windows])
    if generator is not None:
        # Noise in the length makes other batches in each epoch.
        order = order[np.argsort(lengths * generator.uniform(0.85, 1.15, len(windows)), kind="stable")]
    else:
        order = order[np.argsort(lengths, kind="stable")]
    made = [order[i : i + size].tolist() for i in range(0, len(order), size)]
    if generator is not None:
        generator.shuffle(made)
    return made
