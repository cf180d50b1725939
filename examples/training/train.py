"""Trains a LoRA adapter for a base model from labelled texts, and measures it on texts held out.

    python train.py --base MODEL --data DATA.csv --output FOLDER [--recipe RECIPE.toml] [--task sequence|pair|token] ...

MODEL is the folder of a BERT checkpoint such as all-MiniLM-L6-v2. See README.md for the data and the recipe file.
"""

import argparse
import os
import pathlib
import shlex
import sys

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # everything is read from the folders named here
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

from lora_recipe.data import read_examples
from lora_recipe.settings import TASKS, RecipeError, read_settings


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=pathlib.Path, required=True, help="folder of the base model")
    parser.add_argument("--base-name", help="the base's name in the adapter's files; default: the folder's name")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="labelled texts, .csv or .jsonl")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="folder to write, made if it is not there")
    parser.add_argument("--recipe", type=pathlib.Path, help="settings; the arguments below come before it")
    parser.add_argument("--expected", type=pathlib.Path, help="texts for expected.json instead of held-out ones")
    parser.add_argument("--threads", type=int, default=0, help="of torch; default: all cores")
    for name, kind in (("name", str), ("seed", int), ("epochs", float), ("rank", int), ("learning-rate", float)):
        parser.add_argument(f"--{name}", type=kind)
    parser.add_argument(
        "--last-layers", type=int, help="adapt only this many layers, the last ones; the others are shared"
    )
    parser.add_argument("--task", choices=TASKS)
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    names = ("name", "seed", "epochs", "rank", "learning_rate", "last_layers", "task")
    try:
        settings = read_settings(options.recipe, {name: getattr(options, name) for name in names})
        examples = read_examples(options.data, settings.task)
        own = read_examples(options.expected, settings.task) if options.expected else None

        # Seconds to import, so after what can go wrong at once.
        import torch
        from lora_recipe.pipeline import make_adapter
        from lora_recipe.report import markdown, write_report
        from transformers.utils import logging

        logging.disable_progress_bar()
        if options.threads > 0:
            torch.set_num_threads(options.threads)
        base_name = options.base_name or options.base.name
        result = make_adapter(examples, settings, options.base, base_name, options.output, own,
                              lambda line: print(line, flush=True))  # fmt: skip
        command = "python train.py " + shlex.join(shown(arguments))
        print(markdown(write_report(options.output, settings, base_name, result, command)))
    except RecipeError as error:
        print(f"train.py: {error}", file=sys.stderr)
        return 1
    return 0


def shown(arguments):
    """The command for the report; folders of this machine are not part of it."""
    result = []
    for before, argument in zip(["", *arguments], arguments):
        if before == "--base":
            argument = "MODEL"
        elif before in ("--data", "--output", "--expected", "--recipe") and pathlib.Path(argument).is_absolute():
            argument = pathlib.Path(argument).name
        result.append(argument)
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
