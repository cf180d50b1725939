// The engine: loaded models, which never change, and the tasks they answer. Adapters come and go beside them, as
// snapshots that are replaced whole: a call ends with those it began with. Every method is thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/snapshot.h"
#include "engine/calls/call_options.h"
#include "engine/calls/result.h"
#include "engine/config/engine_options.h"
#include "engine/generate/generation_types.h"
#include "engine/run/admission.h"
#include "engine/selection.h"
#include "engine/task_outline.h"
#include "text/tokens/tokenizer.h"

namespace vsr::engine {

class LoadedModel;
struct EngineConfig;
struct TaskTable;

class Engine {
 public:
  // Loads the models of the config file and the given ones, or throws and leaves nothing behind.
  static std::shared_ptr<const Engine> open(const EngineOptions& options);
  // The same with the config file read already. Models of `previous` (null: none) are shared and not loaded again where
  // neither what is said of them nor their files have changed.
  static std::shared_ptr<const Engine> open(const EngineOptions& options, const EngineConfig& config,
                                            const Engine* previous);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // [texts, dim]
  Result embed(std::span<const std::string_view> texts, const EmbedOptions& options) const;
  // The model whose task a call of embed() with these texts and options should name.
  Selection select(std::span<const std::string_view> texts, const EmbedPolicy& policy,
                   const EmbedOptions& options) const;
  // [texts, labels]
  Result classify(std::span<const TextPair> texts, const ClassifyOptions& options) const;
  // [tokens, labels] of one text, or one pair
  Result token_probs(std::string_view text, const ClassifyOptions& options) const;
  Result token_probs_of_pair(const TextPair& pair, const ClassifyOptions& options) const;
  Result entities(std::span<const std::string_view> texts, const ClassifyOptions& options) const;
  // Of texts[i].text read together with texts[i].pair: spans of the latter.
  Result entities_of_pairs(std::span<const TextPair> pairs, const ClassifyOptions& options) const;
  // Many tasks on the same texts: one pass for each base model, models in parallel.
  MultiResult classify_all(std::span<const TextPair> texts, const MultiOptions& options) const;

  // Adds an adapter and its task, or with `replace` puts it in the place of the one of its name.
  void load_adapter(const AdapterOptions& options, bool replace) const;
  void unload_adapter(const std::string& name) const;
  // Writes a new folder `output` with a checkpoint of the base and the adapter in one; see lora/merge.h. What is loaded
  // does not change.
  void merge_adapter(const AdapterOptions& options, const std::string& output) const;

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
  // That of the first model.
  std::shared_ptr<const text::Tokenizer> first_tokenizer() const;
  // What there is to ask for at this moment.
  std::vector<TaskOutline> outline() const;
  // The JSON of vsr_engine_describe().
  std::string describe() const;
  const EngineOptions& options() const { return options_; }
  // Whether the files of its models and of the adapters that it was opened with are still those that were loaded.
  bool files_are_same() const;

 private:
  // A folder that was loaded from, as it was before that.
  struct Source {
    std::string folder;
    std::string stamp;  // files_stamp.h
  };
  Engine(EngineOptions options, const EngineConfig& config, const Engine* previous);
  std::shared_ptr<const LoadedModel> model_of(const ModelOptions& options, const std::string& stamp) const;
  EngineOptions options_;
  std::vector<ModelOptions> model_options_;  // of each model
  std::vector<Source> sources_;              // the models', then the adapters'
  std::vector<std::shared_ptr<const LoadedModel>> models_;
  std::vector<ConfiguredTask> configured_;
  mutable base::Snapshot<TaskTable> table_;
  mutable Admission admission_;
};

}  // namespace vsr::engine
