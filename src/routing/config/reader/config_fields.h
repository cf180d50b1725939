// How the parts of a config file are described: one function per part names every key, its type and range and where the
// value goes. The same description reads a file, finds unknown keys, and writes the JSON Schema.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/yaml.h"

namespace vsr::routing {

struct ValueRange {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();  // inclusive, both
};
constexpr ValueRange kUnit{0, 1};
constexpr ValueRange kNotNegative{0, std::numeric_limits<double>::infinity()};

enum class Presence { kOptional, kRequired };

template <class T>
struct Choice {
  std::string_view name;
  T value;
};

// A visitor of the keys of one map. Values stay as they are when the key is absent.
class Fields {
 public:
  using Describe = std::function<void(Fields&)>;
  virtual ~Fields() = default;

  virtual void text(std::string_view key, std::string& value, Presence presence = Presence::kOptional) = 0;
  virtual void flag(std::string_view key, bool& value) = 0;
  virtual void number(std::string_view key, double& value, ValueRange range,
                      Presence presence = Presence::kOptional) = 0;
  virtual void integer(std::string_view key, int64_t& value, ValueRange range) = 0;
  // An integer with K (thousands) or M (millions) after it, or without.
  virtual void tokens(std::string_view key, int64_t& value) = 0;
  virtual void texts(std::string_view key, std::vector<std::string>& values,
                     Presence presence = Presence::kOptional) = 0;
  virtual void object(std::string_view key, const Describe& describe, Presence presence = Presence::kOptional) = 0;
  // Says something to people, or to the tools they write files with, and changes no request.
  virtual void for_people(std::string_view key) = 0;
  // What a gateway does: listed for it (RouterConfig::for_gateway).
  virtual void for_gateway(std::string_view key) = 0;
  // Has no effect, since vsr has something of its own in its place, which `instead` names; listed, too.
  virtual void replaced(std::string_view key, std::string_view instead) = 0;
  // Known to the form, not run by vsr: `what` says what it is. `off` values (an empty list, false) are accepted.
  virtual void not_run(std::string_view key, std::string_view what) = 0;
  // A value that `read` takes itself; `schema` names its definition in the JSON Schema, empty for any.
  virtual void custom(std::string_view key, std::string_view schema,
                      const std::function<void(const base::YamlNode&)>& read,
                      Presence presence = Presence::kOptional) = 0;

  void optional_number(std::string_view key, std::optional<double>& value, ValueRange range);
  void optional_flag(std::string_view key, std::optional<bool>& value);
  void optional_integer(std::string_view key, std::optional<int64_t>& value, ValueRange range);
  void integer(std::string_view key, int& value, ValueRange range);
  void description() { for_people("description"); }
  // What begins most lists' items: a name, and perhaps words about it.
  void named(std::string& name) {
    text("name", name, Presence::kRequired);
    description();
  }
  void enabled() { for_people("enabled"); }  // of what is described only when it is on

  template <class T, size_t N>
  void choice(std::string_view key, T& value, const Choice<T> (&choices)[N], Presence presence = Presence::kOptional) {
    std::vector<std::string_view> names;
    for (const auto& each : choices) names.push_back(each.name);
    choose(key, names, presence, [&](size_t i) { value = choices[i].value; });
  }

  template <class T>
  void objects(std::string_view key, std::vector<T>& values, void (*describe)(Fields&, T&),
               Presence presence = Presence::kOptional) {
    list(
        key, presence, [&] { values.emplace_back(); }, [&](Fields& fields) { describe(fields, values.back()); });
  }

 protected:
  virtual void choose(std::string_view key, const std::vector<std::string_view>& names, Presence presence,
                      const std::function<void(size_t)>& set) = 0;
  // `add` makes room for an item, which `describe` then fills.
  virtual void list(std::string_view key, Presence presence, const std::function<void()>& add,
                    const Describe& describe) = 0;
};

// What readers share while one file is read.
class ConfigNotes {
 public:
  // Lists of lines that begin with a place; those of the config that is read.
  struct Lists {
    std::vector<std::string>& warnings;
    std::vector<std::string>& skipped;
    std::vector<std::string>& for_gateway;
    std::vector<std::string>& replaced;
  };
  ConfigNotes(bool lenient, Lists lists) : lenient_(lenient), lists_(lists) {}
  bool lenient() const { return lenient_; }
  // Strict: throws kUnsupported; lenient: a line of `skipped`, with what is used `instead`.
  void not_run(const base::YamlNode& node, const std::string& what, std::string_view instead = "");
  void skip(const base::YamlNode& node, const std::string& what);
  void warn(const std::string& where, const std::string& what);
  // These two count all below `node` as read.
  void for_gateway(const base::YamlNode& node);
  void replaced(const base::YamlNode& node, std::string_view instead);

 private:
  bool lenient_;
  Lists lists_;
};

// Names cross the C interface as C strings, where two that differ after a NUL would be one.
void check_name(const base::YamlNode& node, std::string_view name);

// Reads the map `node` by its description. Throws kParse with the place of what is wrong, unknown keys first.
void read_fields(const base::YamlNode& node, ConfigNotes& notes, const Fields::Describe& describe);

}  // namespace vsr::routing
