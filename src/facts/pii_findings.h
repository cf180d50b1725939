// What the scanners of one text found.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "facts/pii_entity.h"

namespace vsr::facts {

// Keeps all; but of a type of which a text has thousands only those that score higher than any before, so that a text
// of nothing but addresses takes no more room than one that has many.
class PiiFindings {
 public:
  static constexpr size_t kMostOfType = 10'000;

  void add(PiiEntity entity) {
    Kept& kept = kept_[entity.type];
    if (kept.count >= kMostOfType && entity.score <= kept.best) return;
    ++kept.count;
    if (entity.score > kept.best) kept.best = entity.score;
    entities_.push_back(std::move(entity));
  }
  std::vector<PiiEntity> take() { return std::move(entities_); }

 private:
  struct Kept {
    size_t count = 0;
    double best = 0;
  };
  std::map<std::string, Kept> kept_;
  std::vector<PiiEntity> entities_;
};

}  // namespace vsr::facts
