"""Targets, spans, thresholds and measures, against values worked out by hand."""

import pytest
from conftest import MISSING, REASON

if MISSING:
    pytest.skip(REASON, allow_module_level=True)

import numpy as np
from lora_recipe import calibrate, evaluate, neighbours
from lora_recipe.encode import IGNORED, Window, token_targets
from lora_recipe.score import entities, merged_probs, spans_of

LABELS = ["O", "B-A", "I-A", "B-B", "I-B"]


def certain(*names):
    return np.eye(len(LABELS))[[LABELS.index(name) for name in names]]


def window(example, target=0, offsets=()):
    return Window(example, [], [], list(offsets), target)


def test_tokens_of_one_span_begin_once():
    ids = {label: i for i, label in enumerate(LABELS)}
    offsets = [(0, 0), (0, 3), (3, 5), (6, 8), (8, 9), (9, 12), (0, 0)]
    targets = token_targets(offsets, [(0, 5, "A"), (6, 8, "A"), (9, 12, "B")], ids)
    assert targets == [IGNORED, ids["B-A"], ids["I-A"], ids["B-A"], ids["O"], ids["B-B"], IGNORED]


def test_spans_join_neighbours_of_one_type():
    offsets = [(0, 0), (0, 2), (2, 4), (5, 6), (6, 8), (9, 10), (0, 0)]
    spans = spans_of(certain("B-A", "B-A", "I-A", "B-A", "I-B", "O", "B-B"), LABELS, offsets)
    assert [(s["start"], s["end"], s["label"]) for s in spans] == [(0, 4, "A"), (5, 6, "A"), (6, 8, "B")]
    assert all(s["score"] == 1 for s in spans)


def test_overlapping_windows_unite_their_entities():
    windows = [window(0, offsets=[(0, 2), (2, 4)]), window(0, offsets=[(2, 4), (4, 6)])]
    logits = [50 * certain("O", "B-A"), 50 * certain("B-A", "I-A")]
    (found,) = entities(windows, logits, LABELS, 1)
    assert [(s["start"], s["end"], s["label"]) for s in found] == [(2, 6, "A")]


def test_windows_merge_by_mean_or_by_the_worst():
    windows, logits = [window(0), window(0)], [np.log([0.9, 0.1]), np.log([0.3, 0.7])]
    assert merged_probs(windows, logits, 1)[0] == pytest.approx([0.6, 0.4])
    assert merged_probs(windows, logits, 1, unsafe=1)[0] == pytest.approx([0.3, 0.7])


def test_temperature_finds_how_sure_the_scores_may_be():
    generator = np.random.default_rng(5)
    logits = generator.normal(size=(4000, 3)) * 2
    targets = np.array([generator.choice(3, p=np.exp(row) / np.exp(row).sum()) for row in logits])
    assert calibrate.temperature_of(logits * 3, targets) == pytest.approx(3, rel=0.1)
    assert calibrate.temperature_of(logits[:10] * 3, targets[:10]) == 1


def test_threshold_is_the_least_score_that_is_precise():
    scores = np.array([0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
    right = np.array([1, 1, 1, 1, 1, 0, 1], bool)
    assert calibrate.precise_threshold(scores, right, 1.0) == 0.6
    assert calibrate.precise_threshold(scores, right, 0.85) == 0.4
    assert calibrate.precise_threshold(scores, ~right, 0.85) is None


def test_alarm_threshold_keeps_off_the_safe_texts():
    unsafe = np.array([False] * 10 + [True])
    assert calibrate.alarm_threshold(np.array([0.1] * 10 + [0.9]), unsafe, 0.0) == 0.5
    assert calibrate.alarm_threshold(np.array([0.1] * 9 + [0.8, 0.9]), unsafe, 0.0) == 0.9
    assert calibrate.alarm_threshold(np.array([0.1] * 9 + [0.8, 0.9]), unsafe, 0.1) == 0.5


def test_entities_count_when_all_of_them_is_right():
    true = [[(0, 2, "A"), (3, 5, "B")], []]
    found = [
        [{"start": 0, "end": 2, "label": "A", "score": 0.9}, {"start": 3, "end": 6, "label": "B", "score": 0.4}],
        [],
    ]
    metrics = evaluate.entity_metrics(found, true)
    assert (metrics["precision"], metrics["recall"], metrics["count"]) == (0.5, 0.5, 2)
    assert evaluate.entity_metrics(found, true, {"B": 0.5})["precision"] == 1.0


def test_alarms_are_counted_by_source():
    metrics = evaluate.alarm_metrics(
        np.array([0.9, 0.2, 0.6, 0.1]), np.array([True, True, False, False]), list("xyxy"), 0.5
    )
    assert metrics["recall"] == {"rate": 0.5, "alarms": 1, "count": 2}
    assert metrics["sources"]["x: false alarms"] == {"alarms": 1, "count": 1}


def test_a_text_does_not_vote_for_itself():
    vectors = np.array([[1, 0], [1, 0], [0.9, 0.1], [0, 1]], np.float32)
    windows = [window(0, 0), window(0, 0), window(1, 1), window(2, 1)]
    assert neighbours.soft_targets(vectors, windows, 2, k=1)[0] == pytest.approx([0, 1])
    assert neighbours.soft_targets(vectors, windows, 2, k=1)[1] == pytest.approx([1, 0])
