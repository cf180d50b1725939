// A text's keywords, by one of five methods.
#include <utility>

#include "routing/signals/kinds/signal_makers.h"

namespace vsr::routing {
namespace {

class Keyword : public BodySignal {
 public:
  Keyword(std::shared_ptr<const KeywordSignals> all, size_t rule, TextScope scope)
      : all_(std::move(all)), rule_(rule), scope_(scope) {}
  SignalValue evaluate(RequestReading& reading) const override { return reading.keywords(*all_, scope_)[rule_]; }

 private:
  std::shared_ptr<const KeywordSignals> all_;
  size_t rule_;
  TextScope scope_;
};

}  // namespace

BoundSignalPointer make_keyword(const std::string& name, SignalSources& sources) {
  const std::vector<KeywordRule>& rules = sources.rules().keywords;
  const KeywordRule* rule = find_rule(rules, name);
  if (rule == nullptr) return nullptr;
  return std::make_unique<Keyword>(sources.keywords, static_cast<size_t>(rule - rules.data()), rule->scope);
}

}  // namespace vsr::routing
