#include "routing/signals/embedded_bank.h"

#include <string_view>

#include "base/checkpoint.h"

namespace vsr::routing {

std::shared_ptr<const inference::Embedder> EmbeddedBank::embedder(const inference::Inference& inference) const {
  const std::lock_guard lock(mutex_);
  if (!embedder_) embedder_ = inference.embedder(task_);
  return embedder_;
}

void EmbeddedBank::prepare(const inference::Embedder& embedder) const {
  const std::lock_guard lock(mutex_);
  if (bank_.ready()) return;
  const base::LimitScope without(nullptr);
  const std::vector<std::string_view> views(bank_.texts().begin(), bank_.texts().end());
  bank_.set_vectors(embedder.embed(views, {}), embedder.dim());
}

std::vector<float> EmbeddedBank::similarities(std::span<const float> vectors,
                                              const inference::Embedder& embedder) const {
  if (bank_.texts().empty()) return {};
  prepare(embedder);
  return bank_.similarities(vectors);
}

}  // namespace vsr::routing
