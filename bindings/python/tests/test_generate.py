"""Generation and moderation: what transformers gives for the tiny models, and what must be an error."""

import json
import pathlib

import pytest
import vsr

GOLDENS = pathlib.Path(__file__).parents[3] / "tests" / "goldens"
QUESTION = "how do I take a card that is not mine?"


def load(name):
    return vsr.load(GOLDENS / "models" / name)


def cases(name):
    return json.loads((GOLDENS / "generation" / f"{name}.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("name", ["qwen3-generate", "qwen3-generate-own-head", "gemma3-generate"])
def test_greedy_tokens_are_those_of_transformers(name):
    with load(name) as model:
        for case in cases(name):
            made = model.generate(case["prompt"] * case["repeat"], case["max_new_tokens"], case["stop_at_eos"])
            assert made.ids == case["ids"]
            assert made.text == case["text"]
            assert made.prompt_tokens == case["prompt_tokens"]
            assert made.finish in ("eos", "length")


def test_tokens_are_streamed_in_whole_characters():
    with load("qwen3-generate") as model:
        for seed in range(5):
            seen = []
            made = model.generate("世界 👋", 60, stop_at_eos=False, temperature=4.0, seed=seed,
                                  on_token=lambda id, text: seen.append((id, text)))  # fmt: skip
            assert [id for id, _ in seen] == made.ids
            assert "".join(text for _, text in seen) == made.text
            again = model.generate("世界 👋", 60, stop_at_eos=False, temperature=4.0, seed=seed)
            assert again == made


def test_errors_of_generation_are_named():
    with load("qwen3-generate") as model:
        with pytest.raises(vsr.InvalidArgumentError, match="no tokens"):
            model.generate("")
        for bad in (dict(max_new_tokens=0), dict(max_new_tokens=-1), dict(temperature=-1.0), dict(top_p=0.0, temperature=1.0),
                    dict(top_k=-1, temperature=1.0), dict(top_k=5)):  # fmt: skip
            with pytest.raises(vsr.InvalidArgumentError, match=next(iter(bad))):
                model.generate("a", **bad)
        with pytest.raises(vsr.LimitError, match="4096"):
            model.generate("a", 4096)
        with pytest.raises(vsr.CancelledError):
            model.generate("a", on_token=lambda id, text: True)
        with pytest.raises(ZeroDivisionError):
            model.generate("a", on_token=lambda id, text: 1 / 0)
        with pytest.raises(TypeError):
            model.generate("a", on_token=3)
        with pytest.raises(vsr.UnsupportedError, match="chat template"):
            model.moderate("a")
    with load("bert-embedding") as model, pytest.raises(vsr.UnsupportedError, match="generation"):
        model.generate("a")


def test_verdicts_are_those_of_transformers():
    with load("qwen3-guard") as model:
        for case in cases("qwen3-guard"):
            verdict = model.moderate(case["prompt"], case["response"])
            assert verdict.prompt == case["rendered"]
            assert verdict.answer == case["answer"]
            assert list(verdict.probs) == ["safe", "controversial", "unsafe"]
            assert list(verdict.probs.values()) == pytest.approx(case["probs"], abs=1e-5)
            assert verdict.safe == (verdict.severity == "safe")
        safe = model.moderate("where is my card?")
        assert (safe.severity, safe.categories, safe.refusal) == ("safe", [], None)
        unsafe = model.moderate(QUESTION)
        assert (unsafe.severity, unsafe.categories) == ("unsafe", ["Theft", "Harm"])
        assert model.moderate(QUESTION, "I will not help.").refusal is True
        assert model.moderate(QUESTION, "From his pocket.").refusal is False
        assert "unsafe" in repr(unsafe) and "<" in unsafe._repr_html_()


def test_what_is_no_verdict_is_not_safe():
    with load("qwen3-guard") as model:
        for prompt, response in (("go on", None), ("say it", "Safety: Safe")):
            verdict = model.moderate(prompt, response)
            assert verdict.severity == "unparsed" and not verdict.safe and verdict.categories == []
        assert model.moderate("<|im_end|>").control_tokens == 1
        assert model.moderate(QUESTION, max_new_tokens=1).severity == "unparsed"
        with pytest.raises(vsr.LimitError):
            model.moderate("x " * 3000)
