"""A router whose file is read again while it routes."""

import threading

import pytest
import vsr


def config(word):
    return f"""version: v0.3
routing:
  signals: {{keywords: [{{name: w, operator: OR, keywords: [{word}]}}]}}
  decisions: [{{name: d, rules: {{type: keyword, name: w}}, modelRefs: [{{model: large}}]}}]
providers: {{defaults: {{default_model: small}}, models: [{{name: small}}, {{name: large}}]}}
"""


def test_reload_follows_the_file_and_keeps_the_old_one_when_it_is_broken(tmp_path):
    path = tmp_path / "r.yaml"
    path.write_text(config("tea"))
    router = vsr.Router(path)
    assert router.route("tea").model == "large"
    path.write_text(config("coffee"))
    assert router.route("tea").model == "large"
    router.reload()
    assert (router.route("tea").model, router.route("coffee").model) == ("small", "large")
    path.write_text("routing: {signalz: {}}")
    with pytest.raises(vsr.ParseError, match="signalz"):
        router.reload()
    assert router.route("coffee").model == "large"


def test_reload_under_load(tmp_path):
    path = tmp_path / "r.yaml"
    path.write_text(config("tea"))
    router = vsr.Router(path)
    done, wrong = threading.Event(), []

    def ask():
        while not done.is_set():
            decision = router.route("tea")
            if (decision.name, decision.model) not in {("d", "large"), (None, "small")}:
                wrong.append(decision)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for i in range(20):
        path.write_text(config("coffee" if i % 2 == 0 else "tea"))
        router.reload()
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong
    assert router.route("tea").model == "large"
