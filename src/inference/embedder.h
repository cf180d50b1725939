// What turns texts into vectors.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"

namespace vsr::inference {

// Methods are thread-safe.
class Embedder {
 public:
  virtual ~Embedder() = default;
  // Rows of dim() floats, one per text, of Euclidean length 1.
  virtual std::vector<float> embed(std::span<const std::string_view> texts, const base::CallLimits& limits) const = 0;
  virtual size_t dim() const = 0;
  // Tells these vectors from those of another model, in words fit for a message.
  virtual std::string fingerprint() const = 0;
};

}  // namespace vsr::inference
