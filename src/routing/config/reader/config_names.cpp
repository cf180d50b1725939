#include "routing/config/reader/config_names.h"

#include <algorithm>
#include <utility>

#include "base/suggestion.h"
#include "routing/config/domains.h"
#include "routing/config/signal_kind.h"

namespace vsr::routing {

bool is_safety_type(std::string_view type) {
  const SignalKind* kind = find_signal_kind(type);
  return kind != nullptr && kind->purpose == SignalPurpose::kSafety;
}

std::string SignalNames::key(std::string_view type, std::string_view name) {
  return std::string(type) + ":" + (type == "domain" ? canonical_domain(name) : std::string(name));
}

SignalNames::Entry& SignalNames::add(std::string_view type, std::string_view name, const std::string& where,
                                     bool runs) {
  const auto [at, added] = index_.emplace(key(type, name), entries_.size());
  if (added) {
    entries_.push_back(
        {.ref = {std::string(type), std::string(name)}, .where = where, .runs = runs, .guards = is_safety_type(type)});
  }
  return entries_[at->second];
}

SignalNames::Entry* SignalNames::find(std::string_view type, std::string_view name) {
  const auto at = index_.find(key(type, name));
  return at == index_.end() ? nullptr : &entries_[at->second];
}

std::vector<std::string_view> SignalNames::of_type(std::string_view type) const {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries_) {
    if (entry.ref.type == type) names.push_back(entry.ref.name);
  }
  return names;
}

void check_length(const base::YamlNode& list, size_t most) {
  const size_t length = list.items().size();
  if (length > most)
    list.fail("has " + std::to_string(length) + " items, at most " + std::to_string(most) + " are read");
}

const CatalogModel* ConfigContext::find_model(const std::string& name) const {
  const auto at = models.find(name);
  return at == models.end() ? nullptr : &config.catalog.models[at->second];
}

void ConfigContext::check_model(const base::YamlNode& node, const std::string& name) {
  if (find_model(name) != nullptr) return;
  if (!defines_models) {
    if (!std::exchange(says_no_models, true)) {
      notes.warn(node.where(), "the file defines no models: \"" + name + "\" and others are taken as they are written");
    }
    return;
  }
  std::vector<std::string_view> known;
  for (const CatalogModel& model : config.catalog.models) known.push_back(model.name);
  node.fail("is \"" + name + "\", which neither routing.modelCards nor providers.models defines" +
            base::suggestion(name, known));
}

}  // namespace vsr::routing
