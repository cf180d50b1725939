#include "routing/intents/intents_state.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/error.h"

namespace vsr::routing {

using base::fail;
using base::Status;

const char* rule_name(NeighbourRule rule) {
  switch (rule) {
    case NeighbourRule::kVote:
      return "vote";
    case NeighbourRule::kBest:
      return "best";
    case NeighbourRule::kBlend:
      return "blend";
  }
  fail(Status::kInternal, "rule ", static_cast<int32_t>(rule), " has no name");
}

void Intent::add(std::string_view example, std::span<const float> row) {
  examples.push_back(std::make_shared<const std::string>(example));
  sum.resize(row.size());
  double squares = 0;
  for (size_t d = 0; d < row.size(); ++d) {
    sum[d] += row[d];
    squares += static_cast<double>(sum[d]) * sum[d];
  }
  sum_length = std::sqrt(squares);
}

const Intent* IntentsState::find(std::string_view label) const {
  for (const auto& intent : intents_) {
    if (intent->label == label) return intent.get();
  }
  return nullptr;
}

const Intent& IntentsState::of_owner(uint32_t owner) const {
  const auto by_owner = [](const auto& intent, uint32_t wanted) { return intent->owner < wanted; };
  return **std::lower_bound(intents_.begin(), intents_.end(), owner, by_owner);
}

IntentsState IntentsState::with(const std::string& label, std::span<const std::string_view> examples,
                                std::span<const float> vectors, std::optional<float> threshold) const {
  const size_t dim = index_.dim();
  const Intent* present = find(label);
  auto intent = present != nullptr ? std::make_shared<Intent>(*present) : std::make_shared<Intent>();
  IntentsState next = *this;
  if (present == nullptr) {
    intent->label = label;
    intent->owner = next.next_owner_++;
  }
  if (threshold) intent->threshold = threshold;

  std::unordered_set<std::string_view> known;
  for (const auto& example : intent->examples) known.insert(*example);
  std::vector<float> rows;
  for (size_t i = 0; i < examples.size(); ++i) {
    if (!known.insert(examples[i]).second) continue;
    const auto row = vectors.subspan(i * dim, dim);
    intent->add(examples[i], row);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  next.index_ = index_.with(rows, std::vector<uint32_t>(rows.size() / dim, intent->owner));
  if (present == nullptr) {
    next.intents_.push_back(std::move(intent));
  } else {
    const auto is_present = [&](const auto& other) { return other.get() == present; };
    *std::find_if(next.intents_.begin(), next.intents_.end(), is_present) = std::move(intent);
  }
  return next;
}

IntentsState IntentsState::without(const std::string& label) const {
  const Intent* present = find(label);
  if (present == nullptr) fail(Status::kNotFound, "intent \"", label, "\" is not in the set");
  IntentsState next = *this;
  next.index_ = index_.without(present->owner);
  std::erase_if(next.intents_, [&](const auto& intent) { return intent.get() == present; });
  return next;
}

IntentsState IntentsState::restored(size_t dim, std::vector<Intent> intents, std::span<const std::string_view> examples,
                                    std::span<const uint32_t> owners, std::span<const float> vectors) {
  IntentsState state(dim);
  for (Intent& intent : intents) intent.owner = state.next_owner_++;
  for (size_t i = 0; i < owners.size(); ++i) intents[owners[i]].add(examples[i], vectors.subspan(i * dim, dim));
  for (Intent& intent : intents) state.intents_.push_back(std::make_shared<const Intent>(std::move(intent)));
  state.index_ = state.index_.with(vectors, owners);
  return state;
}

}  // namespace vsr::routing
