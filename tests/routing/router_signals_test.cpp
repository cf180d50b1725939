// Signals by examples, by what was said before, and by knowledge bases: from the file through a whole route.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "routing/router.h"
#include "support/failure.h"

using namespace vsr;
using namespace vsr::routing;
namespace fs = std::filesystem;

namespace {

// A text is the direction of its length in letters "a" and "b".
class LetterEmbedder : public inference::Embedder {
 public:
  std::vector<float> embed(std::span<const std::string_view> texts, const base::CallLimits&) const override {
    std::vector<float> rows;
    for (const std::string_view text : texts) {
      const auto a = static_cast<float>(std::count(text.begin(), text.end(), 'a'));
      const auto b = static_cast<float>(std::count(text.begin(), text.end(), 'b'));
      const float length = std::max(std::hypot(a, b), 1e-6F);
      rows.insert(rows.end(), {a / length, b / length});
    }
    return rows;
  }
  size_t dim() const override { return 2; }
  std::string fingerprint() const override { return "letters"; }
};

class LetterInference : public inference::Inference {
 public:
  bool has_models() const override { return true; }
  std::shared_ptr<const inference::Embedder> embedder(const std::string&) const override {
    return std::make_shared<LetterEmbedder>();
  }
  std::vector<inference::TaskAnswer> classify(std::span<const std::string_view>,
                                              std::span<const inference::TaskQuestion>, const std::vector<bool>&,
                                              const base::CallLimits&) const override {
    return {};
  }
  std::optional<size_t> count_tokens(std::string_view) const override { return std::nullopt; }
};

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("vsr_signals_" + std::to_string(std::rand()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = path_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

 private:
  fs::path path_;
};

constexpr const char* kConfig = R"(
providers: {defaults: {default_model: small}, models: [{name: small}, {name: large}]}
global:
  model_catalog:
    kbs:
      - name: base
        source: {path: ., manifest: labels.json}
        threshold: 0.6
        groups: {vowels: [as], others: [bs]}
        metrics: [{name: margin, type: group_margin, positive_group: vowels, negative_group: others}]
routing:
  signals:
    reasks: [{name: again, threshold: 0.9, lookback_turns: 2}]
    preferences: [{name: all_a, examples: [aaa], threshold: 0.5}, {name: all_b, examples: [bbb], threshold: 0.5}]
    modality: [{name: AR}, {name: DIFFUSION}, {name: BOTH}]
    events: [{name: alarm, severities: [critical], action_codes: [TXN_DECLINE]}]
    kb:
      - {name: best_a, kb: base, target: {kind: label, value: as}, match: best}
      - {name: group_b, kb: base, target: {kind: group, value: others}, match: threshold}
  projections:
    scores: [{name: s, inputs: [{type: kb_metric, kb: base, metric: margin, weight: 1}]}]
    mappings: [{name: m, source: s, outputs: [{name: more_a, gt: 0.2}]}]
  decisions:
    - name: all
      rules:
        operator: OR
        conditions:
          - {type: reask, name: again}
          - {type: preference, name: all_a}
          - {type: preference, name: all_b}
          - {type: modality, name: AR}
          - {type: modality, name: DIFFUSION}
          - {type: modality, name: BOTH}
          - {type: event, name: alarm}
          - {type: kb, name: best_a}
          - {type: kb, name: group_b}
          - {type: projection, name: more_a}
)";
constexpr const char* kLabels = R"({"labels": {"as": {"exemplars": ["a"]}, "bs": {"exemplars": ["b", "bb"]}}})";

class Opened {
 public:
  Opened() {
    folder_.write("labels.json", kLabels);
    RouterOptions options;
    options.inference = std::make_shared<LetterInference>();
    router_ = Router::open(folder_.write("r.yaml", kConfig), std::move(options));
  }
  // The signals that match, by name.
  std::set<std::string> matched(const std::string& request) const {
    RouteOptions options;
    options.evaluate_all = true;
    std::set<std::string> names;
    for (const EvaluatedSignal& signal : router_->route(request, options).signals) {
      if (signal.value.matched) names.insert(signal.name);
    }
    return names;
  }

 private:
  Folder folder_;
  std::shared_ptr<const Router> router_;
};

std::string turns(const std::vector<std::string>& user) {
  std::string messages;
  for (const std::string& text : user) {
    if (!messages.empty()) messages += R"(,{"role":"assistant","content":"so"},)";
    messages += R"({"role":"user","content":")" + text + "\"}";
  }
  return R"({"model":"auto","messages":[)" + messages + "]}";
}

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("signals by examples and knowledge: the nearest matches", "[routing][signals]") {
  const Opened opened;
  CHECK(opened.matched("aaaab") ==
        Names{"preference:all_a", "modality:AR", "kb:best_a", "kb_metric:base:margin", "projection:more_a"});
  CHECK(opened.matched("abb bb") == Names{"preference:all_b", "modality:AR", "kb:group_b"});
}

TEST_CASE("reask: every turn of the streak must say the same", "[routing][signals]") {
  const Opened opened;
  const auto again = [&](const std::vector<std::string>& user) {
    return opened.matched(turns(user)).contains("reask:again");
  };
  CHECK(again({"aab", "aab", "aab"}));
  CHECK(again({"aaab", "aab", "aab"}));
  CHECK_FALSE(again({"bbb", "aab", "aab"}));
  CHECK_FALSE(again({"aab", "aab"}));
  CHECK(again({"bbb", "aab", "aab", "aab"}));
}

TEST_CASE("events and modality: words decide", "[routing][signals]") {
  const Opened opened;
  CHECK(opened.matched("severity=CRITICAL").contains("event:alarm"));
  CHECK_FALSE(opened.matched("hypercritical").contains("event:alarm"));
  CHECK(opened.matched("Please draw a cat").contains("modality:DIFFUSION"));
  CHECK(opened.matched("explain and illustrate it, draw a cat").contains("modality:BOTH"));
}

TEST_CASE("knowledge bases: a manifest that is wrong is an error with the base's place", "[routing][signals]") {
  const Folder folder;
  const std::string path = folder.write("r.yaml", kConfig);
  const auto failure = [&](const char* labels) {
    if (labels != nullptr) folder.write("labels.json", labels);
    RouterOptions options;
    options.inference = std::make_shared<LetterInference>();
    return vsr::test::failure_of([&] { Router::open(path, options); }).message;
  };
  CHECK(failure(nullptr).find("knowledge base \"base\"") != std::string::npos);
  CHECK(failure("[]").find("has no map \"labels\"") != std::string::npos);
  CHECK(failure(R"({"labels": {"as": {"exemplars": ["a"]}}})").find("has no label \"bs\"") != std::string::npos);
  CHECK(failure(R"({"labels": {"as": {"exemplars": [1]}}})").find("an exemplar that is no string") !=
        std::string::npos);
}
