// The evaluation of one request's signals: cheap ones first, and only those that can still change the outcome.
#pragma once

#include <cstdint>
#include <vector>

#include "base/stopwatch.h"
#include "routing/decision/decision_evaluation.h"
#include "routing/signals/kinds/signal_set.h"
#include "routing/signals/request_reading.h"

namespace vsr::routing {

// What one signal said, in the order of evaluation.
struct SignalReport {
  uint32_t id;
  SignalValue value;
  double milliseconds;  // its part of its step
};

// For one thread.
class RoutePass {
 public:
  RoutePass(const DecisionEngine& engine, const SignalSet& signals, RequestReading& reading)
      : evaluation_(engine), signals_(signals), reading_(reading) {}

  // Evaluates until the outcome is fixed, or with `everything` all signals. What `also` names is computed with the
  // first step that asks a model; not at all when none does.
  void run(bool everything, const std::vector<TextId>& also);
  // Evaluates signals that no rule asked for. Ids as the signal set numbers them.
  void evaluate(const std::vector<uint32_t>& ids);
  // Gives the reports what partitions made of signals, and adds the projections that are known.
  void settle_reports();

  Evaluation& evaluation() { return evaluation_; }
  const std::vector<SignalReport>& reports() const { return reports_; }

 private:
  std::vector<uint32_t> remaining() const;
  // `watch` began with the step.
  void step(const std::vector<uint32_t>& ids, const ModelNeeds& needs, const base::Stopwatch& watch);
  ModelNeeds needs_of(const std::vector<uint32_t>& ids) const;

  Evaluation evaluation_;
  const SignalSet& signals_;
  RequestReading& reading_;
  std::vector<SignalReport> reports_;
};

}  // namespace vsr::routing
