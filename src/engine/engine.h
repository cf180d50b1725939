// The immutable engine: loaded models and the tasks they answer. Every method is thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/generation_types.h"
#include "engine/types.h"
#include "text/tokenizer.h"

namespace vsr::engine {

class LoadedModel;
struct Task;

class Engine {
 public:
  // Loads the models of the config file and the given ones, or throws and leaves nothing behind.
  static std::shared_ptr<const Engine> open(const EngineOptions& options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // [texts, dim]
  Result embed(std::span<const std::string_view> texts, const EmbedOptions& options) const;
  // [texts, labels]
  Result classify(std::span<const TextPair> texts, const ClassifyOptions& options) const;
  // [tokens, labels] of one text
  Result token_probs(std::string_view text, const ClassifyOptions& options) const;
  Result entities(std::span<const std::string_view> texts, const ClassifyOptions& options) const;

  // Text that goes on from the prompt, by a causal LM.
  Generation generate(std::string_view prompt, const GenerateOptions& options) const;
  // What a generative safety classifier says of a prompt, or of a response to it.
  Verdict moderate(std::string_view prompt, std::optional<std::string_view> response,
                   const ModerateOptions& options) const;

  // Length of a vector of an embedding task, and what tells its vectors from those of another model: "name dim=384
  // weights=..." where the last part is a hash of config and weights.
  size_t embedding_dim(const std::string& task) const;
  std::string embedding_fingerprint(const std::string& task) const;

  // The tokenizer of a model, and the tokens of one of its windows; an empty name means the only model.
  std::shared_ptr<const text::Tokenizer> tokenizer(const std::string& model) const;
  size_t max_tokens(const std::string& model) const;
  // The JSON of vsr_engine_describe().
  std::string describe() const;
  const EngineOptions& options() const { return options_; }

 private:
  explicit Engine(EngineOptions options);
  const LoadedModel& find_model(const std::string& name) const;
  EngineOptions options_;
  std::vector<std::shared_ptr<const LoadedModel>> models_;
  std::vector<Task> tasks_;
};

}  // namespace vsr::engine
