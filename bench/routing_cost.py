#!/usr/bin/env python3
"""What does routing save over labelled traffic, and what does it send to the wrong model?

    PYTHONPATH=build/bindings/python bench/routing_cost.py [--each 200] [--details]

Traffic: MMLU-Pro questions that the domain adapter was not trained on (hard), CLINC150 questions of its val split
(easy), and of these the small talk. The router: private intents of ten CLINC150 domains, a few examples each of its
train split, send to a small model without reasoning; one of 13 domains of knowledge sends to a large model with
reasoning; what is neither goes to the large model too. Against it: everything to the large model with reasoning. No
model answers here: tokens of answers are assumptions, and printed.
"""

import argparse
import json
import os
import pathlib
import random
import sys
import tempfile

import tomllib
import vsr
from machine import machine

ROOT = pathlib.Path(__file__).resolve().parents[1]
TRAINING = ROOT / "examples/training"
sys.path.insert(0, str(TRAINING))
from lora_recipe import data, splits  # noqa: E402
from lora_recipe.settings import Settings  # noqa: E402

MODEL = pathlib.Path(os.environ.get("VSR_MINILM", ROOT / "build/models/all-MiniLM-L6-v2")).resolve()
SHARED = pathlib.Path(os.environ.get("VSR_SHARED_DATA", ROOT.parent / "shared/data"))
DOMAIN = ROOT / "models/adapters/domain"
PRICES = {"large": (2.5, 10.0), "small": (0.05, 0.1)}  # USD per million tokens of prompts and of answers
ANSWERS = {("large", True): {"hard": 1800, "easy": 400},  # tokens of an answer, reasoning included
           ("small", False): {"hard": 300, "easy": 80}}  # fmt: skip


def held_out_questions():
    """MMLU-Pro questions that the adapter's training never saw: its own split, made again."""
    recipe = tomllib.loads((TRAINING / "recipes/domain.toml").read_text("utf-8"))
    settings = Settings(**{name: value for name, value in recipe.items() if name in Settings.__dataclass_fields__})
    lines = (SHARED / "domains/mmlu_pro_train.jsonl").read_text("utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line.strip()]
    examples = [data.to_example({"text": row["text"], "label": row["label"]}, settings.task, "mmlu") for row in rows]
    held_out = [examples[i].text for i in splits.split(examples, settings)["held_out"]]
    expected = json.loads((DOMAIN / "report.json").read_text("utf-8"))["rows"]["held_out"]
    if len(held_out) != expected:
        raise SystemExit(f"{len(held_out)} questions held out, the adapter's report says {expected}")
    return held_out


def traffic(each, random_):
    """(text, "hard" or "easy", source) in random order, and examples of each CLINC150 domain from the train split."""
    clinc = json.loads((SHARED / "intents/clinc150.json").read_text("utf-8"))
    domains = json.loads((SHARED / "intents/clinc150_domains.json").read_text("utf-8"))
    domain_of = {intent: domain for domain, intents in domains.items() for intent in intents}
    talk = [text for text, intent in clinc["val"] if domain_of[intent] == "small_talk"]
    asked = [text for text, intent in clinc["val"] if domain_of[intent] != "small_talk"]
    sources = {"MMLU-Pro": ("hard", held_out_questions()), "CLINC150": ("easy", asked), "small talk": ("easy", talk)}
    rows = [
        (text, kind, source)
        for source, (kind, texts) in sources.items()
        for text in random_.sample(texts, min(each, len(texts)))
    ]
    random_.shuffle(rows)
    by_intent = {}
    for text, intent in clinc["train"]:
        by_intent.setdefault(intent, []).append(text)
    examples = {
        domain: [text for intent in intents for text in random_.sample(by_intent[intent], 2)]
        for domain, intents in domains.items()
    }
    return rows, examples


def config(examples):
    intents = [{"name": name, "threshold": 0.5, "examples": texts} for name, texts in examples.items()]
    labels = json.loads((DOMAIN / "id2label.json").read_text("utf-8")).values()
    knowledge = {"name": "knowledge", "mmlu_categories": [label for label in labels if label != "other"]}
    leaves = [{"type": "intent", "name": rule["name"]} for rule in intents]
    decisions = [
        {"name": "everyday", "priority": 200, "rules": {"operator": "OR", "conditions": leaves},
         "modelRefs": [{"model": "small", "use_reasoning": False}]},
        {"name": "knowledge", "priority": 100, "rules": {"type": "domain", "name": "knowledge"},
         "modelRefs": [{"model": "large", "use_reasoning": True}]},
    ]  # fmt: skip
    return {
        "version": "v0.3",
        "routing": {
            "modelCards": [{"name": "small"}, {"name": "large"}],
            "signals": {"intents": intents, "domains": [knowledge]},
            "decisions": decisions,
        },
        "providers": {"defaults": {"default_model": "large"}, "models": [{"name": "small"}, {"name": "large"}]},
        "vsr": {"models": {"minilm": {"path": str(MODEL)}}, "adapters": {"domain": {"path": str(DOMAIN)}}},
    }


def cost(model, kind, prompt_tokens):
    """(tokens of the answer, USD) of one request."""
    answer = ANSWERS[model, model == "large"][kind]
    price = PRICES[model]
    return answer, (prompt_tokens * price[0] + answer * price[1]) / 1e6


def report(results):
    for source in sorted({source for _, _, source, _, _ in results}):
        of_source = [row for row in results if row[2] == source]
        small = sum(model == "small" for _, _, _, model, _ in of_source)
        print(f"{source:12} {len(of_source):5} requests, {100 * small / len(of_source):5.1f} % to the small model")
    total = {"routed": [0, 0.0], "always large": [0, 0.0]}
    for _, kind, _, model, tokens in results:
        for name, chosen in (("routed", model), ("always large", "large")):
            answer, money = cost(chosen, kind, tokens)
            total[name][0] += answer
            total[name][1] += money
    prompts = sum(tokens for *_, tokens in results)
    for name, (answers, money) in total.items():
        print(f"{name:12} {prompts:8} tokens of prompts, {answers:8} of answers, {money:8.4f} USD")
    saved = [100 * (1 - total["routed"][i] / total["always large"][i]) for i in (0, 1)]
    print(f"saved: {saved[0]:.1f} % of the answers' tokens, {saved[1]:.1f} % of the money")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--each", type=int, default=200, help="requests of each of the three sources")
    parser.add_argument("--details", action="store_true", help="print the requests that went to the wrong model")
    arguments = parser.parse_args()
    print(machine())
    print(f"assumed: USD per million tokens of prompts and answers {PRICES}; tokens of an answer by model and reasoning "
          f"{ANSWERS}; prompt tokens by the tokenizer of MiniLM")  # fmt: skip
    rows, examples = traffic(arguments.each, random.Random(7))
    tokenizer = vsr.load_tokenizer(MODEL)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "router.yaml")
        path.write_text(json.dumps(config(examples)), "utf-8")
        router = vsr.Router(path)
        results = []
        for text, kind, source in rows:
            model = router.route({"model": "auto", "messages": [{"role": "user", "content": text}]}).model
            results.append((text, kind, source, model, len(tokenizer.encode(text).ids)))
            if arguments.details and (model == "small") != (kind == "easy"):
                print(f"  {source} to {model}: {text[:100]!r}")
    report(results)


if __name__ == "__main__":
    main()
