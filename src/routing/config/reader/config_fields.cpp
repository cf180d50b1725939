#include "routing/config/reader/config_fields.h"

#include <charconv>

#include "base/error.h"
#include "base/quoted.h"
#include "base/suggestion.h"
#include "base/text_stream.h"

namespace vsr::routing {
namespace {

using base::YamlNode;

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

bool is_name(std::string_view key) {
  return key == "name" || key == "model" || key == "lora_name" || key == "default_model" || key == "role";
}

void check_range(const YamlNode& node, double value, ValueRange range) {
  if (value >= range.min && value <= range.max) return;
  const bool open = range.max == std::numeric_limits<double>::infinity();
  const std::string least = base::nine_digits(range.min);
  node.fail("is " + base::nine_digits(value) + ", expected " +
            (open ? "at least " + least : least + " to " + base::nine_digits(range.max)));
}

int64_t read_tokens(const YamlNode& node) {
  const std::string text = node.as_string();
  std::string_view digits = text;
  int64_t unit = 1;
  if (!digits.empty()) {
    const char last = digits.back();
    if (last == 'K' || last == 'k') unit = 1000;
    if (last == 'M' || last == 'm') unit = 1'000'000;
    if (unit > 1) digits.remove_suffix(1);
  }
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty() || value < 0 ||
      value > std::numeric_limits<int64_t>::max() / unit) {
    node.fail("is " + quoted(text) + ", expected a number of tokens such as 8000, 32K or 1M");
  }
  return value * unit;
}

// Gathers the keys that a description names.
class KeyNames : public Fields {
 public:
  std::vector<std::string_view> keys;

  void text(std::string_view key, std::string&, Presence) override { keys.push_back(key); }
  void flag(std::string_view key, bool&) override { keys.push_back(key); }
  void number(std::string_view key, double&, ValueRange, Presence) override { keys.push_back(key); }
  void integer(std::string_view key, int64_t&, ValueRange) override { keys.push_back(key); }
  void tokens(std::string_view key, int64_t&) override { keys.push_back(key); }
  void texts(std::string_view key, std::vector<std::string>&, Presence) override { keys.push_back(key); }
  void object(std::string_view key, const Describe&, Presence) override { keys.push_back(key); }
  void for_people(std::string_view key) override { keys.push_back(key); }
  void for_gateway(std::string_view key) override { keys.push_back(key); }
  void replaced(std::string_view key, std::string_view) override { keys.push_back(key); }
  void not_run(std::string_view key, std::string_view) override { keys.push_back(key); }
  void custom(std::string_view key, std::string_view, const std::function<void(const YamlNode&)>&, Presence) override {
    keys.push_back(key);
  }

 protected:
  void choose(std::string_view key, const std::vector<std::string_view>&, Presence,
              const std::function<void(size_t)>&) override {
    keys.push_back(key);
  }
  void list(std::string_view key, Presence, const std::function<void()>&, const Describe&) override {
    keys.push_back(key);
  }
};

class YamlFields : public Fields {
 public:
  YamlFields(const YamlNode& node, ConfigNotes& notes) : node_(node), notes_(notes) {}

  void text(std::string_view key, std::string& value, Presence presence) override {
    const auto node = find(key, presence);
    if (!node) return;
    value = node->as_string();
    if (value.empty() && presence == Presence::kRequired) node->fail("is empty");
    if (is_name(key)) check_name(*node, value);
  }
  void flag(std::string_view key, bool& value) override {
    if (const auto node = find(key, Presence::kOptional)) value = node->as_bool();
  }
  void number(std::string_view key, double& value, ValueRange range, Presence presence) override {
    const auto node = find(key, presence);
    if (!node) return;
    value = node->as_number();
    check_range(*node, value, range);
  }
  void integer(std::string_view key, int64_t& value, ValueRange range) override {
    const auto node = find(key, Presence::kOptional);
    if (!node) return;
    value = node->as_integer();
    check_range(*node, static_cast<double>(value), range);
  }
  void tokens(std::string_view key, int64_t& value) override {
    if (const auto node = find(key, Presence::kOptional)) value = read_tokens(*node);
  }
  void texts(std::string_view key, std::vector<std::string>& values, Presence presence) override {
    const auto node = find(key, presence);
    if (!node) return;
    values.clear();
    for (const YamlNode& item : node->items()) {
      values.push_back(item.as_string());
      if (values.back().empty()) item.fail("is empty");
    }
    if (values.empty() && presence == Presence::kRequired) node->fail("is empty");
  }
  void object(std::string_view key, const Describe& describe, Presence presence) override {
    if (const auto node = find(key, presence)) read_fields(*node, notes_, describe);
  }
  void for_people(std::string_view key) override {
    if (const auto node = find(key, Presence::kOptional)) node->mark_read();
  }
  void for_gateway(std::string_view key) override {
    if (const auto node = find(key, Presence::kOptional)) notes_.for_gateway(*node);
  }
  void replaced(std::string_view key, std::string_view instead) override {
    if (const auto node = find(key, Presence::kOptional)) notes_.replaced(*node, instead);
  }
  void not_run(std::string_view key, std::string_view what) override {
    const auto node = find(key, Presence::kOptional);
    if (!node || (node->is_list() && node->items().empty())) return;
    notes_.not_run(*node, std::string(what));
  }
  void custom(std::string_view key, std::string_view, const std::function<void(const YamlNode&)>& read,
              Presence presence) override {
    if (const auto node = find(key, presence)) read(*node);
  }

 protected:
  void choose(std::string_view key, const std::vector<std::string_view>& names, Presence presence,
              const std::function<void(size_t)>& set) override {
    const auto node = find(key, presence);
    if (!node) return;
    const std::string text = node->as_string();
    std::string all;
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == text) return set(i);
      if (!names[i].empty()) base::add_listed(all, names[i]);
    }
    node->fail("is " + quoted(text) + ", expected one of " + all + base::suggestion(text, names));
  }
  void list(std::string_view key, Presence presence, const std::function<void()>& add,
            const Describe& describe) override {
    const auto node = find(key, presence);
    if (!node) return;
    for (const YamlNode& item : node->items()) {
      add();
      read_fields(item, notes_, describe);
    }
  }

 private:
  std::optional<YamlNode> find(std::string_view key, Presence presence) const {
    const std::string name(key);
    return presence == Presence::kRequired ? node_.required(name) : node_.optional(name);
  }

  const YamlNode& node_;
  ConfigNotes& notes_;
};

}  // namespace

void check_name(const YamlNode& node, std::string_view name) {
  if (name.find('\0') != std::string_view::npos) node.fail("holds a NUL");
}

void Fields::optional_number(std::string_view key, std::optional<double>& value, ValueRange range) {
  double number_or_nan = value.value_or(std::numeric_limits<double>::quiet_NaN());
  number(key, number_or_nan, range);
  if (number_or_nan == number_or_nan) value = number_or_nan;
}

void Fields::optional_flag(std::string_view key, std::optional<bool>& value) {
  bool one = value.value_or(false), other = value.value_or(true);  // they stay apart where the key is absent
  flag(key, one);
  flag(key, other);
  if (one == other) value = one;
}

void Fields::optional_integer(std::string_view key, std::optional<int64_t>& value, ValueRange range) {
  constexpr int64_t kAbsent = std::numeric_limits<int64_t>::min();  // below every range in use
  int64_t read = value.value_or(kAbsent);
  integer(key, read, range);
  if (read != kAbsent) value = read;
}

void Fields::integer(std::string_view key, int& value, ValueRange range) {
  int64_t wide = value;
  integer(key, wide, range);
  value = static_cast<int>(wide);
}

void ConfigNotes::not_run(const YamlNode& node, const std::string& what, std::string_view instead) {
  if (!lenient_) node.fail_unsupported(what + " is known but not run by vsr (lenient skips it)");
  skip(node, what + " is not run by vsr" + std::string(instead));
}

void ConfigNotes::skip(const YamlNode& node, const std::string& what) {
  lists_.skipped.push_back(node.where() + ": " + what);
  node.mark_read();
}

void ConfigNotes::warn(const std::string& where, const std::string& what) {
  lists_.warnings.push_back(where + ": " + what);
}

void ConfigNotes::for_gateway(const YamlNode& node) {
  lists_.for_gateway.push_back(node.where() + ": " + node.path());
  node.mark_read();
}

void ConfigNotes::replaced(const YamlNode& node, std::string_view instead) {
  lists_.replaced.push_back(node.where() + ": " + node.path() + " has no effect: " + std::string(instead));
  node.mark_read();
}

void read_fields(const YamlNode& node, ConfigNotes& notes, const Fields::Describe& describe) {
  KeyNames names;
  describe(names);
  node.allow_keys(names.keys);
  YamlFields fields(node, notes);
  describe(fields);
}

}  // namespace vsr::routing
