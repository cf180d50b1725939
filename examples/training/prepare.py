"""Writes the training rows of the adapters in models/adapters as JSON Lines.

    python prepare.py TASK --data SHARED_DATA --output ROWS.jsonl

SHARED_DATA holds the public data sets of README.md, which are not part of this repository.
"""

import argparse
import csv
import json
import pathlib
import random
import sys

import prepare_grounding
import prepare_pii
import prepare_same_question

OWN_PROMPTS = pathlib.Path(__file__).parent / "own" / "prompts.txt"
MORE_PROMPTS = OWN_PROMPTS.with_name("more_prompts.txt")
SEED = 7


def jsonl(path):
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def domain(data):
    for row in jsonl(data / "domains" / "mmlu_pro_train.jsonl"):
        yield {"text": row["text"].strip(), "label": row["label"], "source": "mmlu-pro"}


def nli(data):
    with (data / "nli" / "mnli_train.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            # Hypotheses of one premise stay together.
            yield {"text": row["premise"], "text_pair": row["hypothesis"], "label": row["label"], "source": "mnli",
                   "group": row["premise"]}  # fmt: skip


def jailbreak(data):
    """Attacks from two sets and our own; ordinary texts from sets that know nothing of attacks.

    Known attacks are long and ordinary questions short, so there are long ordinary texts too: prose, several questions
    in one text, instructions with a passage. Otherwise length alone would tell them apart.
    """
    generator = random.Random(SEED)
    questions = ordinary_questions(data, generator)
    passages = prose(data, generator)
    for row in jsonl(data / "safety" / "prompt_injections_train.jsonl"):
        label = "attack" if row["label"] == "jailbreak" else "benign"
        yield {"text": row["text"], "label": label, "source": "prompt-injections"}
    for row in jsonl(data / "safety" / "jailbreaks_in_the_wild.jsonl"):
        yield {"text": row["text"], "label": "attack", "source": "in the wild"}
    yield from questions
    for passage in passages:
        yield {"text": passage, "label": "benign", "source": "prose"}
    # Few texts, because a text that is used again here can no longer be held out.
    again = generator.sample([row["text"] for row in questions], 600)
    for _ in range(60):
        texts = generator.sample(again, generator.randrange(5, 30))
        yield {"text": "\n".join(texts), "label": "benign", "source": "many questions", "only": "train"}
    yield from own_prompts(OWN_PROMPTS, again + passages[:40], generator)
    # Of six words or more: the split then sees a text that is measured on inside a prompt, and leaves the prompt out.
    fillings = [text for text in again if len(text.split()) >= 6]
    yield from own_prompts(MORE_PROMPTS, fillings, generator, only="added")


def ordinary_questions(data, generator):
    clinc = json.loads((data / "intents" / "clinc150.json").read_text("utf-8"))
    with (data / "intents" / "banking77_train.csv").open(newline="", encoding="utf-8") as file:
        banking = [row["text"] for row in csv.DictReader(file)]
    mmlu = [row["text"].strip() for row in jsonl(data / "domains" / "mmlu_pro_train.jsonl")]
    long = [text for text in mmlu if len(text) > 600]
    sets = [("clinc150", [text for part in clinc.values() for text, _ in part], 4000), ("banking77", banking, 1500),
            ("mmlu-pro", [text for text in mmlu if len(text) <= 600], 2000), ("mmlu-pro long", long, 400)]  # fmt: skip
    return [
        {"text": text, "label": "benign", "source": name}
        for name, texts, count in sets
        for text in generator.sample(sorted(set(texts)), min(count, len(set(texts))))
    ]


def prose(data, generator, count=150):
    text = (data / "texts" / "war_and_peace.txt").read_text("utf-8")
    starts = generator.sample(range(20_000, len(text) - 20_000, 5_000), count)
    return [text[start : start + generator.randrange(300, 4000)].strip() for start in starts]


def own_prompts(path, fillings, generator, only="train"):
    for line in path.read_text("utf-8").splitlines():
        if not line or line[0] == "#":
            continue
        label = {"+ ": "attack", "- ": "benign"}[line[:2]]
        for _ in range(4 if "{text}" in line else 1):
            text = line[2:].replace("{text}", generator.choice(fillings))
            yield {"text": text, "label": label, "source": "own prompts", "only": only}


def pii(data):
    yield from prepare_pii.rows(data, SEED)


def same_question(data):
    yield from prepare_same_question.rows(data, SEED)


def grounding(data):
    yield from prepare_grounding.rows(data, SEED)


TASKS = {"domain": domain, "jailbreak": jailbreak, "pii": pii, "nli": nli, "same_question": same_question,
         "grounding": grounding}  # fmt: skip


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args(arguments)
    try:
        lines = [json.dumps(row, ensure_ascii=False) for row in TASKS[options.task](options.data)]
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        print(f"prepare.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"{options.output}: {len(lines)} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
