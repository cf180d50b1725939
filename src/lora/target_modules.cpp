#include "lora/target_modules.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/error.h"

namespace vsr::lora {
namespace {

using base::JsonValue;

bool ends_with_part(std::string_view name, std::string_view part) {
  return name == part ||
         (name.size() > part.size() && name.ends_with(part) && name[name.size() - part.size() - 1] == '.');
}

bool any_ends(const std::vector<std::string>& parts, const std::string& name) {
  return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) { return ends_with_part(name, part); });
}

std::vector<std::string_view> split(std::string_view name) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find('.', begin), name.size());
    parts.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<int64_t> number(std::string_view part) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  const bool whole = error == std::errc() && end == part.data() + part.size() && part.front() != '-';
  return whole ? std::optional(value) : std::nullopt;
}

// A value that may be one or a list of them.
template <class T>
std::vector<T> one_or_many(const JsonValue& value) {
  if (value.is_array()) return value.as<std::vector<T>>();
  return {value.as<T>()};
}

template <class T>
NamePattern<T> read_pattern(const base::JsonObject& json, const std::string& key) {
  NamePattern<T> pattern{.where = json.path() + ": \"" + key + "\"", .entries = {}};
  if (!json.contains(key)) return pattern;
  const base::JsonObject object = json.required<base::JsonObject>(key);
  for (const std::string& name : object.keys()) {
    const JsonValue value = object.at(name);
    if (!(value.as<double>() > 0) || value.as<double>() > 1e9) value.fail("is out of range");
    pattern.entries.emplace_back(NameExpression("(?:.*\\.)?(?:" + name + ")", value), value.as<T>());
  }
  return pattern;
}

// peft takes the first key that matches. Parsed objects keep no order, so keys that match the same name must agree.
template <class T>
T value_for(const NamePattern<T>& pattern, const std::string& name, T otherwise) {
  std::optional<T> found;
  for (const auto& [expression, value] : pattern.entries) {
    if (!expression.matches(name)) continue;
    if (found && *found != value) {
      base::fail(base::Status::kUnsupported, pattern.where, " has keys with different values for \"", name, "\"");
    }
    found = value;
  }
  return found.value_or(otherwise);
}

}  // namespace

NameExpression::NameExpression(const std::string& expression, const JsonValue& where)
    : where_(where.path() + ": \"" + where.location() + "\""),
      pattern_(text::compile_regex("^(?:" + expression + ")$", where)) {}

bool NameExpression::matches(const std::string& name) const {
  std::vector<text::Span> found;
  try {
    pattern_->find(name, 0, found);
  } catch (const base::Error&) {
    base::fail(base::Status::kUnsupported, where_, " takes too long to match \"", name, "\"");
  }
  return found.size() == 1 && found.front().end - found.front().begin == name.size();
}

TargetModules::TargetModules(const AdapterConfig& config)
    : targets_(config.target_modules),
      saved_(config.modules_to_save),
      rank_pattern_(read_pattern<int64_t>(config.json, "rank_pattern")),
      alpha_pattern_(read_pattern<double>(config.json, "alpha_pattern")),
      rank_(config.rank),
      alpha_(config.alpha),
      use_rslora_(config.use_rslora) {
  const base::JsonObject& json = config.json;
  if (config.target_expression) target_expression_.emplace(*config.target_expression, json.at("target_modules"));
  if (json.contains("exclude_modules")) {
    const JsonValue excluded = json.at("exclude_modules");
    if (excluded.is_string()) {
      if (!excluded.as<std::string>().empty()) excluded_expression_.emplace(excluded.as<std::string>(), excluded);
    } else {
      excluded_ = excluded.as<std::vector<std::string>>();
    }
  }
  if (json.contains("layers_to_transform")) layers_ = one_or_many<int64_t>(json.at("layers_to_transform"));
  if (layers_ && layers_->empty()) layers_.reset();
  if (json.contains("layers_pattern")) layers_patterns_ = one_or_many<std::string>(json.at("layers_pattern"));
  std::erase(layers_patterns_, "");
}

bool TargetModules::selects(const std::string& name) const {
  if (is_excluded(name) || is_saved_whole(name)) return false;
  if (target_expression_) return target_expression_->matches(name);
  if (std::find(targets_.begin(), targets_.end(), name) != targets_.end()) return true;
  return any_ends(targets_, name) && is_in_layers(name);
}

bool TargetModules::is_excluded(const std::string& name) const {
  if (excluded_expression_ && excluded_expression_->matches(name)) return true;
  return any_ends(excluded_, name);
}

bool TargetModules::is_saved_whole(const std::string& name) const {
  const std::string dotted = "." + name + ".";
  return std::any_of(saved_.begin(), saved_.end(),
                     [&](const std::string& saved) { return dotted.find("." + saved + ".") != std::string::npos; });
}

std::optional<std::string> TargetModules::unknown_target(const std::vector<std::string>& names) const {
  for (const std::string& target : targets_) {
    const auto known = [&](const std::string& name) { return ends_with_part(name, target); };
    if (std::none_of(names.begin(), names.end(), known)) return target;
  }
  return std::nullopt;
}

// The first number of the name after one of the patterns, or after anything, is the layer.
bool TargetModules::is_in_layers(const std::string& name) const {
  if (!layers_) return true;
  const std::vector<std::string_view> parts = split(name);
  const size_t first = layers_patterns_.empty() ? 2 : 1;
  for (size_t i = first; i + 1 < parts.size(); ++i) {
    const auto layer = number(parts[i]);
    if (!layer) continue;
    const bool named = layers_patterns_.empty() || std::find(layers_patterns_.begin(), layers_patterns_.end(),
                                                             parts[i - 1]) != layers_patterns_.end();
    if (named) return std::find(layers_->begin(), layers_->end(), *layer) != layers_->end();
  }
  return false;
}

int64_t TargetModules::rank(const std::string& name) const { return value_for(rank_pattern_, name, rank_); }

double TargetModules::scaling(const std::string& name) const {
  const auto divisor = static_cast<double>(rank(name));
  return value_for(alpha_pattern_, name, alpha_) / (use_rslora_ ? std::sqrt(divisor) : divisor);
}

}  // namespace vsr::lora
