#include "routing/facts/pii_patterns.h"

#include <utility>

#include "routing/facts/pattern_text.h"

namespace vsr::routing {
namespace {

void scan(std::string_view text, std::vector<PiiEntity>& out) {
  scan_numbers(text, out);
  scan_ibans(text, out);
  scan_network(text, out);
}

}  // namespace

std::vector<PiiEntity> scan_pii_patterns(std::string_view text) {
  std::vector<PiiEntity> entities;
  scan(text, entities);
  // Beside the text itself, so that nothing which folding joins or parts hides what is there as written.
  const PatternText folded(text);
  if (folded.changed()) {
    std::vector<PiiEntity> found;
    scan(folded.view(), found);
    for (PiiEntity& entity : found) {
      const auto [begin, end] = folded.original(entity.begin, entity.end);
      entity.begin = begin;
      entity.end = end;
      entities.push_back(std::move(entity));
    }
  }
  return merge_entities(std::move(entities));
}

}  // namespace vsr::routing
