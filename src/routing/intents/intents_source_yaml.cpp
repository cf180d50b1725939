// The YAML form of intents.
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/yaml.h"
#include "routing/intents/intents_source.h"

namespace vsr::routing {
namespace {

using base::YamlNode;

[[noreturn]] void fail_at(const YamlNode& node, const std::string& message) {
  base::fail(base::Status::kParse, node.where(), ": ", message);
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

void check_text(const YamlNode& node, const std::string& text, const std::string& what) {
  if (text.find('\0') != std::string::npos) fail_at(node, what + " holds a NUL character");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) fail_at(node, what + " is empty");
}

NeighbourRule read_rule(const YamlNode& node) {
  for (const NeighbourRule rule : {NeighbourRule::kVote, NeighbourRule::kBest, NeighbourRule::kBlend}) {
    if (node.as_string() == rule_name(rule)) return rule;
  }
  node.fail("is " + quoted(node.as_string()) + ", expected vote, best or blend");
}

size_t read_top_k(const YamlNode& node) {
  const int64_t value = node.as_integer();
  if (value >= 1 && value <= static_cast<int64_t>(kMaxTopK)) return static_cast<size_t>(value);
  node.fail("is " + std::to_string(value) + ", expected 1 to " + std::to_string(kMaxTopK));
}

float read_threshold(const YamlNode& node) {
  const double value = node.as_number();
  if (value >= -1 && value <= 1) return static_cast<float>(value);
  node.fail("is " + quoted(node.as_string()) + ", expected -1 to 1");
}

class Reader {
 public:
  IntentsSource read(const YamlNode& root) {
    if (!root.is_map()) fail_at(root, "the file holds no map, expected one with \"intents\"");
    root.allow_keys({"intents", "rule", "threshold", "top_k"});
    if (const auto rule = root.optional("rule")) source_.rule = read_rule(*rule);
    if (const auto top_k = root.optional("top_k")) source_.top_k = read_top_k(*top_k);
    if (const auto threshold = root.optional("threshold")) source_.threshold = read_threshold(*threshold);
    read_intents(root.required("intents"));
    if (source_.intents.empty()) fail_at(root, "no intents");
    return std::move(source_);
  }

 private:
  void read_intents(const YamlNode& node) {
    if (node.is_map()) {
      for (const auto& [label, body] : node.entries()) {
        check_text(body, label, "an intent's label");
        read_intent(label, body, false);
      }
      return;
    }
    if (!node.is_list()) node.fail("is neither a map nor a list");
    for (const YamlNode& item : node.items()) {
      if (!item.is_map()) item.fail("is no map, expected one with \"label\" and \"examples\"");
      const YamlNode label = item.required("label");
      check_text(label, label.as_string(), "an intent's label");
      if (!labels_.insert(label.as_string()).second) {
        fail_at(label, "intent " + quoted(label.as_string()) + " is defined twice");
      }
      read_intent(label.as_string(), item, true);
    }
  }

  void read_intent(const std::string& label, const YamlNode& body, bool names_itself) {
    IntentSource intent{.label = label};
    if (body.is_list()) {
      read_examples(body, intent);
    } else if (body.is_map()) {
      body.allow_keys(names_itself ? std::vector<std::string_view>{"label", "examples", "threshold"}
                                   : std::vector<std::string_view>{"examples", "threshold"});
      if (const auto threshold = body.optional("threshold")) intent.threshold = read_threshold(*threshold);
      if (const auto examples = body.optional("examples")) read_examples(*examples, intent);
    } else {
      fail_at(body, "intent " + quoted(label) + " has no list of examples");
    }
    if (intent.examples.empty()) fail_at(body, "intent " + quoted(label) + " has no examples");
    source_.intents.push_back(std::move(intent));
  }

  void read_examples(const YamlNode& node, IntentSource& intent) {
    for (const YamlNode& item : node.items()) {
      const std::string what = "example " + std::to_string(intent.examples.size() + 1) + " of " + quoted(intent.label);
      if (!item.is_scalar()) fail_at(item, what + " is no text (hint: quote a text that holds \": \")");
      std::string text = item.as_string();
      check_text(item, text, what);
      const auto [known, is_new] = label_of_.emplace(text, intent.label);
      if (!is_new) fail_at(item, what + " is already an example of " + quoted(known->second) + ": " + quoted(text));
      intent.examples.push_back(std::move(text));
    }
  }

  IntentsSource source_;
  std::set<std::string> labels_;
  std::unordered_map<std::string, std::string> label_of_;  // of each example
};

}  // namespace

IntentsSource parse_intents_yaml(std::string_view text, const std::string& path) {
  return Reader().read(base::parse_yaml(text, path));
}

}  // namespace vsr::routing
