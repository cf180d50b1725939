"""Routing to intents: tiny models for the mechanics, the real one for the demo."""

import re

import pytest
from cli_program import ROOT

INTENTS = "intents:\n  banking: [my card is lost, bank account balance]\n  travel: [book a flight, hotel in paris]\n"


@pytest.fixture
def intents(tmp_path):
    file = tmp_path / "intents.yaml"
    file.write_text(INTENTS)
    return file


def test_an_example_finds_its_own_intent(vsr, tiny, intents):
    found = vsr(
        "intents",
        "-m",
        tiny("bert-embedding"),
        "-i",
        intents,
        "--rule",
        "best",
        "--json",
        "bank account balance",
        "book a flight",
    )
    assert [(o["intent"], round(o["score"], 4)) for o in found.objects] == [("banking", 1), ("travel", 1)]
    assert all(o["milliseconds"] > 0 and o["nearest"] == o["intent"] for o in found.objects)


def test_below_the_threshold_is_none_of_these(vsr, tiny, intents):
    model = tiny("bert-embedding")
    (one,) = vsr("intents", "-m", model, "-i", intents, "--threshold", "1", "--json", "the weather").objects
    assert one["intent"] is None and one["nearest"] in ("banking", "travel") and one["score"] < 1
    shown = vsr("intents", "-m", model, "-i", intents, "--threshold", "1", "the weather").text
    assert "none of these" in shown and "1 question: 0 routed, 1 none of these" in shown
    vsr("intents", "-m", model, "-i", intents, "--threshold", "1.5", "x").fails(1, "1.5")


def test_csv_and_yaml_say_the_same(vsr, tiny, intents, tmp_path):
    csv = tmp_path / "intents.csv"
    csv.write_text(
        "text,label\nmy card is lost,banking\nbank account balance,banking\nbook a flight,travel\nhotel in paris,travel\n"
    )
    strip = lambda objects: [{k: v for k, v in o.items() if k != "milliseconds"} for o in objects]
    results = [
        strip(
            vsr(
                "intents", "-m", tiny("bert-embedding"), "-i", file, "--json", "where is my card?", "how can i pay"
            ).objects
        )
        for file in (intents, csv)
    ]
    assert results[0] == results[1]


def test_a_saved_set_routes_as_the_built_one(vsr, tiny, intents, tmp_path):
    model, saved = tiny("bert-embedding"), tmp_path / "set.vsr"
    done = vsr("intents", "-m", model, "-i", intents, "--save", saved)
    assert done.code == 0 and "saved 2 intents with 4 examples" in done.text and saved.exists()
    built = vsr("intents", "-m", model, "-i", intents, "--json", "where is my card?").objects[0]
    loaded = vsr("intents", "-m", model, "--load", saved, "--json", "where is my card?").objects[0]
    assert {**built, "milliseconds": 0} == {**loaded, "milliseconds": 0}
    vsr("intents", "-m", tiny("bert-no-pooler"), "--load", saved, "where is my card?").fails(1)
    saved.write_bytes(saved.read_bytes()[:-7])
    vsr("intents", "-m", model, "--load", saved, "where is my card?").fails(1, saved)
    vsr("intents", "-m", model, "--load", tmp_path / "none", "where is my card?").fails(1, "none")
    vsr("intents", "-m", model, "-i", intents, "--save", tmp_path / "no" / "folder").fails(1, "folder")


@pytest.mark.parametrize(
    "yaml, part",
    [
        ("intents:\n  a: [x]\n  a: [y]\n", ':3:3: "a" is given twice'),
        ("intents:\n  a: [x\n", ":"),
        ("treshold: 1\nintents: {a: [x]}\n", ':1:1: "treshold" is not a key'),
    ],
)
def test_mistakes_in_the_file_are_named_with_their_place(vsr, tiny, tmp_path, yaml, part):
    file = tmp_path / "wrong.yaml"
    file.write_text(yaml)
    vsr("intents", "-m", tiny("bert-embedding"), "-i", file, "x").fails(1, f"{file}{part}")


def test_the_file_is_named_when_missing_or_of_another_kind(vsr, tiny, tmp_path):
    vsr("intents", "-m", tiny("bert-embedding"), "-i", tmp_path / "none.yaml", "x").fails(1, "none.yaml")
    vsr("intents", "-m", tiny("bert-embedding"), "-i", tmp_path / "a.txt", "x").fails(1, ".yaml, .yml or .csv")


def test_the_command_to_try_is_quoted_for_a_shell(vsr, tiny, tmp_path):
    file = tmp_path / "it's mine.yaml"
    file.write_text(INTENTS)
    assert "it'\\''s mine.yaml'" in vsr("intents", "-m", tiny("bert-embedding"), "-i", file, "x").text


def test_the_demo_routes_real_questions(vsr, minilm):
    folder = ROOT / "examples/intents"
    questions = (folder / "questions.txt").read_text().splitlines()
    command = ["intents", "-m", minilm, "-i", folder / "intents.yaml", "-f", folder / "questions.txt"]
    found = {o["text"]: o["intent"] for o in vsr(*command, "--json").objects}
    assert list(found) == questions
    assert found["Could you send eighty bucks to my sister?"] == "transfer_money"
    assert found["should I take a raincoat to Glasgow tomorrow? \u2614"] == "weather"
    assert found["who invented the airplane?"] is None
    assert found["how do I get red wine out of a white carpet?"] is None
    shown = vsr(*command).text
    assert f"{len(questions)} questions: {sum(i is not None for i in found.values())} routed" in shown
    assert "Try a sentence of your own" in shown and re.search(r"question takes \d+\.\d ms", shown)
