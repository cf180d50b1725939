"""The rows made for the four adapters: own sentences with their spans, postal addresses in one piece."""

import random

import prepare_pii
import pytest
from prepare import MORE_PROMPTS, OWN_PROMPTS, own_prompts


def test_own_sentences_have_spans_of_every_type_and_one_seed_gives_one_set():
    rows = list(prepare_pii.own_rows(3))
    assert rows == list(prepare_pii.own_rows(3)) != list(prepare_pii.own_rows(4))
    labels = {span["label"] for row in rows for span in row["spans"]}
    assert labels == {
        "PERSON",
        "LOCATION",
        "ORGANIZATION",
        "ADDRESS",
        "TITLE",
        "CREDIT_CARD",
        "US_SSN",
        "PHONE_NUMBER",
        "EMAIL_ADDRESS",
        "DOMAIN_NAME",
        "IP_ADDRESS",
        "IBAN_CODE",
        "US_DRIVER_LICENSE",
        "DATE_TIME",
    }
    for row in rows:
        assert "{" not in row["text"] and row["only"] == "train"
        for one, other in zip(row["spans"], row["spans"][1:]):
            assert one["end"] <= other["start"]
        for span in row["spans"]:
            value = row["text"][span["start"] : span["end"]]
            assert value == value.strip() and value


def test_the_parts_of_an_address_become_one():
    text = "Ann lives at 95 Mill Road, Oslo. She likes Riga, Paris"
    spans = [(0, 3, "PERSON"), (13, 15, "ADDRESS"), (16, 25, "ADDRESS"), (27, 31, "LOCATION"), (43, 47, "LOCATION"),
             (49, 54, "LOCATION")]  # fmt: skip
    joined = prepare_pii.joined(text, [{"start": start, "end": end, "label": label} for start, end, label in spans])
    assert [(text[s["start"] : s["end"]], s["label"]) for s in joined] == [
        ("Ann", "PERSON"), ("95 Mill Road, Oslo", "ADDRESS"), ("Riga", "LOCATION"), ("Paris", "LOCATION"),
    ]  # fmt: skip


@pytest.mark.parametrize(("path", "only"), [(OWN_PROMPTS, "train"), (MORE_PROMPTS, "added")])
def test_own_prompts_are_of_both_kinds(path, only):
    rows = list(own_prompts(path, ["a question"], random.Random(1), only))
    assert {row["label"] for row in rows} == {"attack", "benign"} and {row["only"] for row in rows} == {only}
    assert not any("{text}" in row["text"] for row in rows)
