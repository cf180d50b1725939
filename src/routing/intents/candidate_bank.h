// The example texts of all rules with their vectors, so that one scan per text serves every rule.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vsr::routing {

// Built by one thread: add() all texts, then set_vectors() once. From then on any number of threads may scan.
class CandidateBank {
 public:
  // The text's index; a text that is there already keeps the one it has. Throws kState after set_vectors().
  uint32_t add(std::string_view text);
  std::vector<uint32_t> add(std::span<const std::string> texts);

  const std::vector<std::string>& texts() const { return texts_; }
  bool ready() const { return dim_ > 0; }

  // One row of `dim` numbers per text, row-major, of length 1. Throws kInvalidArgument for a wrong number of values,
  // and naming the text for a row that is not finite: a rule would never match without anyone knowing.
  void set_vectors(std::span<const float> rows, size_t dim);

  // For each query, packed by `dim`, its cosine with every text, [queries, texts]. Throws kState before set_vectors(),
  // kInvalidArgument for queries of another size or not finite.
  std::vector<float> similarities(std::span<const float> queries) const;

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, uint32_t> ids_;
  std::vector<float> rows_;  // [texts, padded_dim(dim_)]
  size_t dim_ = 0;
};

}  // namespace vsr::routing
