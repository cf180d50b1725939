"""Checkpoints made to hurt: each is refused, or stops at a bound, within seconds and little memory.

    PYTHONPATH=build/bindings/python build/venv/bin/python3 tests/hardening/hostile_checkpoints.py

Every attack runs in a process of its own. Ends with a table and a status that is not 0 where one took longer or more
memory than it may, or ended as anything but an error of vsr's that is none of its own faults.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MODELS = Path(__file__).resolve().parents[1] / "goldens" / "models"
MOST_SECONDS = 10.0
MOST_MEGABYTES = 700  # beyond what a process with a model takes


def edit(folder: Path, name: str, change) -> None:
    data = json.loads((folder / name).read_text())
    change(data)
    (folder / name).write_text(json.dumps(data))


def template(text: str):
    return "qwen3-guard", lambda folder: (folder / "chat_template.jinja").write_text(text), "moderate"


def config(golden: str, key: str, value):
    return golden, lambda folder: edit(folder, "config.json", lambda c: c.update({key: value})), "load"


def tokenizer(change, call: str = "embed"):
    return "bert-embedding", lambda folder: edit(folder, "tokenizer.json", change), call


MEGA = "{% set t = 'a' * 4000000 %}"
LIST = "{% set l = range(100000)|list %}"
TWINS = "{% set n = namespace(x=['a']) %}{% for i in range(60) %}{% set n.x = [n.x, n.x] %}{% endfor %}"


def loop(test: str) -> str:
    return "{% for i in range(100000) %}{% if " + test + " %}{% endif %}{% endfor %}"


def normalizers(count: int):
    step = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}
    return {"type": "Sequence", "normalizers": [step] * count}


ATTACKS = {
    "jinja: in": template(MEGA + loop("'b' in t")),
    "jinja: in, of halves": template(MEGA + "{% set s = t ~ t ~ t %}" + loop("t ~ 'b' ~ t in s")),
    "jinja: length": template(MEGA + loop("t|length")),
    "jinja: list in list": template(LIST + loop("l in [l]")),
    "jinja: shared values compared": template(TWINS + "{{ n.x == n.x[:] }}"),
    "jinja: shared values printed": template(TWINS + "{{ n.x|tojson }}"),
    "jinja: nested values": template(
        "{% set n = namespace(x=[]) %}{% for i in range(90000) %}{% set n.x = [n.x] %}{% endfor %}{{ n.x == n.x }}"
    ),
    "jinja: namespaces that hold each other, 50 times": template(
        "{% set a = namespace(t='a' * 18000000) %}{% set a.a = a %}x"
    )[:2]
    + ("moderate 50",),
    "jinja: least int": template("{% set n = -9223372036854775807 - 1 %}{{ n is divisibleby(-1) }}{{ n|abs }}"),
    "jinja: join": template("{{ ('a' * 100000)|list|join('a' * 100000) }}"),
    "jinja: strip": template("{% set t = 'a' * 1000000 %}" + loop("t.strip('b' * 1000 ~ 'a')")),
    "jinja: names": template("".join(f"{{% set n{i} = 1 %}}" for i in range(40000)) + loop("n39999")),
    "jinja: deep expression in macros": template(
        "{% macro f(n) %}{{ " + "1 ~ " * 300 + "f(n) }}{% endmacro %}{{ f(1) }}"
    ),
    "jinja: loops": template("{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}"),
    "regex: 48,000 alternatives": tokenizer(
        lambda t: t.update(
            pre_tokenizer={
                "type": "Split",
                "pattern": {"Regex": "a|" * 48000 + "a"},
                "behavior": "Isolated",
                "invert": False,
            }
        )
    ),
    "regex: the square of a text": tokenizer(
        lambda t: t.update(
            pre_tokenizer={"type": "Split", "pattern": {"Regex": "a*b"}, "behavior": "Isolated", "invert": False}
        )
    ),
    "tokenizer: normalizers that double": tokenizer(lambda t: t.update(normalizer=normalizers(40))),
    "tokenizer: an id of 2^24": tokenizer(lambda t: t["model"]["vocab"].update(zzz=(1 << 24) - 1)),
    "tokenizer: a negative type": tokenizer(lambda t: t["post_processor"]["single"][1]["Sequence"].update(type_id=-1)),
}
for golden in ("bert-embedding", "modernbert-sequence", "gemma3-generate", "qwen3-generate"):
    for key in (
        "num_hidden_layers",
        "num_attention_heads",
        "vocab_size",
        "max_position_embeddings",
        "head_dim",
        "num_labels",
    ):
        for value in (9 * 10**18, 2 * 10**9):
            ATTACKS[f"{golden}: {key} {value:.0e}"] = config(golden, key, value)


def attack(name: str) -> None:
    """In a process of its own: prints what happened as JSON."""
    import vsr

    golden, change, call = ATTACKS[name]
    vsr.load(str(MODELS / "bert-embedding")).embed("a")  # what a process with a model takes
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "model"
        shutil.copytree(MODELS / golden, folder)
        change(folder)
        begin, ended = time.monotonic(), "answered"
        try:
            model = vsr.load(str(folder))
            for _ in range(50 if call.endswith("50") else 1):
                if call == "embed":
                    model.embed("a" * 1_000_000)
                elif call.startswith("moderate"):
                    model.moderate("a", max_new_tokens=1)
        except vsr.Error as error:
            ended = f"{type(error).__name__}: {error}"
        seconds = time.monotonic() - begin
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(json.dumps({"seconds": seconds, "megabytes": grown, "ended": ended}))


def main() -> int:
    failed = 0
    print(f"{'attack':60} {'seconds':>8} {'MB':>6}  ended")
    for name in ATTACKS:
        try:
            run = subprocess.run(
                [sys.executable, __file__, "--attack", name], capture_output=True, text=True, timeout=120, check=False
            )
            result = (
                json.loads(run.stdout)
                if run.returncode == 0
                else {"ended": f"status {run.returncode}: {run.stderr[-200:]}"}
            )
        except subprocess.TimeoutExpired:
            result = {"ended": "still ran after 120 s"}
        seconds, megabytes = result.get("seconds", 999.0), result.get("megabytes", 0.0)
        bad = seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES or "InternalError" in result["ended"]
        failed += bad
        print(
            f"{name:60} {seconds:8.2f} {megabytes:6.0f}  {'FAILED ' if bad else ''}{result['ended'][:100]}", flush=True
        )
    print(f"{len(ATTACKS)} attacks, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--attack":
        attack(sys.argv[2])
    else:
        sys.exit(main())
