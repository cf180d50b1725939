#include "guard/checks/fact_index.h"

#include <utility>

namespace vsr::guard {

FactIndex::FactIndex(std::vector<std::string> texts) : texts_(std::move(texts)) {}

bool FactIndex::holds(std::string_view digits) const {
  for (const std::string& text : texts_) {
    if (text.find(digits) != std::string::npos) return true;
  }
  return false;
}

}  // namespace vsr::guard
