// Facts as claims are held against them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::guard {

// Immutable and thread-safe.
class FactIndex {
 public:
  explicit FactIndex(std::vector<std::string> texts);
  size_t size() const { return texts_.size(); }
  std::string_view text(size_t fact) const { return texts_[fact]; }
  bool holds(std::string_view digits) const;

 private:
  std::vector<std::string> texts_;
};

}  // namespace vsr::guard
