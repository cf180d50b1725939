"""Adapters, and many tasks in one pass."""

import pytest
from cli_program import ROOT

ADAPTERS = ROOT / "tests/goldens/adapters"
TEXTS = ["where is my card?", "book a flight to paris"]


@pytest.fixture
def model(tiny):
    """A model with an adapter for topics and one for entities."""
    return [
        "-m",
        tiny("bert-embedding"),
        "--adapter",
        f"topic={ADAPTERS / 'bert-last-layer'}",
        "--adapter",
        f"names={ADAPTERS / 'bert-token'}",
    ]


def near(values):
    return {key: pytest.approx(value, abs=1e-6) for key, value in values.items()}


def test_many_tasks_answer_as_each_alone(vsr, model):
    found = vsr("classify", *model, "--task", "topic,names,bert-embedding", "--json", *TEXTS).objects
    topics = vsr("classify", *model, "--task", "topic", "--json", *TEXTS).objects
    names = vsr("entities", *model, "--task", "names", "--json", *TEXTS).objects
    vectors = vsr("embed", *model, "--task", "bert-embedding", "--json", *TEXTS).objects
    for one, topic, entities, vector in zip(found, topics, names, vectors, strict=True):
        assert list(one["tasks"]) == ["topic", "names", "bert-embedding"]
        assert one["tasks"]["topic"]["probs"] == near(topic["probs"])
        assert one["tasks"]["topic"]["label"] == topic["label"]
        assert [(e["label"], e["start"], e["end"]) for e in one["tasks"]["names"]["entities"]] == [
            (e["label"], e["start"], e["end"]) for e in entities["entities"]
        ]
        assert one["tasks"]["bert-embedding"]["embedding"] == pytest.approx(vector["embedding"], abs=1e-6)
        assert [one["tasks"][task]["path"] for task in one["tasks"]] == ["lora", "lora", "standard"]


def test_people_see_a_table_for_each_text_and_the_pass(vsr, model):
    lines = vsr("classify", *model, "--task", "topic,names", *TEXTS).text.splitlines()
    assert lines[0] == TEXTS[0] and lines[1].split()[0] == "topic" and lines[2].split()[0] == "names"
    assert TEXTS[1] in lines
    assert "one pass for topic, names" in lines[-1] and "of 3 blocks ran once" in lines[-1]


def test_a_failed_task_is_an_error_and_the_others_are_printed(vsr, model):
    done = vsr("classify", *model, "--task", "topic,names", "--json", "where", "--pair", "is my card")
    done.fails(1, "names", "pairs")
    assert b'"label"' in done.out and b'"error":{"code":"VSR_ERR_UNSUPPORTED"' in done.out
    vsr("classify", *model, "--task", "topic,names", "where", "--pair", "is my card").fails(1, "names", "pairs")


def test_the_path_is_chosen_and_shown(vsr, tiny, tmp_path):
    config = tmp_path / "vsr.yaml"
    config.write_text(f"""
vsr:
  models:
    base: {{path: {tiny("bert-embedding")}}}
    full: {{path: {tiny("bert-sequence")}}}
  adapters:
    lora: {{path: {ADAPTERS / "bert-last-layer"}, model: base}}
  tasks:
    both: {{model: full, adapter: lora}}
""")

    def path(*arguments):
        (one,) = vsr("classify", "-c", config, "--json", *arguments, "hello").objects
        return one["tasks"]["both"]["path"]

    assert path("--task", "both,full") == "standard"
    assert path("--task", "both,lora") == "lora"
    assert path("--task", "both", "--path", "lora") == "lora"
    assert path("--task", "both,lora", "--path", "standard") == "standard"
    vsr("classify", "-c", config, "--task", "both", "--path", "fast", "hello").fails(2, "fast")
    vsr("classify", "-c", config, "--path", "lora", "hello").fails(2, "--task")


def test_wrong_arguments_are_named(vsr, model, tiny):
    vsr("classify", *model, "--task", "topic,weather", "hello").fails(1, "weather")
    vsr("classify", *model, "--task", "topic,", "hello").fails(2, "empty name")
    vsr("classify", *model, "--task", "topic,topic", "hello").fails(1, "topic", "twice")
    for bad in ("=", "a=", "=b"):
        vsr("classify", "-m", tiny("bert-embedding"), "--adapter", bad, "hello").fails(2, bad, "NAME=DIR")
    vsr("classify", "-m", tiny("bert-embedding"), "--adapter", "a=/nowhere", "hello").fails(1, "/nowhere")
    vsr("classify", "-m", tiny("bert-embedding"), "--adapter", ADAPTERS / "modernbert-fused", "hello").fails(
        1, "modernbert-fused", "bert-embedding"
    )


def test_inspect_tells_an_adapter_from_a_model(vsr, tiny, model):
    text = vsr("inspect", ADAPTERS / "bert-last-layer", "--model", tiny("bert-embedding")).text
    assert "adapter of" in text and "banking, travel, other" in text and "layers unchanged" in text
    (one,) = vsr("inspect", *model, "--json").objects
    assert [adapter["name"] for adapter in one["adapters"]] == ["topic", "names"]
    vsr("inspect", ADAPTERS / "bert-last-layer").fails(2, "is an adapter", "--model")
    vsr("inspect", tiny("bert-embedding"), "--model", tiny("bert-sequence")).fails(2, "two models")


def test_a_folder_with_an_equals_sign_is_a_folder(vsr, tiny, tmp_path):
    (tmp_path / "lr=1").symlink_to(ADAPTERS / "bert-last-layer")
    for arguments in (("classify", "--adapter", tmp_path / "lr=1", "--task", "lr=1", "hello"), ("inspect", "lr=1")):
        assert vsr(*arguments, "-m", tiny("bert-embedding"), cwd=tmp_path).code == 0


def test_intents_with_what_other_tasks_say(vsr, model, tmp_path):
    intents = tmp_path / "intents.csv"
    intents.write_text("text,label\nwhere is my card,card\nbook a flight,flight\n")
    arguments = ["--intents", intents, *TEXTS]
    plain = vsr("intents", *model, "--json", *arguments).objects
    found = vsr("intents", *model, "--also", "topic,names", "--json", *arguments).objects
    topics = vsr("classify", *model, "--task", "topic", "--json", *TEXTS).objects
    for one, alone, topic in zip(found, plain, topics, strict=True):
        assert (one["intent"], one["nearest"]) == (alone["intent"], alone["nearest"])
        assert one["score"] == pytest.approx(alone["score"], abs=1e-6)
        assert one["tasks"]["topic"]["probs"] == near(topic["probs"])
        assert "entities" in one["tasks"]["names"] and "tasks" not in alone
    text = vsr("intents", *model, "--also", "topic,names", *arguments).text
    assert text.split("\n")[1].split() == ["question", "intent", "score", "topic", "names", "ms"]
    assert "one pass for topic, names, bert-embedding" in text and "--also topic,names" in text
    vsr("intents", *model, "--also", "weather", *arguments).fails(1, "weather")


def test_merge_writes_a_standard_model(vsr, model, tiny, tmp_path):
    merged = tmp_path / "merged"
    arguments = ["merge", ADAPTERS / "bert-last-layer", "--model", tiny("bert-embedding"), "--output", merged]
    assert vsr(*arguments).text.strip() == str(merged)
    found = vsr("classify", "-m", merged, "--json", *TEXTS).objects
    for one, adapted in zip(found, vsr("classify", *model, "--task", "topic", "--json", *TEXTS).objects, strict=True):
        assert one["probs"] == {key: pytest.approx(value, abs=1e-5) for key, value in adapted["probs"].items()}
    vsr(*arguments).fails(1, "exists already")
