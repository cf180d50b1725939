"""Recipes of the canonical form and their probes: requests and the decision that each should get.

Keyword, structure, context, language and conversation signals come from the probe's own request. What models and
projections would say is in the tables below, one per decision, written out by hand from the recipe's rules.
"""

import json
import os
import pathlib

import pytest
from conftest import ROOT

yaml = pytest.importorskip("yaml")

DATA = pathlib.Path(os.environ.get("VSR_SHARED_DATA") or ROOT / ".." / "shared" / "data") / "router-configs"
if not DATA.is_dir():
    pytest.skip(f"{DATA} is not there (hint: set VSR_SHARED_DATA)", allow_module_level=True)

FREE = ("keywords", "structure", "context", "language", "conversation")
LEAVES = {"keywords": "keyword"}  # how rules call a section's signals, where not by its own name

CLOUD = {"projection:policy_privacy_cloud_allowed": 1, "projection:policy_security_standard": 1}
TABLES = {
    "agent": {
        "local_security_containment": {"projection:policy_security_local_only": 1},
        "local_privacy_policy": {"projection:policy_privacy_local_only": 0.9, "projection:policy_security_standard": 1},
        "simple_math_fast_path": {**CLOUD, "domain:math": 0.9, "projection:balance_simple": 0.8},
        "domain_legal_health": {**CLOUD, "domain:law": 0.8, "domain:health": 0.7},
        "domain_code_complex": {
            **CLOUD,
            "domain:computer science": 0.9,
            "embedding:architecture_design": 0.8,
            "complexity:code_task:hard": 0.7,
        },
        "domain_code": {**CLOUD, "domain:computer science": 0.9, "embedding:coding_workflows": 0.8},
        "domain_stem_research": {**CLOUD, "domain:math": 0.6, "domain:physics": 0.6},
        "domain_business": {**CLOUD, "domain:business": 0.9, "projection:balance_medium": 0.6},
        "complex_general": {**CLOUD, "projection:balance_complex": 0.8},
        "medium_general": {**CLOUD, "projection:balance_medium": 0.7},
        "simple_general": {**CLOUD, "projection:balance_simple": 0.7},
    },
    "balance": {
        "premium_legal": {"domain:law": 0.9, "complexity:legal_risk:hard": 0.8},
        "formal_math_proof": {"domain:math": 0.9, "projection:balance_reasoning": 0.8},
        "reasoning_deep": {
            "domain:philosophy": 0.8,
            "embedding:reasoning_general_en": 0.8,
            "projection:balance_reasoning": 0.7,
        },
        "complex_specialist": {
            "domain:computer science": 0.7,
            "embedding:agentic_workflows": 0.8,
            "embedding:architecture_design": 0.8,
            "embedding:complex_stem": 0.8,
            "projection:balance_complex": 0.8,
        },
        "feedback_wrong_answer_verified": {
            "user_feedback:wrong_answer": 0.9,
            "projection:feedback_correction_verified": 0.9,
            "projection:verification_required": 0.8,
        },
        "medium_code_general": {"embedding:code_general": 0.8, "projection:balance_medium": 0.6},
        "verified_health": {
            "domain:health": 0.9,
            "embedding:health_guidance": 0.8,
            "projection:verification_required": 0.8,
            "projection:balance_medium": 0.6,
        },
        "verified_explainer": {"domain:history": 0.8, "projection:verification_required": 0.8},
        "medium_explainer": {"domain:history": 0.8, "projection:balance_medium": 0.6},
        "medium_creative": {"embedding:creative_tasks": 0.8, "projection:balance_simple": 0.6},
        "feedback_need_clarification": {"projection:feedback_clarification_overlay": 0.8},
        "fast_qa": {"embedding:fast_qa_en": 0.8, "embedding:fast_qa_zh": 0.8, "projection:balance_simple": 0.8},
        "simple_general": {"embedding:general_chat_fallback": 0.7, "projection:balance_simple": 0.8},
        "casual_chat": {"domain:other": 0.6, "projection:balance_complex": 0.6},
    },
}


def recipe(name):
    return DATA / "config" / "recipes" / name / "config.yaml"


def probes(name):
    """(what is expected, probe) of a recipe, with ids for pytest."""
    text = recipe(name).with_name("probes.yaml").read_text("utf-8")
    return [
        pytest.param(decision, probe, id=f"{decision['id']}-{probe['id']}")
        for decision in yaml.safe_load(text)["decisions"]
        for probe in decision["variants"]
    ]


def request_of(probe):
    """The chat request of a probe, under the name that the recipes give to automatic choice."""
    text = " ".join([probe.get("query", "")] * probe.get("repeat", 1))
    messages = probe.get("messages", [{"role": "user", "content": text}])
    return {"model": "vllm-sr/auto", "messages": messages, **({"tools": probe["tools"]} if "tools" in probe else {})}


def free_part(name, folder):
    """A config of the recipe's model-free signals, in one rule that needs all of them looked at."""
    whole = yaml.safe_load(recipe(name).read_text("utf-8"))
    signals = {section: rules for section, rules in whole["routing"]["signals"].items() if section in FREE}
    leaves = [
        {"type": LEAVES.get(section, section), "name": rule["name"]}
        for section, rules in signals.items()
        for rule in rules
    ]
    decision = {"name": "any", "rules": {"operator": "OR", "conditions": leaves}, "modelRefs": [{"model": "m"}]}
    config = {
        "version": whole["version"],
        "global": {"router": {"auto_model_names": ["vllm-sr/auto"]}},
        "providers": {"defaults": {"default_model": "m"}, "models": [{"name": "m"}]},
        "routing": {"modelCards": [{"name": "m"}], "signals": signals, "decisions": [decision]},
    }
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(config, allow_unicode=True), "utf-8")
    return path


@pytest.fixture(scope="module")
def routers(vsr, tmp_path_factory):
    """By recipe: its own router, and one of its model-free signals."""
    folder = tmp_path_factory.mktemp("recipes")
    names = ("agent", "balance", "accuracy")
    return {name: (vsr.Router(recipe(name)), vsr.Router(free_part(name, folder))) for name in names}


def free_signals(router, probe):
    signals = router.route(request_of(probe), evaluate_all=True).signals
    return {name: signal.confidence for name, signal in signals.items() if signal.matched}


def check_expected_signals(probe, matched):
    """What the probe says of its model-free signals, by section."""
    for section, names in probe.get("expected_signals", {}).items():
        if section in FREE:
            assert {f"{LEAVES.get(section, section)}:{name}" for name in names} <= set(matched)


@pytest.mark.parametrize("expected, probe", probes("accuracy"))
def test_probes_of_accuracy_are_decided_from_their_text(routers, expected, probe):
    router, free = routers["accuracy"]
    found = router.route(request_of(probe))
    assert (found.name, found.model) == (expected["expected_decision"], expected["expected_alias"])
    assert found.request["messages"] == request_of(probe)["messages"]
    several = expected["expected_algorithm"] in ("workflows", "fusion")
    assert (found.plan is not None and "steps" in found.plan) == several
    check_expected_signals(probe, free_signals(free, probe))


@pytest.mark.parametrize("recipe_name", ["agent", "balance"])
def test_rules_that_need_more_are_not_decided_from_text_alone(vsr, routers, recipe_name):
    router, _ = routers[recipe_name]
    request = {"model": "vllm-sr/auto", "messages": [{"role": "user", "content": "hello"}]}
    with pytest.raises(vsr.NotFoundError, match="vsr.models"):
        router.route(request)
    assert not router.info.skipped
    assert not [line for line in router.info.warnings if "can never" in line]


def check_by_table(routers, name, expected, probe):
    router, free = routers[name]
    matched = free_signals(free, probe)
    check_expected_signals(probe, matched)
    decision = expected["expected_decision"]
    found = router.decide(matched | TABLES[name][decision])
    assert (found.name, found.model) == (decision, expected["expected_alias"])
    # The tables matter: without them only these, and what is left over, are decided in the same way.
    by_text = decision in ("medium_code_general", router.info.decisions[-1].name)
    by_text = by_text or probe["id"] == "roman_republic_with_citations"
    assert (router.decide(matched).name == decision) == by_text


@pytest.mark.parametrize("expected, probe", probes("agent"))
def test_probes_of_agent_are_decided_by_table(routers, expected, probe):
    check_by_table(routers, "agent", expected, probe)


@pytest.mark.parametrize("expected, probe", probes("balance"))
def test_probes_of_balance_are_decided_by_table(routers, expected, probe):
    check_by_table(routers, "balance", expected, probe)


@pytest.mark.parametrize("name", ["agent", "balance"])
def test_every_decision_of_a_recipe_has_a_table_and_a_probe(routers, name):
    decisions = {decision.name for decision in routers[name][0].info.decisions}
    assert decisions == set(TABLES[name]) == {probe.values[0]["expected_decision"] for probe in probes(name)}


CASES = json.loads((DATA / "e2e/testcases/testdata/keyword_routing_cases.json").read_text("utf-8"))
CASES_CONFIG = r"""version: v0.3
routing:
  modelCards: [{name: small}]
  signals:
    keywords:
      - {name: urgent_request, operator: OR, keywords: [urgent, immediate, asap, emergency]}
      - {name: sensitive_data, operator: AND, keywords: [SSN, credit card]}
      - name: regex_pattern_match
        operator: OR
        method: regex
        keywords: ['[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}', 'C:\\Program Files\\']
  decisions:
    - {name: urgent_request, priority: 3, rules: {type: keyword, name: urgent_request}, modelRefs: [{model: small}]}
    - {name: sensitive_data, priority: 2, rules: {type: keyword, name: sensitive_data}, modelRefs: [{model: small}]}
    - {name: regex_pattern_match, rules: {type: keyword, name: regex_pattern_match}, modelRefs: [{model: small}]}
providers: {defaults: {default_model: small}, models: [{name: small}]}
"""


@pytest.fixture(scope="module")
def keyword_router(vsr, tmp_path_factory):
    path = tmp_path_factory.mktemp("keywords") / "router.yaml"
    path.write_text(CASES_CONFIG, "utf-8")
    return vsr.Router(path)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["description"].replace(" ", "_"))
def test_keyword_cases(keyword_router, case):
    found = keyword_router.route({"messages": [{"role": "user", "content": case["query"]}], "model": "auto"})
    assert (found.name, found.confidence) == (case["expected_category"], pytest.approx(case["expected_confidence"]))
    assert [name for name, signal in found.signals.items() if signal.matched] == [
        f"keyword:{name}" for name in case["matched_keywords"]
    ]


def without_services(folder):
    """The reference without its services (memory, rag, image_gen, their stores), with a knowledge base of its own."""
    whole = yaml.safe_load((DATA / "config" / "config.yaml").read_text("utf-8"))
    for decision in whole["routing"]["decisions"]:
        plugins = decision.get("plugins", [])
        decision["plugins"] = [p for p in plugins if p["type"] not in ("memory", "rag", "image_gen")]
    for store in ("memory", "vector_store"):
        del whole["global"]["stores"][store]
    for base in whole["global"]["model_catalog"]["kbs"]:
        labels = {label for members in base["groups"].values() for label in members}
        manifest = folder / base["source"]["path"] / base["source"]["manifest"]
        manifest.parent.mkdir(parents=True, exist_ok=True)
        texts = {label: {"exemplars": [label.replace("_", " ")]} for label in labels}
        manifest.write_text(json.dumps({"labels": texts}), "utf-8")
    return whole


def test_the_reference_without_its_services_lacks_learned_selection_alone(vsr, tmp_path):
    config = without_services(tmp_path)
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump(config, allow_unicode=True), "utf-8")
    with pytest.raises(vsr.UnsupportedError, match="selection algorithm kmeans"):
        vsr.Router(path)
    for decision in config["routing"]["decisions"]:
        if decision.get("algorithm") == {"type": "kmeans"}:
            decision["algorithm"] = {"type": "static"}
    path.write_text(yaml.safe_dump(config, allow_unicode=True), "utf-8")
    router = vsr.Router(path)
    assert router.info.recipes[0].entrypoints == ["vllm-sr/exhaustive-privacy"]
    request = {"model": "vllm-sr/exhaustive-privacy", "messages": [{"role": "user", "content": "my passport number"}]}
    assert router.route(request).name == "privacy_recipe_route"
    assert router.decide({"domain:business": 0.9, "jailbreak:prompt_injection": 1}).name == "static_business_route"
