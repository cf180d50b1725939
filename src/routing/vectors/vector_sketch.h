// Short bit strings that represent vectors: the signs after a fixed random rotation. Two vectors at an angle a differ
// in each bit with probability a / pi (Charikar, "Similarity estimation techniques from rounding algorithms", STOC
// 2002), so a scan over bits finds the few rows that are worth a scan over floats. The rotation is three rounds of
// random signs and a Walsh-Hadamard transform, which takes O(d log d).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vsr::routing {

class VectorSketch {
 public:
  explicit VectorSketch(size_t dim);

  // 64-bit words of one sketch: 256 to 1,024 bits, and at least `dim` within these.
  size_t words() const { return words_; }
  size_t bits() const { return words_ * 64; }

  // `vector`: dim floats of any length. The same on every machine, apart from components that are all but zero.
  std::vector<uint64_t> of(std::span<const float> vector) const;

  // The distance that the sketches of two vectors of at least this cosine exceed less than once in a million times.
  size_t radius(double similarity) const;

 private:
  size_t dim_;
  size_t padded_;  // a power of two
  size_t words_;
  std::vector<float> signs_;  // kRounds x padded_
};

// out[r]: the bits in which `query` and rows[r] differ; rows packed by `words`.
void hamming_distances(const uint64_t* query, const uint64_t* rows, size_t n_rows, size_t words, uint16_t* out);

}  // namespace vsr::routing
