// What a gateway measured of models: how fast they answer, and how many requests they have.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "routing/config/model_catalog.h"

namespace vsr::routing {

// Thread-safe. Keeps the last 256 measurements of each model of the catalog.
class ModelMeasures {
 public:
  struct Measurement {
    std::optional<double> ttft_ms = std::nullopt;     // time to the first token
    std::optional<double> tpot_ms = std::nullopt;     // time for each token after it
    std::optional<int64_t> in_flight = std::nullopt;  // requests that the model has now
  };
  enum class Time { kFirstToken, kPerToken };

  // What `previous` (null: none) knows of models that are in the catalog is kept.
  explicit ModelMeasures(const ModelCatalog& catalog, const ModelMeasures* previous = nullptr);
  // Throws kNotFound for a model that the catalog does not have, kInvalidArgument for negative numbers.
  void add(const std::string& model, const Measurement& measurement);
  // The smallest measurement that `percent` of 100 are not above; nothing: there are none.
  std::optional<double> percentile(const std::string& model, Time time, int percent) const;
  std::optional<int64_t> in_flight(const std::string& model) const;

 private:
  struct Last {
    static constexpr size_t kMost = 256;
    std::vector<double> values = {};
    size_t next = 0;  // that is replaced, when there are kMost
    void add(double value);
  };
  struct OfModel {
    std::array<Last, 2> times;  // by Time
    std::optional<int64_t> in_flight;
  };
  mutable std::mutex mutex_;
  std::map<std::string, OfModel> models_;
};

}  // namespace vsr::routing
