// Routers as they are opened, over models that lack what a test says.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "routing/router.h"
#include "support/failure.h"
#include "support/temp_folder.h"

namespace vsr::test {

// Finds all texts alike.
class OneVector : public inference::Embedder {
 public:
  std::vector<float> embed(std::span<const std::string_view> texts, const base::CallLimits&) const override {
    std::vector<float> rows;
    for (size_t i = 0; i < texts.size(); ++i) rows.insert(rows.end(), {1, 0});
    return rows;
  }
  size_t dim() const override { return 2; }
  std::string fingerprint() const override { return "one"; }
};

// Models that lack the tasks that a test says.
class SomeTasks : public inference::Inference {
 public:
  bool has_models() const override { return any; }
  std::string missing(const std::string& task, inference::TaskUse use) const override {
    if (!folder.empty()) base::fail(base::Status::kNotFound, folder);
    const std::string name = use == inference::TaskUse::kEmbed ? "embedding" : task;
    return gone.contains(name) ? "task \"" + name + "\" does not exist" : "";
  }
  void load() const override { ++loaded; }
  std::shared_ptr<const inference::Embedder> embedder(const std::string&) const override {
    if (gone.contains("embedding")) base::fail(base::Status::kNotFound, "no model embeds");
    return std::make_shared<OneVector>();
  }
  std::vector<inference::TaskAnswer> classify(std::span<const std::string_view> texts,
                                              std::span<const inference::TaskQuestion> tasks, const std::vector<bool>&,
                                              const base::CallLimits&) const override {
    ++passes;
    std::vector<inference::TaskAnswer> answers;
    for (const inference::TaskQuestion& question : tasks) {
      inference::TaskAnswer answer;
      if (gone.contains(question.task)) {
        answer.error = std::make_exception_ptr(base::Error(error, "task " + question.task + " is gone"));
      } else {
        answer.labels = {"SAFE", "RISKY"};
        for (size_t i = 0; i < texts.size(); ++i) answer.scores.insert(answer.scores.end(), {0.9f, 0.1f});
      }
      answers.push_back(answer);
    }
    return answers;
  }
  std::optional<size_t> count_tokens(std::string_view text) const override { return text.size() / 4; }

  bool any = true;
  std::set<std::string> gone = {};
  std::string folder = {};  // what is wrong with it; empty: nothing
  base::Status error = base::Status::kNotFound;
  mutable int loaded = 0;
  mutable int passes = 0;
};

inline constexpr const char* kTwoModels = R"(providers:
  defaults: {default_model: small}
  models: [{name: small}, {name: large}]
)";

// A router of a config text after kTwoModels, with what it said when it was opened.
struct OpenedRouter {
  explicit OpenedRouter(const std::string& text, bool lenient = false, bool validate = false, SomeTasks tasks = {})
      : models(std::make_shared<SomeTasks>(std::move(tasks))) {
    path = folder.write("r.yaml", kTwoModels + text);
    open(lenient, validate);
  }
  void open(bool lenient = false, bool validate = false) {
    routing::RouterOptions options{.lenient = lenient, .validate_models = validate, .inference = models};
    options.models = identity;
    options.log = [this](base::LogLevel level, std::string_view line) {
      if (level >= base::LogLevel::kWarning) log.emplace_back(line);
    };
    failure = failure_of([&] { router = routing::Router::open(path, options); });
    const size_t at = failure.message.find(path);
    if (at != std::string::npos) failure.message.replace(at, path.size(), "r.yaml");
  }
  std::vector<std::string> warnings() const {
    std::vector<std::string> lines = nlohmann::json::parse(router->describe()).at("warnings");
    for (std::string& line : lines) {
      if (line.starts_with(path)) line.replace(0, path.size(), "r.yaml");
    }
    return lines;
  }
  Failure route(const std::string& text, const routing::RouteOptions& options = {}) {
    Failure result = failure_of([&] { routed = router->route(text, options); });
    if (result.message.starts_with(path)) result.message.replace(0, path.size(), "r.yaml");
    return result;
  }

  TempFolder folder;
  std::string path;
  std::string identity;  // of the models
  std::shared_ptr<SomeTasks> models;
  std::shared_ptr<const routing::Router> router;
  Failure failure;
  routing::Routed routed;
  std::vector<std::string> log;
};

}  // namespace vsr::test
