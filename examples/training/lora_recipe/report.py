"""report.json and README.md of an adapter."""

import dataclasses
from importlib import metadata

from .export import write_json

REFITTED = """Measured on an adapter that has seen none of them, with its own thresholds. The one in this folder is trained by the
same settings on the held-out texts as well, and calibrated on the same texts as that one; no text is left to measure it
on."""
PACKAGES = ("peft", "transformers", "tokenizers", "torch", "safetensors", "numpy")


def write_report(folder, settings, base_name, result, command):
    report = {
        "name": settings.name,
        "title": settings.title,
        "base_model": base_name,
        "seed": settings.seed,
        "data": settings.data,
        "licence": settings.licence,
        "command": command,
        "settings": dataclasses.asdict(settings),
        "versions": {package: metadata.version(package) for package in PACKAGES},
        **result,
    }
    write_json(folder / "report.json", report)
    (folder / "README.md").write_text(markdown(report), encoding="utf-8")
    return report


def percent(value):
    return "–" if value is None else f"{100 * value:.1f} %"


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def markdown(report):
    settings, trained = report["settings"], report["trained"]
    layers = ", ".join(map(str, report["layers"]))
    scale = "rsLoRA" if settings["rslora"] else "LoRA"
    pooler = " and pooler" if settings["train_pooler"] else ""
    weights = f"{trained['trained_parameters']:,} weights with the head{pooler}"
    dtype = "float16" if settings["float16"] else "float32"
    facts = [
        ("base model", report["base_model"]),
        ("adapted layers", f"{layers} of 0 to {report['layers_of_base'] - 1}: those below are shared"),
        ("adapter", f"{scale}, rank {settings['rank']}, alpha {settings['alpha']:g}; {weights}, {dtype}"),
        ("labels", ", ".join(report["labels"])),
        ("data", report["data"]),
        ("licence", report["licence"]),
        ("rows", rows_line(report)),
        ("seed", report["seed"]),
        ("time", f"{report['seconds']} s on one core that others used too, {trained['steps']} steps"),
        ("temperature", f"{report['temperature']}, folded into the head"),
    ]
    parts = [
        f"# {report['name']}: {report['title']}",
        table(("what", "value"), facts),
        f"Made by\n\n    {report['command']}",
        "## Quality on held-out texts",
        REFITTED if settings["refit"] else "",
        quality(report),
        settings["notes"].strip(),
        "The files: `adapter_config.json` and `adapter_model.safetensors` as `peft` saves them, `id2label.json`, "
        "`thresholds.json` and `expected.json` (texts with the answers of `peft`) as "
        "[the recipe](../../../examples/training/README.md) describes them, `report.json` with all numbers.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def rows_line(report):
    rows = report["rows"]
    line = f"{rows['train']} trained on, {rows['calibration']} for calibration, {rows['held_out']} held out"
    return line + ", which are trained on as well once all is measured" if report["settings"]["refit"] else line


def quality(report):
    if report["settings"]["task"] == "token":
        return token_quality(report)
    made, nearest = report["held_out"], report["neighbours"]
    rows = [
        ("accuracy", percent(made["accuracy"]), percent(nearest["accuracy"])),
        ("macro F1", percent(made["macro_f1"]), percent(nearest["macro_f1"])),
        ("calibration error", percent(made["calibration_error"]), percent(nearest["calibration_error"])),
    ]
    text = table(("measure", "adapter", f"nearest neighbours (k = {nearest['k']})"), rows)
    if "alarms" in made:
        return text + "\n\n" + alarm_quality(made["alarms"], nearest["alarms"]) + near_line(nearest)
    lines = [(label, m["count"], percent(m["precision"]), percent(m["recall"]), percent(nearest["labels"][label]["f1"]),
              percent(m["f1"])) for label, m in made["labels"].items()]  # fmt: skip
    header = ("label", "texts", "precision", "recall", "F1 of neighbours", "F1")
    return text + "\n\n" + table(header, lines) + near_line(nearest)


def near_line(nearest):
    near = nearest["near"]
    return (
        f"\n\nThe split keeps near-duplicates together. {near['windows']} of {near['of']} held-out windows have "
        f"a training window at a cosine of {near['similarity']} or more "
        f"(median of the nearest: {near['median_nearest']})."
    )


def alarm_quality(made, nearest):
    def of(entry):
        return f"{entry['alarms']} of {entry['count']}"

    rows = [("all attacks found", f"{of(made['recall'])} ({percent(made['recall']['rate'])})", of(nearest["recall"])),
            ("all false alarms", of(made["false_alarms"]), of(nearest["false_alarms"]))]  # fmt: skip
    rows += [(name, of(entry), of(nearest["sources"][name])) for name, entry in made["sources"].items()]
    header = ("at the thresholds", f"adapter ({made['threshold']:g})", f"nearest neighbours ({nearest['threshold']:g})")
    return table(header, rows)


def token_quality(report):
    strict, kept = report["held_out"]["strict"], report["held_out"]["with_thresholds"]
    nearest = report["neighbours"]
    none = {"precision": 0.0, "recall": 0.0, "f1": 0.0}
    rows = [("all", strict["count"], strict, kept, nearest)]
    rows += [(label, m["count"], m, kept["labels"].get(label, none), nearest["labels"].get(label, none))
             for label, m in strict["labels"].items()]  # fmt: skip
    lines = [(label, count, percent(a["precision"]), percent(a["recall"]), percent(a["f1"]), percent(b["precision"]),
              percent(b["recall"]), percent(n["f1"])) for label, count, a, b, n in rows]  # fmt: skip
    header = ("entity", "held out", "precision", "recall", "F1", "precision at thresholds", "recall at thresholds",
              "F1 of nearest tokens")  # fmt: skip
    return f"Strict: start, end and type must be right; {strict['texts']} texts.\n\n" + table(header, lines)
