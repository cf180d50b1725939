"""Reading labelled texts: what is understood, and that each error says where."""

import json

import pytest
from lora_recipe.data import label_names, read_examples
from lora_recipe.settings import RecipeError, read_settings


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return path


def test_csv_with_quotes_and_source(tmp_path):
    path = written(tmp_path, "d.csv", 'text,label,source\n"a, b\nc",x,one\nd,y,two\n')
    examples = read_examples(path, "sequence")
    assert [(e.text, e.label, e.source) for e in examples] == [("a, b\nc", "x", "one"), ("d", "y", "two")]
    assert label_names(examples, "sequence") == ["x", "y"]


def test_a_line_separator_inside_a_json_string_is_not_a_line(tmp_path):
    path = written(tmp_path, "d.jsonl", '{"text": "a\u2028b", "label": "x"}\n\n{"text": "c", "label": "y"}\n')
    assert [e.text for e in read_examples(path, "sequence")] == ["a\u2028b", "c"]


def test_tokens_with_tags_become_spans(tmp_path):
    row = {"tokens": ["Ask", "Tom", "Reed", "Ann"], "tags": ["O", "B-PER", "I-PER", "B-PER"]}
    example = read_examples(written(tmp_path, "d.jsonl", json.dumps(row)), "token")[0]
    assert example.text == "Ask Tom Reed Ann"
    assert [example.text[start:end] for start, end, _ in example.spans] == ["Tom Reed", "Ann"]
    assert label_names([example], "token") == ["O", "B-PER", "I-PER"]


def test_spans_inside_csv(tmp_path):
    path = written(tmp_path, "d.csv", 'text,spans\nTom left,"[{""start"": 0, ""end"": 3, ""label"": ""PER""}]"\n')
    assert read_examples(path, "token")[0].spans == [(0, 3, "PER")]


@pytest.mark.parametrize(
    ("name", "content", "task", "parts"),
    [
        ("d.csv", "text,label\na,x\nb\n", "sequence", ["d.csv:3", "1 fields", "2"]),
        ("d.csv", "text,lable\na,x\n", "sequence", ["d.csv:2", '"lable"']),
        ("d.csv", "text,label\na,\n", "sequence", ["d.csv:2", '"label" is missing']),
        ("d.csv", "", "sequence", ["d.csv", "empty"]),
        ("d.csv", "text,label\na,x\n", "pair", ["d.csv:2", '"text_pair" is missing']),
        ("d.jsonl", '{"text": "a", "label": "x"}\n{"text": \n', "sequence", ["d.jsonl:2"]),
        ("d.jsonl", "[1]\n", "sequence", ["d.jsonl:1", "object"]),
        ("d.jsonl", '{"text": ["a"], "label": "x"}', "sequence", ["d.jsonl:1", '"text"']),
        (
            "d.jsonl",
            '{"text": "abc", "spans": [{"start": 1, "end": 9, "label": "X"}]}',
            "token",
            ["1 to 9", "3 characters"],
        ),
        ("d.jsonl", '{"text": "abc", "spans": [{"start": 1}]}', "token", ["d.jsonl:1", "start, end and label"]),
        ("d.jsonl", '{"tokens": ["a"], "tags": ["X"]}', "token", ["d.jsonl:1", 'tag "X"']),
        (
            "d.jsonl",
            '{"text": "abc", "spans": [{"start": 0, "end": 2, "label": "X"}, {"start": 1, "end": 3, "label": "X"}]}',
            "token",
            ["overlap"],
        ),
        ("d.txt", "a", "sequence", ["d.txt", ".csv or .jsonl"]),
    ],
)
def test_an_error_says_where(tmp_path, name, content, task, parts):
    with pytest.raises(RecipeError) as error:
        read_examples(written(tmp_path, name, content), task)
    assert all(part in str(error.value) for part in parts), error.value
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "part"),
    [("epoch = 3\n", '"epoch"'), ('rank = "8"\n', '"rank"'), ("rank = 0\n", '"rank"'), ('task = "tokens"\n', '"task"'),
     ("held_out = 0.9\n", '"held_out"'), ("rank = \n", "recipe.toml"), ("joined = 2\n", '"joined"'),
     ("max_windows = -1\n", '"max_windows"')],
)  # fmt: skip
def test_a_recipe_error_names_the_key(tmp_path, content, part):
    with pytest.raises(RecipeError, match="recipe.toml") as error:
        read_settings(written(tmp_path, "recipe.toml", content), {})
    assert part in str(error.value)
