// Cosine similarities between texts by an embedding task. Texts that occur more than once are embedded once.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine.h"

namespace vsr::engine {

// a[i] with b[i].
std::vector<float> similarity(const Engine& engine, std::span<const std::string_view> a,
                              std::span<const std::string_view> b, const EmbedOptions& options);
// Every a[i] with every b[j], row-major.
std::vector<float> similarity_matrix(const Engine& engine, std::span<const std::string_view> a,
                                     std::span<const std::string_view> b, const EmbedOptions& options);
struct Neighbour {
  size_t index;
  float score;
};
// Best first, equal scores in the candidates' order, at most `k`.
std::vector<Neighbour> nearest(const Engine& engine, std::string_view query,
                               std::span<const std::string_view> candidates, size_t k, const EmbedOptions& options);

}  // namespace vsr::engine
