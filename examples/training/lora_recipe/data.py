"""Reads labelled texts from JSON Lines or CSV. Every error names the file, the line and the key.

Columns: `text` and `label`; `text_pair` for pairs; for token tasks, instead of `label`, `spans` (a list of
{"start", "end", "label"} in characters; JSON inside CSV), or `tokens` and `tags` (words and their BIO tags, joined by
blanks). Optional: `source` (metrics are shown by source), `group` (rows of one group stay on one side of the split) and
`only` ("train": never held out, for texts made to train on; "added": so too, and without effect on the others' split).
"""

import csv
import dataclasses
import io
import json
import pathlib

from .settings import RecipeError

KNOWN = ("text", "text_pair", "label", "spans", "tokens", "tags", "source", "group", "only")


@dataclasses.dataclass
class Example:
    text: str
    pair: str | None = None
    label: str | None = None
    spans: list[tuple[int, int, str]] | None = None  # in order, not overlapping
    source: str = "data"
    group: str | None = None
    only: str | None = None


def read_examples(path: pathlib.Path, task: str) -> list[Example]:
    try:
        content = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise RecipeError(f"{path}: {error}") from error
    if path.suffix not in (".csv", ".jsonl"):
        raise RecipeError(f'{path}: the suffix is "{path.suffix}", expected .csv or .jsonl')
    rows = read_csv(path, content) if path.suffix == ".csv" else read_jsonl(path, content)
    examples = [to_example(row, task, where) for where, row in rows]
    if not examples:
        raise RecipeError(f"{path}: no rows")
    return examples


def read_jsonl(path, content):
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise RecipeError(f"{path}:{number}: {error}") from error
        if not isinstance(row, dict):
            raise RecipeError(f"{path}:{number}: expected an object with the keys text and label")
        yield f"{path}:{number}", row


def read_csv(path, content):
    reader = csv.reader(io.StringIO(content), strict=True)
    try:
        header = next(reader, None)
        if header is None:
            raise RecipeError(f"{path}: the file is empty")
        for row in reader:
            if len(row) != len(header):
                raise RecipeError(f"{path}:{reader.line_num}: {len(row)} fields, the header has {len(header)}")
            values = {key: value for key, value in zip(header, row) if value != "" or key == "text"}
            for key in ("spans", "tokens", "tags"):
                if key in values:
                    values[key] = json.loads(values[key])
            yield f"{path}:{reader.line_num}", values
    except (csv.Error, json.JSONDecodeError) as error:
        raise RecipeError(f"{path}:{reader.line_num}: {error}") from error


def to_example(row, task, where) -> Example:
    for key in row:
        if key not in KNOWN:
            raise RecipeError(f'{where}: unknown key "{key}" (expected: {", ".join(KNOWN)})')
    example = Example(text="", **{key: string(row, key, where) for key in ("group", "only") if key in row})
    if example.only not in (None, "train", "added"):
        raise RecipeError(f'{where}: "only" is "{example.only}", expected "train", "added" or nothing')
    example.source = string(row, "source", where) if "source" in row else "data"
    if task == "token":
        example.text, example.spans = text_and_spans(row, where)
        return example
    example.text, example.label = string(row, "text", where), string(row, "label", where)
    if task == "pair":
        example.pair = string(row, "text_pair", where)
    elif "text_pair" in row:
        raise RecipeError(f'{where}: "text_pair" is for the task "pair", this one is "{task}"')
    return example


def string(row, key, where):
    if key not in row:
        raise RecipeError(f'{where}: "{key}" is missing')
    value = str(row[key]) if type(row[key]) is int else row[key]
    if not isinstance(value, str) or (key != "text" and not value):
        raise RecipeError(f'{where}: "{key}" is {value!r}, expected a string')
    return value


def text_and_spans(row, where):
    if "tokens" in row:
        return joined_tokens(row, where)
    text, spans = string(row, "text", where), row.get("spans")
    if not isinstance(spans, list):
        raise RecipeError(f'{where}: "spans" is {spans!r}, expected a list of start, end and label')
    result = []
    for span in spans:
        try:
            start, end, label = int(span["start"]), int(span["end"]), str(span["label"])
        except (TypeError, KeyError, ValueError) as error:
            raise RecipeError(f"{where}: span {span!r}: expected start, end and label") from error
        if not 0 <= start < end <= len(text):
            raise RecipeError(f"{where}: span {start} to {end} is outside the text of {len(text)} characters")
        result.append((start, end, label))
    result.sort()
    for one, other in zip(result, result[1:]):
        if other[0] < one[1]:
            raise RecipeError(f"{where}: spans {one} and {other} overlap")
    return text, result


def joined_tokens(row, where):
    tokens, tags = row["tokens"], row.get("tags")
    if not (isinstance(tokens, list) and isinstance(tags, list) and len(tokens) == len(tags)):
        raise RecipeError(f'{where}: "tokens" and "tags" must be lists of one length')
    text, spans = "", []
    for token, tag in zip(tokens, tags):
        start = len(text) + (1 if text else 0)
        text = f"{text} {token}" if text else str(token)
        if tag == "O":
            continue
        place, dash, label = tag.partition("-")
        if place not in ("B", "I") or not dash or not label:
            raise RecipeError(f'{where}: tag "{tag}", expected O, B-… or I-…')
        if place == "I" and spans and spans[-1][2] == label and spans[-1][1] + 1 == start:
            spans[-1] = (spans[-1][0], len(text), label)
        else:
            spans.append((start, len(text), label))
    return text, spans


def label_names(examples, task) -> list[str]:
    """The head's labels: in order of the alphabet; of a token task O, then B- and I- of each type."""
    if task != "token":
        return sorted({example.label for example in examples})
    types = sorted({label for example in examples for _, _, label in example.spans})
    return ["O"] + [f"{place}-{label}" for label in types for place in "BI"]
