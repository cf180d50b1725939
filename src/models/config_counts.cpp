#include "models/config_counts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>

namespace vsr::models {
namespace {

// Each of them is a side of some tensor, or a factor of one.
constexpr std::array<std::string_view, 8> kSides{"vocab_size",          "hidden_size",         "intermediate_size",
                                                 "num_attention_heads", "num_key_value_heads", "head_dim",
                                                 "type_vocab_size",     "num_labels"};
// No tensor need show these, and nothing is made of their size.
constexpr std::array<std::string_view, 4> kOthers{"sliding_window", "local_attention", "global_attn_every_n_layers",
                                                  "max_window_layers"};
constexpr int64_t kMostPositions = int64_t{1} << 24;  // beyond, float32 does not tell neighbours apart

void check(const base::JsonObject& config, std::string_view name, int64_t most, const std::string& why) {
  const std::string key(name);
  if (!config.contains(key)) return;
  const auto& value = config.at(key).node();
  if (!value.is_number_integer()) return;
  const bool too_large =
      value.is_number_unsigned() ? value.get<uint64_t>() > static_cast<uint64_t>(most) : value.get<int64_t>() > most;
  if (too_large) config.at(key).fail("is " + value.dump() + ", " + why);
}

}  // namespace

void check_counts(const base::JsonObject& config, const core::WeightStore& weights) {
  const auto tensors = static_cast<int64_t>(weights.size());
  check(config, "num_hidden_layers", tensors, "the weights have " + std::to_string(tensors) + " tensors");
  const int64_t longest = std::max<int64_t>(weights.longest_side(), 2);  // a config without weights for labels has 2
  for (const std::string_view name : kSides) {
    check(config, name, longest, "the longest side of any tensor is " + std::to_string(longest));
  }
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  check(config, "max_position_embeddings", kMostPositions, "out of range");
  for (const std::string_view name : kOthers) check(config, name, kMost, "out of range");
}

}  // namespace vsr::models
