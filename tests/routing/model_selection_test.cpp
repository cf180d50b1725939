// Selection by measurements, prices, quality and descriptions; plans of calls.
#include "routing/decision/model_selection.h"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "routing/decision/model_choice.h"
#include "routing/support/router_files.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::strict;
using vsr::test::strict_failure;
using Json = nlohmann::json;

namespace {

RouterConfig with_algorithm(const std::string& algorithm) {
  return strict(R"(
providers:
  models:
    - {name: small, pricing: {prompt_per_1m: 1, completion_per_1m: 2}}
    - {name: large, pricing: {prompt_per_1m: 5, completion_per_1m: 10}}
    - {name: judge}
routing:
  modelCards:
    - {name: small, quality_score: 0.6, description: quick talk, capabilities: [chat]}
    - {name: large, quality_score: 0.9, description: hard proofs}
    - {name: judge}
  decisions:
    - name: d
      modelRefs: [{model: large, use_reasoning: true, reasoning_effort: high}, {model: small}]
      algorithm: )" +
                algorithm + "\n");
}

std::string chosen(const RouterConfig& config, const ModelMeasures& measures,
                   std::map<std::string, double> similarities = {}) {
  return choose_model(config.catalog, {.decision = &config.decisions[0],
                                       .prompt_tokens = 100,
                                       .measures = &measures,
                                       .similarities = std::move(similarities)})
      .model;
}

Json plan_of(const std::string& algorithm) { return Json::parse(with_algorithm(algorithm).decisions[0].plan); }

}  // namespace

TEST_CASE("model measures: percentiles of the last measurements", "[routing][selection]") {
  const RouterConfig config = with_algorithm("{type: static}");
  ModelMeasures measures(config.catalog);
  CHECK_FALSE(measures.percentile("small", ModelMeasures::Time::kPerToken, 90));
  for (int i = 1; i <= 100; ++i) measures.add("small", {.tpot_ms = i});
  CHECK(measures.percentile("small", ModelMeasures::Time::kPerToken, 90) == 90.0);
  CHECK(measures.percentile("small", ModelMeasures::Time::kPerToken, 100) == 100.0);
  for (int i = 0; i < 256; ++i) measures.add("small", {.tpot_ms = 7});
  CHECK(measures.percentile("small", ModelMeasures::Time::kPerToken, 100) == 7.0);
  CHECK(vsr::test::failure_of([&] { measures.add("smal", {}); }).status == Status::kNotFound);
  CHECK(vsr::test::failure_of([&] { measures.add("small", {.ttft_ms = -1}); }).status == Status::kInvalidArgument);
}

TEST_CASE("model choice: latency_aware takes the fastest that was measured", "[routing][selection]") {
  const RouterConfig config =
      with_algorithm("{type: latency_aware, latency_aware: {tpot_percentile: 90, ttft_percentile: 95}}");
  ModelMeasures measures(config.catalog);
  CHECK(chosen(config, measures) == "large");  // the first, nothing being measured
  measures.add("small", {.ttft_ms = 100});
  CHECK(chosen(config, measures) == "large");  // not complete
  measures.add("small", {.tpot_ms = 20});
  CHECK(chosen(config, measures) == "small");
  measures.add("large", {.ttft_ms = 150, .tpot_ms = 10});  // 1.25 of the fastest, small 1.5
  CHECK(chosen(config, measures) == "large");
}

TEST_CASE("model choice: multi_factor weighs what is known of all, within limits", "[routing][selection]") {
  const auto with = [](const std::string& more) {
    return with_algorithm("{type: multi_factor, multi_factor: {" + more + "}}");
  };
  const RouterConfig by_quality = with("weights: {quality: 0.7, cost: 0.3}");
  ModelMeasures measures(by_quality.catalog);
  CHECK(chosen(by_quality, measures) == "large");
  CHECK(chosen(with("weights: {quality: 0.3, cost: 0.7}"), measures) == "small");
  const RouterConfig limited = with("weights: {quality: 1}, slo: {max_tpot_ms: 50, max_inflight: 8}");
  measures.add("large", {.tpot_ms = 60});
  CHECK(chosen(limited, measures) == "small");
  measures.add("small", {.in_flight = 9});
  CHECK(chosen(limited, measures) == "small");  // the cheapest, none being within the limits
  CHECK(chosen(with("slo: {max_tpot_ms: 50, max_inflight: 8}, on_no_candidates: first"), measures) == "large");
  CHECK(vsr::test::failure_of([&] {
          chosen(with("slo: {max_tpot_ms: 50, max_inflight: 8}, on_no_candidates: fail"), measures);
        }).status == Status::kNotFound);
  CHECK(chosen(with("weights: {cost: 1}, slo: {max_cost_per_1m: 1.5}"), measures) == "small");
}

TEST_CASE("model choice: router_dc takes the nearest description", "[routing][selection]") {
  const RouterConfig config = with_algorithm("{type: router_dc, router_dc: {min_similarity: 0.4, temperature: 0.2}}");
  const ModelMeasures measures(config.catalog);
  CHECK(chosen(config, measures, {{"small", 0.8}, {"large", 0.5}}) == "small");
  CHECK(chosen(config, measures, {{"small", 0.3}, {"large", 0.2}}) == "large");  // none is near enough: the first
  CHECK(config.replaced.size() == 1);
}

TEST_CASE("plans: an algorithm of several calls says which and how they are joined", "[routing][selection]") {
  const Json fusion = plan_of(
      "{type: fusion, fusion: {model: judge, analysis_models: [small, large], max_concurrent: 2, "
      "analysis_overrides: [{model: small, temperature: 0.2}], min_successful_responses: 1}}");
  CHECK(fusion["algorithm"] == "fusion");
  CHECK(fusion["steps"].size() == 2);
  CHECK(fusion["steps"][0]["calls"][0] == Json{{"model", "small"}, {"reasoning", false}, {"temperature", 0.2}});
  CHECK(fusion["steps"][0]["calls"][1]["effort"] == "high");
  CHECK(fusion["steps"][0]["max_concurrent"] == 2);
  CHECK(fusion["steps"][1]["calls"][0]["model"] == "judge");
  CHECK(fusion["steps"][1]["join"] == "synthesize");
  const Json confidence = plan_of("{type: confidence, confidence: {threshold: 0.7, confidence_method: hybrid}}");
  CHECK(confidence["steps"][0]["calls"][0]["model"] == "small");  // the cheaper first
  CHECK(confidence["steps"][0]["join"] == "answer_if_confident");
  CHECK(confidence["steps"][0]["accept"]["threshold"] == 0.7);
  CHECK(confidence["steps"][1]["join"] == "answer");
  const Json remom = plan_of("{type: remom, remom: {breadth_schedule: [3, 2], synthesis_model: judge}}");
  CHECK(remom["steps"].size() == 3);
  CHECK(remom["steps"][0]["calls"].size() == 3);
  const Json workflow = plan_of("{type: workflows, workflows: {mode: dynamic, planner: {model: judge}, max_steps: 4}}");
  CHECK(workflow["steps"][0]["join"] == "plan");
  CHECK(workflow["steps"][1]["max_steps"] == 4);
  CHECK(plan_of("{type: ratings}")["steps"][0]["join"] == "return_all");
  CHECK(plan_of("{type: prompt, prompt: {model: judge, instructions: choose}}")["steps"][0]["join"] ==
        "choose_candidate");
  CHECK(plan_of("{type: static}")["candidates"].size() == 2);
  CHECK(plan_of("{type: static}").count("steps") == 0);
}

TEST_CASE("algorithms: unknown keys and models are errors with a place", "[routing][selection]") {
  const auto message = [](const std::string& algorithm) {
    return vsr::test::failure_of([&] { with_algorithm(algorithm); }).message;
  };
  CHECK(message("{type: fusion, fusion: {modell: judge}}").find("is not a key of \"fusion\"") != std::string::npos);
  CHECK(message("{type: fusion, fusion: {analysis_models: [judgy]}}").find("did you mean \"judge\"") !=
        std::string::npos);
  CHECK(message("{type: latency_aware}").find("names no percentile") != std::string::npos);
  CHECK(message("{type: elo}").find("selection algorithm elo is known but not run") != std::string::npos);
  CHECK(message("{type: fusion, fusion: {analysis_overrides: 3}}").find("value of a wrong kind") != std::string::npos);
}

TEST_CASE("model selection: hybrid weighs quality, descriptions and cost", "[routing][selection]") {
  const ModelMeasures none{ModelCatalog{}};
  const auto by = [&](const std::string& weights, std::map<std::string, double> similarities = {}) {
    return chosen(with_algorithm("{type: hybrid, hybrid: {" + weights + "}}"), none, std::move(similarities));
  };
  const std::string zero = "experience_weight: 0, router_dc_weight: 0, automix_weight: 0, cost_weight: 0";
  CHECK(by("experience_weight: 0.6, router_dc_weight: 0, automix_weight: 0, cost_weight: 0.4") == "large");
  CHECK(by("experience_weight: 0.4, router_dc_weight: 0, automix_weight: 0, cost_weight: 0.6") == "small");
  CHECK(by("experience_weight: 0.5, router_dc_weight: 0.3, automix_weight: 0, cost_weight: 0.5",
           {{"small", 0.9}, {"large", 0.1}}) == "small");
  CHECK(by(zero) == "large");  // of equals the first
  // What is not known of all does not count.
  CHECK(by("experience_weight: 0.1, router_dc_weight: 1, automix_weight: 0, cost_weight: 0", {{"small", 0.9}}) ==
        "large");
  const std::string quality = "experience_weight: 1, router_dc_weight: 0, automix_weight: 0, cost_weight: 0";
  CHECK(by(quality + ", quality_gap_threshold: 0.2") == "large");
  CHECK(by(quality + ", quality_gap_threshold: 0.4") == "small");
  CHECK(strict_failure("routing: {decisions: [{name: d, modelRefs: [{model: a}, {model: b}], "
                       "algorithm: {type: hybrid, hybrid: {normalize_scores: false}}}]}")
            .status == Status::kUnsupported);
}

TEST_CASE("model selection: a decision of one model needs no choice", "[routing][selection]") {
  const auto with = [](const std::string& models) {
    return "routing: {decisions: [{name: d, modelRefs: [" + models + "], algorithm: {type: knn, knn: {k: 5}}}]}";
  };
  const RouterConfig config = strict(with("{model: a}"));
  REQUIRE(config.replaced.size() == 1);
  CHECK_THAT(config.replaced[0], Catch::Contains("the decision has one model, which needs no choice"));
  CHECK(strict_failure(with("{model: a}, {model: b}")).status == Status::kUnsupported);
}

TEST_CASE("model selection: the file's method is that of decisions that name none", "[routing][selection]") {
  const auto with = [](const std::string& selection, const std::string& algorithm = "") {
    return "global: {router: {model_selection: " + selection + R"(}}
routing:
  decisions:
    - {name: many, modelRefs: [{model: a}, {model: b}])" +
           algorithm + R"(}
    - {name: one, modelRefs: [{model: a}]}
)";
  };
  const std::string selection =
      "{method: hybrid, hybrid: {cost_weight: 0.7}, momentum: {enabled: false}, ml: {knn: {k: 5}}}";
  const RouterConfig config = strict(with(selection));
  CHECK(config.decisions[0].algorithm.kind == Algorithm::Kind::kHybrid);
  CHECK(config.decisions[0].algorithm.hybrid.cost == 0.7);
  CHECK(config.decisions[1].algorithm.kind == Algorithm::Kind::kStatic);
  CHECK(strict(with(selection, ", algorithm: {type: static}")).decisions[0].algorithm.kind == Algorithm::Kind::kStatic);
  CHECK(strict(with("{method: router_dc, hybrid: {cost_weight: 0.7}}", ", algorithm: {type: hybrid}"))
            .decisions[0]
            .algorithm.hybrid.cost == 0.7);
  CHECK(strict(with("{enabled: false, method: knn, momentum: {enabled: true}}")).decisions[0].algorithm.kind ==
        Algorithm::Kind::kStatic);
  CHECK(strict_failure(with("{method: knn}")).status == Status::kUnsupported);
  CHECK(strict_failure(with("{method: best}")).status == Status::kParse);
  CHECK(strict_failure(with("{hybrid: {costs: 1}}")).status == Status::kParse);
  CHECK(strict_failure(with("{momentum: {enabled: true}}")).status == Status::kUnsupported);
}
