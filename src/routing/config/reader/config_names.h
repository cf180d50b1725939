// The names that a config file defines, and what readers of its parts share.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml.h"
#include "routing/config/reader/config_fields.h"
#include "routing/config/router_config.h"

namespace vsr::routing {

// The signals that rules can name.
class SignalNames {
 public:
  struct Entry {
    SignalRef ref;             // the name as the file defines it
    std::string where;         // "file:line:column"
    bool runs = true;          // vsr evaluates it
    bool used = false;         // by a rule
    std::string used_at = {};  // the first of them; empty: none
    bool guards;               // to take it for "no match" because vsr cannot evaluate it would be unsafe
  };

  // A name that is there already stays as it is.
  Entry& add(std::string_view type, std::string_view name, const std::string& where, bool runs);
  Entry* find(std::string_view type, std::string_view name);
  // Names of one type, for suggestions.
  std::vector<std::string_view> of_type(std::string_view type) const;
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  static std::string key(std::string_view type, std::string_view name);
  std::vector<Entry> entries_;
  std::map<std::string, size_t, std::less<>> index_;
};

// Lists of things that are looked up by walking them have at most this many.
constexpr size_t kMostNames = 10'000;
constexpr size_t kMostAliases = 1'000;
// Throws kParse for a list of more.
void check_length(const base::YamlNode& list, size_t most);

// Types of signals that guard.
bool is_safety_type(std::string_view type);

// What `global` says of signals whose rules do not say it.
struct SignalDefaults {
  std::optional<double> jailbreak = {}, domain = {}, pii = {}, fact_check = {}, user_feedback = {};  // thresholds
};

struct ConfigContext {
  RouterConfig& config;
  ConfigNotes notes;
  SignalNames names = {};
  SignalDefaults defaults = {};
  std::map<std::string, size_t> models = {};       // name -> place in the catalog
  std::map<std::string, size_t> classifiers = {};  // name -> place among signals.classifiers
  bool defines_models = false;                     // the file has modelCards or providers.models
  bool defines_domains = false;                    // the file has routing.signals.domains
  bool says_no_models = false;                     // a warning says that it has no models
  bool defines_signals = false;                    // the file has routing.signals

  // Throws kParse unless the file defines the model. In a file that defines none, names mean themselves, with a
  // warning.
  void check_model(const base::YamlNode& node, const std::string& name);
  // Null for a model that the file does not define.
  const CatalogModel* find_model(const std::string& name) const;
};

}  // namespace vsr::routing
