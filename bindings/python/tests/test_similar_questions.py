"""The response cache with the trained pair check, through the router: opposites share no answer, paraphrases do."""

import pytest
from conftest import ROOT

CONFIG = """version: v0.3
routing: {modelCards: [{name: small}]}
providers: {defaults: {default_model: small}, models: [{name: small}]}
vsr:
  models: {minilm: {path: %s}}
  adapters: {same_question: {path: %s, model: minilm}}
  cache: {semantic: {%s}}
"""


def open_router(vsr, folder, minilm_path, semantic):
    path = folder / "router.yaml"
    path.write_text(CONFIG % (minilm_path, ROOT / "models/adapters/same_question", semantic))
    return vsr.Router(path)


def chat(text):
    return {"model": "auto", "messages": [{"role": "user", "content": text}]}


def is_served(router, first, second):
    """Whether the second question gets the first one's answer. Pairs are tenants, so none sees another."""
    tenant = first + second
    router.store(router.route(chat(first), tenant=tenant), b"the answer")
    return router.route(chat(second), tenant=tenant).outcome == "cached"


@pytest.mark.parametrize("file", ["cache_pairs.tsv", "cache_pairs_dev.tsv"])
def test_opposites_share_no_answer_and_paraphrases_do(vsr, tmp_path, minilm_path, file):
    router = open_router(vsr, tmp_path, minilm_path, "same_question: same_question")
    assert not router.info.warnings
    served = {"opposite": [], "same": []}
    for line in (ROOT / "bench" / file).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            label, _, first, second = line.split("\t")
            served[label].append(is_served(router, first, second))
    assert sum(served["opposite"]) <= 0.02 * len(served["opposite"])
    assert sum(served["same"]) >= 0.6 * len(served["same"])


def test_what_is_held_back_can_be_judged(vsr, tmp_path, minilm_path):
    router = open_router(vsr, tmp_path, minilm_path, "same_question: same_question, max_error_rate: 0.02")
    router.store(router.route(chat("How do I track my parcel?")), b"the answer")
    d = router.route(chat("How can I track my parcel?"), explain=True)
    assert (d.outcome, d.held_back) == ("forward", b"the answer")
    assert any("held back" in note for note in d.explanation.notes)
    router.feedback(d, right=False)
    assert router.route(chat("How can I track my parcel?")).held_back == b""


def test_without_a_pair_check_the_file_is_warned_of(vsr, tmp_path, minilm_path):
    router = open_router(vsr, tmp_path, minilm_path, "similarity_threshold: 0.8")
    (warning,) = router.info.warnings
    assert "same_question" in warning
    assert is_served(router, "How do I track my parcel?", "How can I track my parcel?")
    assert not is_served(router, "How do I track my parcel?", "What has become of my parcel?")
