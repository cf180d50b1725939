"""Routers of the same config text, and of other models."""

import shutil

import vsr
from conftest import tiny

CONFIG = """
routing:
  modelCards: [{name: a}]
providers: {defaults: {default_model: a}}
vsr:
  models: {m: {path: model}}
  cache: {snapshot: %s}
"""


def test_the_same_text_in_two_folders_shares_no_answers(tmp_path):
    outcomes = []
    for folder in ("one", "two", "two"):
        place = tmp_path / folder
        if not place.exists():
            shutil.copytree(tiny("bert-embedding"), place / "model")
            (place / "router.yaml").write_text(CONFIG % (tmp_path / "s.vsr"))
        router = vsr.Router(place / "router.yaml")
        decision = router.route("hello")
        outcomes.append(decision.outcome)
        router.store(decision, "an answer")
        del router, decision
    assert outcomes == ["forward", "forward", "cached"]
