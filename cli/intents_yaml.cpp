// The YAML form of intents. Nothing is skipped: what is not understood is an error with its place.
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "failure.h"
#include "intents_file.h"
#include "yaml_document.h"

namespace vsr::cli {
namespace {

class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}
  IntentsFile read(const std::string& bytes);

 private:
  using Members = std::map<std::string, std::function<void(const YAML::Node&)>>;

  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    throw Failure(yaml_place(path_, node.Mark()) + ": " + message);
  }
  // Calls the reader of each member; unknown and repeated keys are errors.
  void read_map(const YAML::Node& map, const std::string& what, const Members& members) const;
  std::string read_text(const YAML::Node& node, const std::string& what) const;
  template <class Number>
  Number read_number(const YAML::Node& node, const std::string& what, Number least, Number most) const;
  void read_intents(const YAML::Node& node);
  void read_intent(const std::string& label, const YAML::Node& label_node, const YAML::Node& body);
  std::vector<std::string> read_examples(const std::string& label, const YAML::Node& node);

  std::string path_;
  IntentsFile file_;
  std::map<std::string, int> label_lines_;
  std::map<std::string, std::string> example_labels_;
};

const char* kind(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Map:
      return "a map";
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Scalar:
      return "text";
    case YAML::NodeType::Null:
    case YAML::NodeType::Undefined:
      return "nothing";
  }
  return "nothing";
}

void Reader::read_map(const YAML::Node& map, const std::string& what, const Members& members) const {
  if (!map.IsMap()) fail(map, what + " is " + kind(map) + ", expected a map");
  std::set<std::string> seen;
  for (const auto& entry : map) {
    const std::string key = read_text(entry.first, "a key of " + what);
    const auto member = members.find(key);
    if (member == members.end()) {
      std::string known;
      for (const auto& [name, reader] : members) known += (known.empty() ? "" : ", ") + name;
      fail(entry.first, "unknown key \"" + key + "\" (expected: " + known + ")");
    }
    if (!seen.insert(key).second) fail(entry.first, "\"" + key + "\" is given twice");
    member->second(entry.second);
  }
}

std::string Reader::read_text(const YAML::Node& node, const std::string& what) const {
  if (!node.IsScalar()) {
    const std::string hint = node.IsMap() ? " (hint: quote a text that holds \": \")" : "";
    fail(node, what + " is " + kind(node) + ", expected text" + hint);
  }
  if (node.Scalar().find('\0') != std::string::npos) fail(node, what + " holds a NUL character");
  if (node.Scalar().find_first_not_of(" \t\r\n") == std::string::npos) fail(node, what + " is empty");
  return node.Scalar();
}

template <class Number>
Number Reader::read_number(const YAML::Node& node, const std::string& what, Number least, Number most) const {
  Number value{};
  const bool is_number = node.IsScalar() && YAML::convert<Number>::decode(node, value);
  // Written so that NaN is out of range.
  if (!is_number || !(value >= least && value <= most)) {
    const std::string found = node.IsScalar() ? "\"" + node.Scalar() + "\"" : kind(node);
    std::string range = YAML::Dump(YAML::Node(least)) + " to " + YAML::Dump(YAML::Node(most));
    fail(node, what + " is " + found + ", expected a number from " + range);
  }
  return value;
}

std::vector<std::string> Reader::read_examples(const std::string& label, const YAML::Node& node) {
  if (!node.IsSequence()) fail(node, "examples of \"" + label + "\" are " + kind(node) + ", expected a list");
  if (node.size() == 0) fail(node, "intent \"" + label + "\" has no examples");
  std::vector<std::string> examples;
  for (const YAML::Node& item : node) {
    const std::string what = "example " + std::to_string(examples.size() + 1) + " of \"" + label + "\"";
    const std::string text = read_text(item, what);
    const auto [known, is_new] = example_labels_.emplace(text, label);
    if (!is_new) fail(item, what + " is already an example of \"" + known->second + "\": \"" + text + "\"");
    examples.push_back(text);
  }
  return examples;
}

void Reader::read_intent(const std::string& label, const YAML::Node& label_node, const YAML::Node& body) {
  const int line = label_node.Mark().line + 1;
  const auto [known, is_new] = label_lines_.emplace(label, line);
  if (!is_new)
    fail(label_node, "intent \"" + label + "\" is defined twice, first in line " + std::to_string(known->second));
  IntentExamples intent{label, std::nullopt, {}};
  const std::string what = "intent \"" + label + "\"";
  if (!body.IsSequence() && !body.IsMap()) {
    fail(body.Mark().is_null() ? label_node : body, what + " is " + kind(body) + ", expected a list of examples");
  }
  if (body.IsSequence()) {
    intent.examples = read_examples(label, body);
  } else {
    Members members = {
        {"threshold", [&](const YAML::Node& n) { intent.threshold = read_number(n, "threshold", -1.0f, 1.0f); }},
        {"examples", [&](const YAML::Node& n) { intent.examples = read_examples(label, n); }}};
    const YAML::Node inside = body["label"];
    if (inside.IsDefined() && label_node.is(inside)) members["label"] = [](const YAML::Node&) {};
    read_map(body, what, members);
  }
  if (intent.examples.empty()) fail(label_node, what + " has no examples");
  file_.intents.push_back(std::move(intent));
}

void Reader::read_intents(const YAML::Node& node) {
  if (node.IsMap()) {
    for (const auto& entry : node) read_intent(read_text(entry.first, "an intent's label"), entry.first, entry.second);
  } else if (node.IsSequence()) {
    for (const YAML::Node& item : node) {
      if (!item.IsMap()) fail(item, std::string("an intent is ") + kind(item) + ", expected a map with a label");
      const YAML::Node label = item["label"];
      if (!label.IsDefined()) fail(item, "an intent has no label");
      read_intent(read_text(label, "an intent's label"), label, item);
    }
  } else {
    fail(node, std::string("intents is ") + kind(node) + ", expected a map or a list");
  }
}

IntentsFile Reader::read(const std::string& bytes) {
  const YAML::Node root = load_yaml_document(bytes, path_);
  read_map(root, "the file",
           {{"rule",
             [&](const YAML::Node& n) {
               file_.rule = read_text(n, "rule");
               if (*file_.rule != "vote" && *file_.rule != "best" && *file_.rule != "blend") {
                 fail(n, "rule is \"" + *file_.rule + "\", expected vote, best or blend");
               }
             }},
            {"top_k", [&](const YAML::Node& n) { file_.top_k = read_number(n, "top_k", 1, 1024); }},
            {"threshold", [&](const YAML::Node& n) { file_.threshold = read_number(n, "threshold", -1.0f, 1.0f); }},
            {"intents", [&](const YAML::Node& n) { read_intents(n); }}});
  if (file_.intents.empty()) fail(root, "no intents");
  return std::move(file_);
}

}  // namespace

IntentsFile parse_intents_yaml(const std::string& bytes, const std::string& path) {
  try {
    return Reader(path).read(bytes);
  } catch (const YAML::Exception& error) {
    throw Failure(yaml_place(path, error.mark) + ": " + error.msg);
  }
}

}  // namespace vsr::cli
