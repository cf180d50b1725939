#!/usr/bin/env python3
"""What does routing cost, part by part, when every signal type is configured?

    PYTHONPATH=build/bindings/python bench/routing.py [--rounds 7] [--clock process_time] [--long-safety]

all-MiniLM-L6-v2 and models/adapters behind routing.yaml.in. Prompts of 20, 200 and 2,000 tokens: all signals (eager,
evaluate_all), those that can change the outcome (lazy) when nothing matches and when the first rule does, and where the
time goes. Then a prompt of 200,000 tokens beside one of 512, without jailbreak and pii, which read every window of a
prompt however long (--long-safety measures that too). The cases take turns; best and median of the rounds.

fact_check and user_feedback have no adapter here: copies of `jailbreak` and `domain` under their labels are used, which
take the time of trained ones.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import tempfile
import time

import vsr
from machine import machine

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODEL = pathlib.Path(os.environ.get("VSR_MINILM", ROOT / "build/models/all-MiniLM-L6-v2")).resolve()
ADAPTERS = ROOT / "models/adapters"
LABELS = {
    "fact_check": ("jailbreak", ["FACT_CHECK_NEEDED", "NO_FACT_CHECK_NEEDED"]),
    "user_feedback": ("domain", ["SAT", "NEED_CLARIFICATION", "WRONG_ANSWER", "WANT_DIFFERENT"]),
}
SAFETY = """    jailbreak: [{name: attack, threshold: 0.999}]
    pii: [{name: personal, threshold: 0.999, pii_types_allowed: []}]"""
SAFETY_DECISION = """    - name: guarded
      priority: 1000
      rules: {operator: OR, conditions: [{type: jailbreak, name: attack}, {type: pii, name: personal}]}
      modelRefs: [{model: large}]"""
PARTS = {"similarity": ("embedding", "intent", "complexity"),
         "classifiers": ("domain", "jailbreak", "pii", "fact_check", "user_feedback", "classifier")}  # fmt: skip


def stand_ins(folder):
    for name, (source, labels) in LABELS.items():
        shutil.copytree(ADAPTERS / source, folder / name)
        count = len(json.loads((ADAPTERS / source / "id2label.json").read_text("utf-8")))
        named = labels + [f"unused {i}" for i in range(len(labels), count)]
        (folder / name / "id2label.json").write_text(json.dumps(dict(enumerate(named))), "utf-8")


def open_router(folder, safety):
    text = (ROOT / "bench/routing.yaml.in").read_text("utf-8")
    values = {"@SAFETY@": SAFETY if safety else "", "@SAFETY_DECISION@": SAFETY_DECISION if safety else ""}
    for name, value in {**values, "@MODEL@": MODEL, "@ADAPTERS@": ADAPTERS, "@STAND_INS@": folder}.items():
        text = text.replace(name, str(value))
    path = folder / f"router-{safety}.yaml"
    path.write_text(text, "utf-8")
    return vsr.Router(path)


def prompt(tokenizer, tokens):
    """Prose of about `tokens` tokens in which no sentence is said twice."""
    size, last, parts = 0, 0, []
    while size + last / 2 < tokens:
        i = len(parts)
        parts.append(f"In year {1000 + i % 977} the {('miller', 'abbot', 'weaver', 'guild')[i % 4]} of village {i} "
                     f"stored {i * 7 % 100} sacks of grain, and the winter passed." if tokens > 30 else
                     "When the frost came the miller closed the sluice and the wheel stood still.")  # fmt: skip
        last = len(tokenizer.encode(parts[-1]).ids) - 2
        size += last
        if i % 8 == 7:
            parts[-1] += "\n\n"
    return " ".join(parts)


def measured(cases, rounds, clock):
    """Best and median milliseconds of each case, in turns, and its last decision."""
    now = getattr(time, clock)
    times, last = {name: [] for name in cases}, {}
    for call in cases.values():
        call()
    for _ in range(rounds):
        for name, call in cases.items():
            start = now()
            last[name] = call()
            times[name].append(1000 * (now() - start))
    return {name: (min(values), statistics.median(values), last[name]) for name, values in times.items()}


def parts_of(decision):
    """Milliseconds by part; a pass's time is divided among the signals that shared it."""
    spent = dict.fromkeys([*PARTS, "free signals"], 0.0)
    for name, signal in decision.signals.items():
        kind = name.split(":", 1)[0]
        spent[next((part for part, kinds in PARTS.items() if kind in kinds), "free signals")] += signal.milliseconds
    spent["the rest"] = decision.explanation.milliseconds - sum(spent.values())
    return spent


def line(name, best, median, decision):
    whole = decision.explanation
    print(f"{name:34} {best:9.1f} {median:9.1f}   {whole.model_passes} passes, {len(decision.signals):2} signals, "
          f"{whole.tokens} tokens{' (estimated)' if whole.tokens_estimated else ''} -> {decision.name or 'default'}",
          flush=True)  # fmt: skip


def short_prompts(router, tokenizer, arguments):
    for tokens in arguments.lengths:
        text = prompt(tokenizer, tokens)
        urgent = "This is urgent. " + text
        cases = {
            f"{tokens} tokens, eager": lambda text=text: router.route(text, explain=True, evaluate_all=True),
            f"{tokens} tokens, lazy, no rule matches": lambda text=text: router.route(text, explain=True),
            f"{tokens} tokens, lazy, a keyword": lambda text=urgent: router.route(text, explain=True),
        }
        found = measured(cases, arguments.rounds, arguments.clock)
        for name, values in found.items():
            line(name, *values)
        spent = parts_of(found[f"{tokens} tokens, eager"][2])
        print("    eager, wall clock: " + ", ".join(f"{part} {value:.1f}" for part, value in spent.items()))


def long_prompt(router, tokenizer, arguments):
    short, long = prompt(tokenizer, 480), prompt(tokenizer, arguments.long)
    request = json.dumps({"model": "auto", "messages": [{"role": "user", "content": long}]})
    cases = {
        "512 tokens": lambda: router.route(short, explain=True, evaluate_all=True),
        f"{arguments.long} tokens": lambda: router.route(request, explain=True, evaluate_all=True),
        "  compressing it": lambda: vsr.compress(long, 512),
        "  counting its tokens": lambda: tokenizer.encode(long),
    }
    found = measured(cases, arguments.rounds, arguments.clock)
    for name, (best, median, decision) in found.items():
        if name.startswith(" "):
            print(f"{name:34} {best:9.1f} {median:9.1f}")
        else:
            line(name, best, median, decision)
    (short_best, long_best, compressing, counting) = (values[0] for values in found.values())
    rest = long_best - compressing - counting
    print(f"    without compressing and counting: {rest / short_best:.2f} times 512 tokens")


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--lengths", type=int, nargs="+", default=[20, 200, 2000])
    parser.add_argument("--long", type=int, default=200000)
    parser.add_argument("--long-safety", action="store_true")
    parser.add_argument("--clock", choices=("perf_counter", "process_time"), default="perf_counter",
                        help="process_time where other work wants the cores: processor time, best with taskset -c 0")  # fmt: skip
    return parser.parse_args()


def main():
    arguments = parse()
    unit = "of processor time" if arguments.clock == "process_time" else ""
    print(f"{machine()}; milliseconds {unit}, best and median of {arguments.rounds}")
    tokenizer = vsr.load_tokenizer(MODEL)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stand_ins(folder)
        guarded = open_router(folder, True)
        short_prompts(guarded, tokenizer, arguments)
        long_prompt(open_router(folder, False), tokenizer, arguments)
        if arguments.long_safety:
            text = prompt(tokenizer, arguments.long)
            found = measured({"with jailbreak and pii": lambda: guarded.route(text, explain=True)}, 1, arguments.clock)
            line("with jailbreak and pii", *found["with jailbreak and pii"])


if __name__ == "__main__":
    main()
