// `routing.projections` of a config file: what is derived from signals before decisions look at them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "routing/config/signal_ref.h"
#include "routing/config/signal_rules.h"

namespace vsr::routing {

// Of signals of one type at most one matches: the one of the highest confidence, the earlier of equals. Where none
// does, `fallback` matches with confidence 1.
struct PartitionRule {
  std::string name;
  std::string type = {};  // "domain" or "embedding"
  std::vector<SignalRef> members = {};
  size_t fallback = 0;   // into members
  bool softmax = false;  // the winner's confidence is its share of the softmax of those that match
  double temperature = 1;
};

// A sum of weights times what signals say.
struct ScoreRule {
  enum class Source {
    kBinary,      // `match` or `miss`
    kConfidence,  // 0 for a signal that does not match
    kValue,       // what the signal measured, whether it matches or not
  };
  struct Input {
    SignalRef signal;
    double weight = 0;
    Source source = Source::kBinary;
    double match = 1;
    double miss = 0;
  };
  std::string name;
  std::vector<Input> inputs = {};
};

// Names the bands in which a score lies. Outputs are signals of the type "projection".
struct MappingRule {
  struct Output {
    std::string name;
    NumericPredicate band = {};
  };
  std::string name;
  size_t score = 0;   // into Projections::scores
  bool all = false;   // every band that holds matches, not the first alone
  double slope = 12;  // of the confidence: the logistic function of slope times the distance to the nearest bound
  std::vector<Output> outputs = {};
};

struct Projections {
  std::vector<PartitionRule> partitions = {};
  std::vector<ScoreRule> scores = {};
  std::vector<MappingRule> mappings = {};
};

}  // namespace vsr::routing
