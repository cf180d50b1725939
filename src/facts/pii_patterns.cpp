#include "facts/pii_patterns.h"

#include <utility>

#include "facts/pattern_text.h"

namespace vsr::facts {
namespace {

std::vector<PiiEntity> scan(std::string_view text) {
  PiiFindings found;
  scan_numbers(text, found);
  scan_ibans(text, found);
  scan_network(text, found);
  return found.take();
}

}  // namespace

std::vector<PiiEntity> scan_pii_patterns(std::string_view text) {
  std::vector<PiiEntity> entities = scan(text);
  // Beside the text itself, so that nothing which folding joins or parts hides what is there as written.
  const PatternText folded(text);
  if (folded.changed()) {
    for (PiiEntity& entity : scan(folded.view())) {
      const auto [begin, end] = folded.original(entity.begin, entity.end);
      entity.begin = begin;
      entity.end = end;
      entities.push_back(std::move(entity));
    }
  }
  return merge_entities(std::move(entities));
}

}  // namespace vsr::facts
