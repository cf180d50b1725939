// What can be said of rules before any request: which cannot match, and which imply another.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "routing/config/router_config.h"
#include "routing/config/rule.h"

namespace vsr::routing {

class RuleLogic {
 public:
  // `with_not_run`: leaves of config.not_run count as what they are when routing, signals that never match.
  RuleLogic(const RouterConfig& config, bool with_not_run);

  // Whether no request at all can match the rule. Sound, not complete: contradicting leaves, levels of one complexity,
  // ranges of context that do not meet, and groups that follow from those are found; a contradiction that needs several
  // ORs together is not.
  bool impossible(const Rule& rule);
  // Whether whatever matches `rule` matches `other` too; as sound, as incomplete.
  bool implies(const Rule& rule, const Rule& other);

  // Nodes looked at so far, for callers who compare many rules with each other.
  size_t work() const { return work_; }

 private:
  struct Assumption {
    const Rule* node;
    bool negated;
  };
  struct TokenBounds {
    int64_t min;
    int64_t max;
  };

  uint32_t id_of(const SignalRef& ref);
  bool assume(Assumption assumption, std::vector<Assumption>& choices);
  bool assume_leaf(const SignalRef& ref, bool negated);
  bool assume_exclusive(const SignalRef& ref, uint32_t id);
  bool narrow_context(const std::string& name);
  bool possible(const std::vector<Assumption>& assumptions);
  bool possible_choice(const Assumption& choice);

  std::map<std::string, uint32_t> ids_;     // of leaves, and of groups whose members exclude each other
  std::vector<int8_t> facts_;               // by leaf: 1 matches, -1 does not, 0 open
  std::map<uint32_t, uint32_t> exclusive_;  // group -> the member that matches
  std::map<std::string, TokenBounds> contexts_;
  TokenBounds context_;
  std::vector<std::pair<uint32_t, bool>> trail_;  // what was assumed, newest last; true: in exclusive_
  size_t work_ = 0;
};

}  // namespace vsr::routing
