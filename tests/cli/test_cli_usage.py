"""Wrong ways of asking: exit code 2 and one line. Right ways without a model: help and version."""

import pytest

COMMANDS = [
    "embed",
    "classify",
    "entities",
    "tokenize",
    "intents",
    "inspect",
    "generate",
    "moderate",
    "merge",
    "route",
    "compress",
    "guard",
    "bench",
]


def test_help_lists_the_commands_that_exist(vsr):
    done = vsr("--help")
    assert done.code == 0 and done.err == b""
    listed = [line.split()[0] for line in done.text.split("Subcommands:")[1].splitlines() if line.startswith("  ")]
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(vsr, command):
    done = vsr(command, "--help")
    assert done.code == 0 and done.err == b""
    assert ("--json" in done.text) == (command != "merge")  # which has nothing to report


def test_version_names_library_and_torch(vsr):
    assert vsr("--version").text.startswith("vsr 0.2.")
    assert "LibTorch 2." in vsr("--version").text


@pytest.mark.parametrize(
    "args, part",
    [
        ([], "subcommand is required"),
        (["frobnicate"], 'unknown command "frobnicate"'),
        (["embed", "text"], "--model DIR or --config FILE is required"),
        (["embed", "--frob", "text"], "--frob"),
        (["embed", "-m", "x", "--dim", "many", "text"], "--dim"),
        (["embed", "-m", "x", "--prompt", "a", "--instruction", "b", "text"], "exclude each other"),
        (["embed", "-m", "x", "--null", "--jsonl"], "exclude each other"),
        (["embed", "-m", "x", "--threads", "-1", "text"], "--threads"),
        (["embed", "-c", "x", "--dtype", "int8", "text"], "--dtype goes with --model"),
        (["classify", "-m", "x", "--pair", "b"], "--pair is given 1 times for 0 texts"),
        (["intents", "-m", "x", "text"], "one of --intents FILE and --load FILE"),
        (["intents", "-m", "x", "-i", "a.yaml", "--load", "b", "text"], "one of --intents FILE and --load FILE"),
        (["intents", "-m", "x", "--load", "b", "--top-k", "3", "text"], "saved set"),
        (["intents", "-m", "x", "-i", "a.yaml", "--rule", "most", "text"], "--rule"),
        (["intents", "-m", "x", "-i", "a.yaml", "--top-k", "0", "text"], "--top-k"),
        (["inspect"], "--model DIR or --config FILE is required"),
    ],
)
def test_wrong_usage_is_code_2_and_one_line(vsr, args, part):
    done = vsr(*args)
    done.fails(2, part, "--help")
    assert done.out == b""
