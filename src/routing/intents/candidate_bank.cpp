#include "routing/intents/candidate_bank.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "routing/vectors/dot_kernels.h"

namespace vsr::routing {
namespace {

bool is_finite(const float* row, size_t dim) {
  return std::all_of(row, row + dim, [](float value) { return std::isfinite(value); });
}

}  // namespace

uint32_t CandidateBank::add(std::string_view text) {
  if (ready()) base::fail(base::Status::kState, "candidate bank: \"", text, "\" comes after the vectors");
  const auto [entry, added] = ids_.try_emplace(std::string(text), static_cast<uint32_t>(texts_.size()));
  if (added) texts_.emplace_back(text);
  return entry->second;
}

std::vector<uint32_t> CandidateBank::add(std::span<const std::string> texts) {
  std::vector<uint32_t> ids;
  for (const std::string& text : texts) ids.push_back(add(text));
  return ids;
}

void CandidateBank::set_vectors(std::span<const float> rows, size_t dim) {
  if (ready()) base::fail(base::Status::kState, "candidate bank: it has its vectors already");
  if (dim == 0 || rows.size() != texts_.size() * dim) {
    base::fail(base::Status::kInvalidArgument, "candidate bank: ", rows.size(), " values for ", texts_.size(),
               " texts of ", dim, " dimensions");
  }
  const size_t stride = padded_dim(dim);
  std::vector<float> padded(texts_.size() * stride, 0);
  for (size_t i = 0; i < texts_.size(); ++i) {
    if (!is_finite(&rows[i * dim], dim)) {
      base::fail(base::Status::kInvalidArgument, "candidate bank: the vector of \"", texts_[i], "\" is not finite");
    }
    std::copy_n(&rows[i * dim], dim, &padded[i * stride]);
  }
  rows_ = std::move(padded);
  dim_ = dim;
}

std::vector<float> CandidateBank::similarities(std::span<const float> queries) const {
  if (!ready()) base::fail(base::Status::kState, "candidate bank: it has no vectors yet");
  if (queries.size() % dim_ != 0 || !is_finite(queries.data(), queries.size())) {
    base::fail(base::Status::kInvalidArgument, "candidate bank: ", queries.size(),
               " query values, expected finite rows of ", dim_);
  }
  const size_t n_queries = queries.size() / dim_, n_texts = texts_.size(), stride = padded_dim(dim_);
  std::vector<float> result(n_queries * n_texts), block(kQueryBlock * stride), dots(kQueryBlock * n_texts);
  for (size_t first = 0; first < n_queries; first += kQueryBlock) {
    const size_t n = std::min(kQueryBlock, n_queries - first);
    std::fill(block.begin(), block.end(), 0.0F);
    for (size_t q = 0; q < n; ++q) std::copy_n(&queries[(first + q) * dim_], dim_, &block[q * stride]);
    dot_kernels().dot_rows(block.data(), rows_.data(), n_texts, stride, dots.data());
    std::copy_n(dots.begin(), n * n_texts, result.begin() + static_cast<ptrdiff_t>(first * n_texts));
  }
  return result;
}

}  // namespace vsr::routing
