"""vsr route and vsr compress."""

import json

import pytest

CONFIG = """version: v0.3
routing:
  signals:
    keywords: [{name: urgent, operator: OR, keywords: [urgent]}]
  decisions:
    - name: urgent
      rules: {type: keyword, name: urgent}
      modelRefs: [{model: large}]
providers:
  defaults: {default_model: small}
  models: [{name: small}, {name: large}]
"""


@pytest.fixture()
def config(tmp_path):
    path = tmp_path / "router.yaml"
    path.write_text(CONFIG)
    return path


def test_requests_are_routed_from_arguments_and_standard_input(vsr, config):
    first, second = vsr("route", "-c", config, "--json", "urgent!", "hello").objects
    assert (first["decision"], first["model"], first["outcome"]) == ("urgent", "large", "forward")
    assert first["request"] == {"model": "large", "messages": [{"role": "user", "content": "urgent!"}]}
    assert (second["decision"], second["model"]) == (None, "small")
    body = '{"messages":[{"role":"user","content":"urgent"}],  "x":1e2}'
    for text in (body, body.replace(",  ", ",\n  ")):  # also over several lines
        [routed] = vsr("route", "-c", config, "--json", stdin=text.encode()).objects
        assert routed["decision"] == "urgent"
    shown = vsr("route", "-c", config, "--body", stdin=body.encode()).text
    assert shown == '{"messages":[{"role":"user","content":"urgent"}],  "x":1e2,"model":"large"}\n'


def test_people_see_where_and_why(vsr, config):
    text = vsr("route", "-c", config, "--explain", "urgent!").text
    assert "urgent -> large" in text and "keyword:urgent" in text and "yes" in text


def test_decisions_from_given_signals(vsr, config):
    [decision] = vsr("route", "-c", config, "--json", "--signal", "keyword:urgent=0.5").objects
    assert (decision["decision"], decision["confidence"]) == ("urgent", 0.5)
    vsr("route", "-c", config, "--signal", "keyword:urgend=1").fails(1, "keyword:urgent")
    vsr("route", "-c", config, "--signal", "keyword:urgent").fails(2, "NAME=VALUE")


def test_fields_are_given_once(vsr, config):
    vsr("route", "-c", config, "--header", "a=1", "--header", "a=2", "hi").fails(2, '--header "a" is given twice')
    vsr("route", "-c", config, "--metadata", "a=1", "--metadata", "a=1", "hi").fails(2, '--metadata "a" is given twice')


def test_a_config_is_checked(vsr, config, tmp_path):
    assert "1 decision" in vsr("route", "--check", config).text
    bad = tmp_path / "bad.yaml"
    bad.write_text(CONFIG.replace("name: urgent\n      rules", "name: urgent\n      ruls"))
    vsr("route", "--check", bad).fails(1, "bad.yaml:")
    schema = json.loads(vsr("route", "--schema").text)
    assert "$schema" in schema


def test_a_check_finds_missing_tasks_and_with_load_labels(vsr, config, tmp_path, tiny):
    def file(model, label):
        path = tmp_path / "models.yaml"
        signals = f"    classifiers: [{{name: topic, labels: [{label}]}}]\n  decisions:\n"
        rule = f"    - {{name: topic, rules: {{type: classifier, name: topic, label: {label}}}, modelRefs: [{{model: large}}]}}\n"
        text = CONFIG.replace("  decisions:\n", signals + rule)
        path.write_text(text + f"vsr:\n  models:\n    topic: {{path: {tiny(model)}}}\n")
        return path

    assert "warning" not in vsr("route", "--check", file("bert-sequence", "travel"), "--load").text
    vsr("route", "--check", file("bert-token", "travel")).fails(1, "models.yaml:7:28", "classifier:topic:travel")
    vsr("route", "--check", file("bert-sequence", "weather"))
    vsr("route", "--check", file("bert-sequence", "weather"), "--load").fails(1, "models.yaml:7:28", "banking")


def test_compress_shortens(vsr):
    text = "The road was long. " * 300 + "Which tax rate applies to machines?"
    [result] = vsr("compress", "--json", "-n", "40", stdin=text.encode()).objects
    assert result["tokens_after"] <= 40 and "tax rate" in result["text"]
    assert "[...]" in vsr("compress", "--view", "-n", "40", stdin=text.encode()).text
