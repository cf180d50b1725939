// What a set of intents holds at one moment, and how it decides. Immutable once published.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "routing/vectors/vector_index.h"

namespace vsr::routing {

// Numbers equal VSR_RULE_... of include/vsr/intents.h; src/c_api/intents.cpp asserts it.
enum class NeighbourRule : int32_t { kVote = 1, kBest = 2, kBlend = 3 };
const char* rule_name(NeighbourRule rule);

constexpr size_t kMaxTopK = 1024;

struct IntentsOptions {
  NeighbourRule rule = NeighbourRule::kVote;
  size_t top_k = 5;  // 1 to kMaxTopK
  float threshold = 0;
};

struct Match {
  bool matched = false;   // whether `nearest` reaches its threshold
  std::string nearest;    // empty: an empty set
  std::string runner_up;  // empty: none among the neighbours
  float score = 0;
  float runner_up_score = 0;
};

struct Intent {
  std::string label;
  uint32_t owner = 0;  // of its rows in the index
  std::optional<float> threshold;
  std::vector<std::shared_ptr<const std::string>> examples;  // in the order of its rows
  std::vector<float> sum;                                    // of its rows
  double sum_length = 0;

  void add(std::string_view example, std::span<const float> row);
};

class IntentsState {
 public:
  explicit IntentsState(size_t dim) : index_(dim) {}

  // Examples that the intent has already are left out; `vectors` are the rows of `examples`.
  IntentsState with(const std::string& label, std::span<const std::string_view> examples,
                    std::span<const float> vectors, std::optional<float> threshold) const;
  IntentsState without(const std::string& label) const;  // throws kNotFound

  // From intents with labels and thresholds only; row i is that of examples[i], of the intent at owners[i].
  static IntentsState restored(size_t dim, std::vector<Intent> intents, std::span<const std::string_view> examples,
                               std::span<const uint32_t> owners, std::span<const float> vectors);

  // `vectors` are the rows of texts. Throws what `limits` do, between some of them.
  std::vector<Match> match(std::span<const float> vectors, const IntentsOptions& options,
                           const base::CallLimits& limits = {}) const;

  const Intent* find(std::string_view label) const;
  const Intent& of_owner(uint32_t owner) const;
  const std::vector<std::shared_ptr<const Intent>>& intents() const { return intents_; }
  const VectorIndex& index() const { return index_; }

 private:
  VectorIndex index_;
  uint32_t next_owner_ = 0;
  std::vector<std::shared_ptr<const Intent>> intents_;  // by owner
};

}  // namespace vsr::routing
