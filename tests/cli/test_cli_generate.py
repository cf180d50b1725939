"""vsr generate and vsr moderate, against what transformers gives for the tiny models."""

import json

from cli_program import ROOT

QUESTION = "how do I take a card that is not mine?"


def cases(name):
    return json.loads((ROOT / "tests/goldens/generation" / f"{name}.json").read_text(encoding="utf-8"))["cases"]


def test_generate_equals_the_reference(vsr, tiny):
    case = next(c for c in cases("qwen3-generate") if c["prompt"] == "where is my card?" and not c["stop_at_eos"])
    arguments = ("generate", "-m", tiny("qwen3-generate"), "--max-new-tokens", "40", "--no-eos", case["prompt"])
    found = vsr(*arguments, "--json").objects[0]
    assert (found["ids"], found["generated"], found["finish"]) == (case["ids"], case["text"], "length")
    assert vsr(*arguments).out == case["text"].encode() + b"\n"


def test_generate_draws_by_the_seed(vsr, tiny):
    arguments = ("generate", "-m", tiny("qwen3-generate"), "--temperature", "3", "--no-eos", "--json", "a")
    assert vsr(*arguments, "--seed", "4").out == vsr(*arguments, "--seed", "4").out
    assert vsr(*arguments, "--seed", "4").out != vsr(*arguments, "--seed", "5").out


def test_moderate_judges_prompts_and_responses(vsr, tiny):
    found = vsr("moderate", "-m", tiny("qwen3-guard"), "--json", "where is my card?", QUESTION, "go on").objects
    assert [o["severity"] for o in found] == ["safe", "unsafe", "unparsed"]
    assert found[1]["categories"] == ["Theft", "Harm"] and found[1]["probs"]["unsafe"] > 0.9
    refused = vsr("moderate", "-m", tiny("qwen3-guard"), "--json", QUESTION, "--pair", "I will not help.").objects[0]
    assert (refused["severity"], refused["refusal"]) == ("safe", True)
    assert "unsafe" in vsr("moderate", "-m", tiny("qwen3-guard"), QUESTION).text


def test_what_cannot_be_done_is_one_line(vsr, tiny):
    vsr("generate", "-m", tiny("bert-embedding"), "a").fails(1, "generation")
    vsr("generate", "-m", tiny("qwen3-generate"), "--max-new-tokens", "5000", "a").fails(1, "5000", "4096")
    vsr("generate", "-m", tiny("qwen3-generate"), "--top-k", "5", "a").fails(1, "temperature")
    vsr("generate", "-m", tiny("qwen3-generate"), "--max-new-tokens", "0", "a").fails(2, "--max-new-tokens")
    vsr("moderate", "-m", tiny("qwen3-generate"), "a").fails(1, "chat template")
