// An embedder whose vectors a test can read off the text.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "routing/intents/intents.h"

// "x,y" is the direction (x, y), made a unit vector; "nan" is not finite.
class PlaneEmbedder : public vsr::inference::Embedder {
 public:
  explicit PlaneEmbedder(std::string fingerprint = "plane weights=1") : fingerprint_(std::move(fingerprint)) {}

  std::vector<float> embed(std::span<const std::string_view> texts, const vsr::base::CallLimits&) const override {
    std::vector<float> rows;
    for (const std::string_view text : texts) {
      ++embedded;
      double x = 0, y = 0;
      if (text == "nan") {
        x = std::numeric_limits<double>::quiet_NaN();
      } else {
        std::sscanf(std::string(text).c_str(), "%lf,%lf", &x, &y);
        const double length = std::hypot(x, y);
        x /= length, y /= length;
      }
      rows.push_back(static_cast<float>(x));
      rows.push_back(static_cast<float>(y));
    }
    return rows;
  }
  size_t dim() const override { return 2; }
  std::string fingerprint() const override { return fingerprint_; }

  mutable std::atomic<int> embedded{0};

 private:
  std::string fingerprint_;
};

inline void add(vsr::routing::Intents& intents, const std::string& label, const std::vector<std::string_view>& examples,
                std::optional<float> threshold = {}) {
  intents.add(label, examples, threshold);
}

inline vsr::routing::Match route(const vsr::routing::Intents& intents, std::string_view text) {
  return intents.route(std::span(&text, 1)).at(0);
}
