// The choice of the next token from logits. Processing is that of transformers' generate(): temperature, then top_k,
// then top_p, in float32.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vsr::core {

struct SamplerOptions {
  float temperature = 0;  // 0: the most likely token, whatever else is set
  int32_t top_k = 0;      // keep the k most likely tokens, and those as likely as the last of them; 0: all
  float top_p = 1;        // keep the most likely tokens that together have this probability
  uint64_t seed = 0;
};

// Throws kInvalidArgument for a value out of range, and for top_k or top_p without a temperature.
void check(const SamplerOptions& options);

// The first of the largest.
int32_t most_likely(std::span<const float> logits);

// The distribution to draw from: one probability per token, 0 for those that top_k or top_p drop. Needs a temperature.
std::vector<float> sampling_probabilities(std::span<const float> logits, const SamplerOptions& options);

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): the same numbers for a seed on
// every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  // In [0, 1): the upper 53 bits of the next number, divided by 2^53.
  double next();

 private:
  uint64_t state_;
};

class Sampler {
 public:
  explicit Sampler(const SamplerOptions& options);
  // The first token, by id, at which the sum of probabilities exceeds the next random number; one number per call.
  int32_t choose(std::span<const float> logits);

 private:
  SamplerOptions options_;
  Random random_;
};

}  // namespace vsr::core
