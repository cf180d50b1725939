// The example texts of all rules and their vectors.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "inference/inference.h"
#include "routing/intents/candidate_bank.h"

namespace vsr::routing {

// Example texts of all rules, embedded when a request first needs them, whatever its deadline: every later request
// needs them too. Thread-safe.
class EmbeddedBank {
 public:
  EmbeddedBank(CandidateBank bank, std::string task) : bank_(std::move(bank)), task_(std::move(task)) {}
  std::shared_ptr<const inference::Embedder> embedder(const inference::Inference& inference) const;
  // [texts, examples] cosines of vectors of the embedder.
  std::vector<float> similarities(std::span<const float> vectors, const inference::Embedder& embedder) const;
  size_t examples() const { return bank_.texts().size(); }

 private:
  void prepare(const inference::Embedder& embedder) const;

  mutable std::mutex mutex_;
  mutable CandidateBank bank_;
  mutable std::shared_ptr<const inference::Embedder> embedder_;
  std::string task_;
};

}  // namespace vsr::routing
