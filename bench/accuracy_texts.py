"""The texts that accuracy.py and quantisation.py ask about: eight sources of the shared data, seeded."""

import csv
import json
import os
import pathlib
import random

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODEL = os.environ.get("VSR_MINILM", str(ROOT / "build/models/all-MiniLM-L6-v2"))
DATA = pathlib.Path(os.environ.get("VSR_SHARED_DATA", ROOT.parent / "shared/data"))
SEED = 7
MOST_CHARACTERS = 800


def lines(path):
    with open(DATA / path, encoding="utf-8") as file:
        return [json.loads(line)["text"] for line in file]


def document(path):
    with open(DATA / path, encoding="utf-8") as file:
        return json.load(file)


def pairs():
    with open(DATA / "nli/mnli_train.csv", encoding="utf-8") as file:
        return [(row["premise"], row["hypothesis"]) for row in csv.DictReader(file)]


def sources():
    """Name to shuffled texts."""
    novel = (DATA / "texts/war_and_peace.txt").read_text(encoding="utf-8").split("\n\n")
    texts = {
        "questions": lines("domains/mmlu_pro_train.jsonl"),
        "orders": [text for text, _ in document("intents/clinc150.json")["val"]],
        "injections": lines("safety/prompt_injections_train.jsonl"),
        "attacks": lines("safety/jailbreaks_in_the_wild.jsonl"),
        "personal": [row["full_text"] for row in document("pii/presidio_generated.json")],
        "premises": [premise for premise, _ in pairs()],
        "novel": [text for text in novel if len(text) > 20],
        "languages": lines("texts/udhr.jsonl"),
    }
    for name in texts:
        random.Random(SEED).shuffle(texts[name])
    return {name: [text[:MOST_CHARACTERS] for text in of_source] for name, of_source in texts.items()}


def mixed(texts, count):
    each = -(-count // len(texts))
    return [text for of_source in texts.values() for text in of_source[:each]][:count]


def inputs_of_adapters(texts, count):
    third = -(-count // 3)
    own_pairs = pairs()
    random.Random(SEED).shuffle(own_pairs)
    attacks = texts["injections"][:third] + texts["attacks"][:third] + texts["orders"][:third]
    return {
        "domain": texts["questions"][:count],
        "jailbreak": attacks[:count],
        "pii": texts["personal"][:count],
        "nli": own_pairs[:count],
    }
