// The languages of a text.
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_language.h"

namespace vsr::routing {
namespace {

class Language : public BodySignal {
 public:
  explicit Language(const LanguageRule& rule) : rule_(rule) {}
  SignalValue evaluate(RequestReading& reading) const override { return evaluate_language(rule_, reading.languages()); }

 private:
  const LanguageRule& rule_;
};

}  // namespace

BoundSignalPointer make_language(const std::string& name, SignalSources& sources) {
  const LanguageRule* rule = find_rule(sources.rules().language, name);
  return rule == nullptr ? nullptr : std::make_unique<Language>(*rule);
}

}  // namespace vsr::routing
