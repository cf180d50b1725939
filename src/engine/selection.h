// Choosing the embedding model of a call among those of an engine. The rule is in include/vsr/select.h. No LibTorch
// here: the layers above include this.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/calls/call_options.h"

namespace vsr::engine {

class LoadedModel;

struct EmbedPolicy {
  double quality_priority = 0;  // 0 to 1; both 0: they count alike
  double latency_priority = 0;
  std::string language;  // of the texts; empty: not asked for
};

// One model of the engine, and what speaks for and against it.
struct Candidate {
  std::string model;
  std::string rejected;  // why it cannot be chosen; empty: it can
  double quality = 0;
  double speed = 0;    // 1: the fastest of those that can be chosen, 0.5: half as fast; 0 of a rejected one
  double score = 0;    // 0 of a rejected one
  size_t tokens = 0;   // of the longest text, prompt included; 0 where it was rejected before texts were looked at
  size_t windows = 0;  // in which all texts are read
};

struct Selection {
  std::string model;                  // its name, which is that of its embedding task
  std::string reason;                 // one line
  std::vector<Candidate> candidates;  // in the engine's order
};

// Throws kInvalidArgument for a policy out of range or a task beside it, kNotFound with every reason when no model can
// be chosen.
Selection select_model(const std::vector<std::shared_ptr<const LoadedModel>>& models,
                       std::span<const std::string_view> texts, const EmbedPolicy& policy, const EmbedOptions& options);

// Quality of a model without one in the config: 0 at a million parameters outside its table of token embeddings and
// below, 1 at a billion and above, by the logarithm between.
double quality_of(const LoadedModel& model);

}  // namespace vsr::engine
