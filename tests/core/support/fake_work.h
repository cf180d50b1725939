// Works that compute nothing, for tests of what decides when and with whom work runs.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/schedule/work.h"

namespace vsr::test {

inline std::vector<core::WorkItem> items_of(const std::vector<size_t>& tokens) {
  std::vector<core::WorkItem> items;
  for (const size_t count : tokens) items.push_back({count, count});
  return items;
}

// Packs with those of its kind. The batch is run by `body` of the first work that is there.
class FakeWork final : public core::Work {
 public:
  using Body = std::function<void(core::RunningBatch&)>;
  explicit FakeWork(const std::vector<size_t>& tokens, Body body = {}, int kind = 0)
      : Work(items_of(tokens)), body_(std::move(body)), kind_(kind) {}

  bool packs_with(const core::Work& other) const override {
    const auto* fake = dynamic_cast<const FakeWork*>(&other);
    return fake != nullptr && fake->kind_ == kind_;
  }
  double operations_per_token() const override { return 1e9; }
  Runner runner() const override {
    return [](core::RunningBatch& batch) {
      const Body body = static_cast<FakeWork*>(batch.shares().front().work)->body_;
      if (body) body(batch);
    };
  }

 private:
  const Body body_;
  const int kind_;
};

}  // namespace vsr::test
