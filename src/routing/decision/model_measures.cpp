#include "routing/decision/model_measures.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/error.h"
#include "base/suggestion.h"

namespace vsr::routing {
namespace {

void check(const char* name, const std::optional<double>& value) {
  if (value && !(*value >= 0 && std::isfinite(*value))) {
    base::fail(base::Status::kInvalidArgument, name, " is ", *value, ", expected a number of milliseconds, at least 0");
  }
}

}  // namespace

ModelMeasures::ModelMeasures(const ModelCatalog& catalog, const ModelMeasures* previous) {
  for (const CatalogModel& model : catalog.models) models_[model.name];
  if (previous == nullptr) return;
  const std::scoped_lock lock(previous->mutex_);
  for (auto& [name, of_model] : models_) {
    const auto known = previous->models_.find(name);
    if (known != previous->models_.end()) of_model = known->second;
  }
}

void ModelMeasures::Last::add(double value) {
  if (values.size() < kMost) return values.push_back(value);
  values[next] = value;
  next = (next + 1) % kMost;
}

void ModelMeasures::add(const std::string& model, const Measurement& measurement) {
  check("ttft_ms", measurement.ttft_ms);
  check("tpot_ms", measurement.tpot_ms);
  const std::scoped_lock lock(mutex_);
  const auto at = models_.find(model);
  if (at == models_.end()) {
    std::vector<std::string_view> known;
    for (const auto& [name, of_model] : models_) known.push_back(name);
    base::fail(base::Status::kNotFound, "model \"", model, "\" is none of the config", base::suggestion(model, known));
  }
  if (measurement.ttft_ms) at->second.times[0].add(*measurement.ttft_ms);
  if (measurement.tpot_ms) at->second.times[1].add(*measurement.tpot_ms);
  if (measurement.in_flight) at->second.in_flight = measurement.in_flight;
}

std::optional<double> ModelMeasures::percentile(const std::string& model, Time time, int percent) const {
  std::vector<double> values;
  {
    const std::scoped_lock lock(mutex_);
    const auto at = models_.find(model);
    if (at == models_.end()) return std::nullopt;
    values = at->second.times[static_cast<size_t>(time)].values;
  }
  if (values.empty()) return std::nullopt;
  const size_t rank = (values.size() * static_cast<size_t>(percent) + 99) / 100;
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(std::max<size_t>(rank, 1) - 1);
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

std::optional<int64_t> ModelMeasures::in_flight(const std::string& model) const {
  const std::scoped_lock lock(mutex_);
  const auto at = models_.find(model);
  return at == models_.end() ? std::nullopt : at->second.in_flight;
}

}  // namespace vsr::routing
