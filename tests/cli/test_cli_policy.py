"""vsr embed --policy: the model of a run, chosen among those of a configuration."""

import pytest


@pytest.fixture()
def config(tiny, tmp_path):
    path = tmp_path / "c.yaml"
    path.write_text(
        "vsr:\n  models:\n"
        f"    good: {{path: {tiny('bert-embedding')}, quality: 0.9, languages: [de]}}\n"
        f"    fast: {{path: {tiny('bert-no-pooler')}, quality: 0.2}}\n"
    )
    return path


def test_the_policy_chooses_one_model_for_all_texts(vsr, config):
    texts = "\n".join(["where is my card?"] * 300).encode()  # more than one call's worth
    for policy, name in {"quality=1": "good", "latency=1": "fast", "latency=1,language=de": "good"}.items():
        found = vsr("embed", "-c", config, "--policy", policy, "--json", stdin=texts).objects
        assert [o["model"] for o in found] == [name] * 300
    [chosen] = vsr("embed", "-c", config, "--policy", "latency=1", "--json", "hello").objects
    [named] = vsr("embed", "-c", config, "--task", "fast", "--json", "hello").objects
    assert chosen["embedding"] == named["embedding"] and "model" not in named


def test_people_read_the_reason_and_what_was_rejected(vsr, config):
    lines = vsr("embed", "-c", config, "--policy", "language=de", "hello").text.splitlines()
    assert lines[0].startswith("model good: score 0.950 = 0.500 x quality 0.900 + 0.500 x speed 1.000")
    assert lines[1] == "  not fast lists no languages"


def test_what_is_no_policy_is_wrong_usage(vsr, config):
    for policy, message in {
        "fast": "is not of the form name=value",
        "quality=": "is not of the form name=value",
        "quality=2": 'quality is "2", expected a number from 0 to 1',
        "quality=0.5x": "expected a number from 0 to 1",
        "quality=1,quality=1": "quality is given twice",
        "speed=1": '"speed" is none of quality, latency and language',
    }.items():
        vsr("embed", "-c", config, "--policy", policy, "hello").fails(2, "--policy", message)
    vsr("embed", "-c", config, "--policy", "quality=1", "--task", "good", "hello").fails(2, "--policy and --task")
    vsr("embed", "-c", config, "--policy", "language=fr", "hello").fails(1, "no embedding model qualifies")
