#include "core/nn_attention.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "support/ragged.h"

using namespace vsr::core;
using vsr::test::flat;
using vsr::test::ragged;
using vsr::test::random_matrix;

namespace {

// softmax(Q K^T / sqrt(d)) V of one head and one sequence, in double, as the paper writes it.
struct Reference {
  std::vector<float> query, key, value;
  int64_t width, heads;

  double at(const std::vector<float>& rows, int64_t row, int64_t col) const {
    return rows[static_cast<size_t>(row * width + col)];
  }

  std::vector<double> output_row(int64_t row, int64_t first, int64_t length) const {
    const int64_t head_dim = width / heads;
    std::vector<double> output(static_cast<size_t>(width));
    for (int64_t head = 0; head < heads; ++head) {
      std::vector<double> weights;
      double total = 0;
      for (int64_t other = first; other < first + length; ++other) {
        double dot = 0;
        for (int64_t d = 0; d < head_dim; ++d) {
          dot += at(query, row, head * head_dim + d) * at(key, other, head * head_dim + d);
        }
        weights.push_back(std::exp(dot / std::sqrt(static_cast<double>(head_dim))));
        total += weights.back();
      }
      for (int64_t d = 0; d < head_dim; ++d) {
        double sum = 0;
        for (int64_t i = 0; i < length; ++i) {
          sum += weights[static_cast<size_t>(i)] / total * at(value, first + i, head * head_dim + d);
        }
        output[static_cast<size_t>(head * head_dim + d)] = sum;
      }
    }
    return output;
  }
};

}  // namespace

TEST_CASE("attention: tokens attend to all of their own sequence and to nothing else", "[core][attention]") {
  const std::vector<int64_t> lengths{3, 3, 1, 70, 2, 3};
  const PackedBatch batch = ragged(lengths);
  constexpr int64_t kWidth = 24, kHeads = 3;
  const at::Tensor query = random_matrix(batch.total_tokens(), kWidth, 1).mul(4);
  const at::Tensor key = random_matrix(batch.total_tokens(), kWidth, 2);
  const at::Tensor value = random_matrix(batch.total_tokens(), kWidth, 3);
  const Reference reference{flat(query), flat(key), flat(value), kWidth, kHeads};
  const std::vector<float> output = flat(attend_full(query, key, value, kHeads, batch));
  double worst = 0;
  for (int64_t sequence = 0; sequence < batch.sequences(); ++sequence) {
    for (int64_t row = batch.begin(sequence); row < batch.begin(sequence + 1); ++row) {
      const auto expected = reference.output_row(row, batch.begin(sequence), batch.length(sequence));
      for (int64_t col = 0; col < kWidth; ++col) {
        const double difference = output[static_cast<size_t>(row * kWidth + col)] - expected[static_cast<size_t>(col)];
        worst = std::max(worst, std::abs(difference));
      }
    }
  }
  CHECK(worst < 2e-6);
}
