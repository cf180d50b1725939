// A router with a response cache over models that see no difference between texts: every question is as similar to
// every other as can be, so what keeps answers apart is not the models.
#pragma once

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "routing/router.h"
#include "support/temp_folder.h"

namespace vsr::test {

class BlindEmbedder : public inference::Embedder {
 public:
  std::vector<float> embed(std::span<const std::string_view> texts, const base::CallLimits&) const override {
    ++calls;
    std::vector<float> rows;
    for (size_t i = 0; i < texts.size(); ++i) rows.insert(rows.end(), {1, 0});
    return rows;
  }
  size_t dim() const override { return 2; }
  std::string fingerprint() const override { return "blind"; }
  mutable std::atomic<int> calls{0};
};

// A task "jailbreak" that knows attacks by "ignore all" and a task "risk" by "bomb".
class BlindInference : public inference::Inference {
 public:
  bool has_models() const override { return true; }
  std::shared_ptr<const inference::Embedder> embedder(const std::string&) const override { return vectors; }
  std::vector<inference::TaskAnswer> classify(std::span<const std::string_view> texts,
                                              std::span<const inference::TaskQuestion> tasks, const std::vector<bool>&,
                                              const base::CallLimits&) const override {
    ++passes;
    std::vector<inference::TaskAnswer> answers;
    for (const inference::TaskQuestion& question : tasks) {
      inference::TaskAnswer answer;
      if (question.task == broken) {
        answer.error = std::make_exception_ptr(base::Error(base::Status::kNotFound, "task \"" + broken + "\" is gone"));
      }
      answer.labels = {"safe", "unsafe"};
      for (const std::string_view text : texts) {
        const bool attack = text.find(question.task == "risk" ? "bomb" : "ignore all") != std::string_view::npos;
        answer.scores.insert(answer.scores.end(), {attack ? 0.1f : 0.9f, attack ? 0.9f : 0.1f});
      }
      answers.push_back(std::move(answer));
    }
    return answers;
  }
  std::optional<size_t> count_tokens(std::string_view text) const override { return text.size() / 4; }

  std::shared_ptr<BlindEmbedder> vectors = std::make_shared<BlindEmbedder>();
  std::string broken;
  mutable std::atomic<int> passes{0};
};

class CachedRouter {
 public:
  explicit CachedRouter(const std::string& config) : inference(std::make_shared<BlindInference>()) {
    folder_.write("router.yaml", config);
    router = routing::Router::open(folder_ / "router.yaml", {.inference = inference});
  }
  // `signals` and `decisions` are the lines of their sections; `cache` is the value of vsr.cache, "" for none.
  CachedRouter(const std::string& signals, const std::string& decisions, const std::string& cache = "{threshold: 0.9}")
      : CachedRouter("version: v0.3\nrouting:\n  modelCards: [{name: small}, {name: large}]\n  signals:\n" + signals +
                     "  decisions:\n" + decisions +
                     "providers: {defaults: {default_model: small}, models: [{name: small}, {name: large}]}\n" +
                     (cache.empty() ? "" : "vsr: {cache: " + cache + "}\n")) {}

  routing::Routed route(std::string_view body, const routing::RouteOptions& options = {}) const {
    return router->route(body, options);
  }
  // Routes, and keeps an answer of the shape that the request asks for. Returns what was decided.
  routing::Routed answer(std::string_view body, const std::string& says,
                         const routing::RouteOptions& options = {}) const {
    routing::Routed routed = route(body, options);
    const auto json = nlohmann::json::parse(body, nullptr, false);
    const bool stream = json.is_object() && json.contains("stream") && json["stream"] == true;
    router->store(routed, stream ? streamed(says) : whole(says));
    return routed;
  }
  // What the cache answers, all of it; "" when it does not.
  std::string cached(std::string_view body, const routing::RouteOptions& options = {}) const {
    const routing::Routed routed = route(body, options);
    return routed.outcome == routing::RouteOutcome::kCached ? routed.response : "";
  }

  static std::string whole(const std::string& says) {
    const nlohmann::json message = {{"role", "assistant"}, {"content", says}};
    return nlohmann::json{{"object", "chat.completion"},
                          {"choices", {{{"index", 0}, {"message", message}, {"finish_reason", "stop"}}}}}
        .dump();
  }
  static std::string streamed(const std::string& says) {
    const auto chunk = [](const nlohmann::json& delta, const nlohmann::json& finish) {
      return "data: " +
             nlohmann::json{{"object", "chat.completion.chunk"},
                            {"choices", {{{"index", 0}, {"delta", delta}, {"finish_reason", finish}}}}}
                 .dump() +
             "\n\n";
    };
    return chunk({{"content", says}}, nullptr) + chunk(nlohmann::json::object(), "stop") + "data: [DONE]\n\n";
  }

  std::shared_ptr<BlindInference> inference;
  std::shared_ptr<const routing::Router> router;

 private:
  TempFolder folder_;
};

// A chat of one user message with more members of the body, as JSON text.
inline std::string chat_body(const std::string& question, const nlohmann::json& more = nlohmann::json::object()) {
  nlohmann::json body = {{"model", "auto"}, {"messages", {{{"role", "user"}, {"content", question}}}}};
  body.update(more);
  return body.dump();
}

}  // namespace vsr::test
