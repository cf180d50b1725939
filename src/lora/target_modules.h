// Which modules of a base model an adapter's config selects, by name. Reference: peft, tuners/tuners_utils.py,
// check_target_module_exists, and utils/other.py, get_pattern_key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lora/adapter_config.h"
#include "text/regex/pattern.h"

namespace vsr::lora {

// A regular expression of the config that has to match a whole name, as Python's re.fullmatch.
class NameExpression {
 public:
  // Throws kUnsupported, naming what vsr cannot match exactly.
  NameExpression(const std::string& expression, const base::JsonValue& where);
  // Throws kUnsupported for an expression that takes too long.
  bool matches(const std::string& name) const;

 private:
  std::string where_;
  text::PatternPtr pattern_;
};

// Values for names that end with what an expression matches: rank_pattern and alpha_pattern.
template <class T>
struct NamePattern {
  std::string where;
  std::vector<std::pair<NameExpression, T>> entries;
};

class TargetModules {
 public:
  explicit TargetModules(const AdapterConfig& config);

  // `name` is that of the module in the model that was trained: "bert.encoder.layer.3.attention.self.query".
  bool selects(const std::string& name) const;
  // Whether the module itself was saved, so that it is no target.
  bool is_saved_whole(const std::string& name) const;
  // The first of target_modules that selects none of `names`, whatever their layer.
  std::optional<std::string> unknown_target(const std::vector<std::string>& names) const;

  int64_t rank(const std::string& name) const;
  // What the product of the low-rank matrices is multiplied with.
  double scaling(const std::string& name) const;

 private:
  bool is_excluded(const std::string& name) const;
  bool is_in_layers(const std::string& name) const;

  std::vector<std::string> targets_, excluded_, saved_, layers_patterns_;
  std::optional<NameExpression> target_expression_, excluded_expression_;
  std::optional<std::vector<int64_t>> layers_;
  NamePattern<int64_t> rank_pattern_;
  NamePattern<double> alpha_pattern_;
  int64_t rank_;
  double alpha_;
  bool use_rslora_;
};

}  // namespace vsr::lora
