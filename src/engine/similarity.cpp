#include "engine/similarity.h"

#include <algorithm>
#include <unordered_map>

#include "base/error.h"

namespace vsr::engine {
namespace {

// Unit vectors of distinct texts, and which of them each text has.
class Embedded {
 public:
  Embedded(const Engine& engine, std::initializer_list<std::span<const std::string_view>> groups,
           EmbedOptions options) {
    std::vector<std::string_view> distinct;
    for (const auto& group : groups) {
      for (const std::string_view text : group) {
        const auto [place, added] = row_of_.try_emplace(text, distinct.size());
        if (added) distinct.push_back(text);
      }
    }
    options.normalize = true;
    vectors_ = engine.embed(distinct, options);
  }

  float cosine(std::string_view a, std::string_view b) const {
    const float* x = row(a);
    const float* y = row(b);
    double dot = 0;
    for (size_t i = 0; i < vectors_.cols; ++i) dot += static_cast<double>(x[i]) * y[i];
    return static_cast<float>(std::clamp(dot, -1.0, 1.0));
  }

 private:
  const float* row(std::string_view text) const { return vectors_.values.data() + row_of_.at(text) * vectors_.cols; }
  std::unordered_map<std::string_view, size_t> row_of_;
  Result vectors_;
};

}  // namespace

std::vector<float> similarity(const Engine& engine, std::span<const std::string_view> a,
                              std::span<const std::string_view> b, const EmbedOptions& options) {
  const Embedded embedded(engine, {a, b}, options);
  std::vector<float> scores;
  for (size_t i = 0; i < a.size(); ++i) scores.push_back(embedded.cosine(a[i], b[i]));
  return scores;
}

std::vector<float> similarity_matrix(const Engine& engine, std::span<const std::string_view> a,
                                     std::span<const std::string_view> b, const EmbedOptions& options) {
  const Embedded embedded(engine, {a, b}, options);
  std::vector<float> scores;
  scores.reserve(a.size() * b.size());
  for (const std::string_view left : a) {
    for (const std::string_view right : b) scores.push_back(embedded.cosine(left, right));
  }
  return scores;
}

std::vector<Neighbour> nearest(const Engine& engine, std::string_view query,
                               std::span<const std::string_view> candidates, size_t k, const EmbedOptions& options) {
  const std::vector<float> scores = similarity_matrix(engine, {&query, 1}, candidates, options);
  std::vector<Neighbour> neighbours;
  for (size_t i = 0; i < scores.size(); ++i) neighbours.push_back({i, scores[i]});
  const size_t kept = std::min(k, neighbours.size());
  std::partial_sort(neighbours.begin(), neighbours.begin() + static_cast<ptrdiff_t>(kept), neighbours.end(),
                    [](const Neighbour& a, const Neighbour& b) {
                      return a.score != b.score ? a.score > b.score : a.index < b.index;
                    });
  neighbours.resize(kept);
  return neighbours;
}

}  // namespace vsr::engine
