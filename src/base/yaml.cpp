#include "base/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>
#include <unordered_set>

#include "base/error.h"
#include "base/file.h"
#include "base/suggestion.h"

namespace vsr::base {
namespace {

constexpr int kMaxDepth = 64;
constexpr int kMaxValues = 1'000'000;  // a few aliases of aliases mean billions

std::string position(const std::string& path, const YAML::Mark& mark) {
  // An empty document has no place of its own: it is that of the file's beginning.
  return path + ":" + std::to_string(std::max(mark.line, 0) + 1) + ":" + std::to_string(std::max(mark.column, 0) + 1);
}

std::string_view kind_of(const YAML::Node& node) {
  if (node.IsMap()) return "a map";
  if (node.IsSequence()) return "a list";
  if (node.IsNull()) return "empty";
  return "a single value";
}

// Hears what a parser finds, for the beginnings of documents alone.
class DocumentStarts : public YAML::EventHandler {
 public:
  explicit DocumentStarts(const std::string& path) : path_(path) {}
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (count_++ == 0) {
      first_ = mark;
      return;
    }
    // yaml-cpp gives an empty document, again and again, where it finds what cannot begin a value.
    const bool stuck = mark.pos == first_.pos;
    fail(Status::kParse, position(path_, mark), stuck ? ": no value can begin here" : ": a second document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  const std::string& path_;
  YAML::Mark first_;
  int count_ = 0;
};

// yaml-cpp reads the number of a %YAML line by the host's locale, in which "1.2" may be none. It takes every 1.x for
// the same, so that such a line is made a comment; others are left for it to refuse.
void hide_version(std::string& text) {
  constexpr std::string_view kVersion = "%YAML 1.";
  for (size_t line = 0; line < text.size();) {
    const size_t end = std::min(text.find('\n', line), text.size());
    std::string_view rest = std::string_view(text).substr(line, end - line);
    const bool content = !rest.empty() && rest[0] != '%' && rest[0] != '#' && rest[0] != '\r';
    if (content) return;
    if (rest.starts_with(kVersion)) {
      rest.remove_prefix(kVersion.size());
      const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
      const bool ends = rest.find_first_not_of(" \t\r", digits) == std::string_view::npos;
      if (digits > 0 && ends) text[line] = '#';
    }
    line = end + 1;
  }
}

// YAML::Load() reads the first document and says nothing of the rest.
void check_single_document(const std::string& text, const std::string& path) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts(path);
  while (parser.HandleNextDocument(starts)) continue;
}

// Keys given twice are found here, once: yaml-cpp keeps both and finds the first.
void check_tree(const YAML::Node& node, const std::string& path, int depth, int& values) {
  if (++values > kMaxValues)
    fail(Status::kParse, position(path, node.Mark()), ": the file has more than ", kMaxValues, " values");
  if (depth > kMaxDepth)
    fail(Status::kParse, position(path, node.Mark()), ": nested deeper than ", kMaxDepth, " levels");
  if (node.IsSequence()) {
    for (const auto& item : node) check_tree(item, path, depth + 1, values);
  }
  if (!node.IsMap()) return;
  std::set<std::string> seen;
  for (const auto& entry : node) {
    if (!entry.first.IsScalar())
      fail(Status::kParse, position(path, entry.first.Mark()), ": a key is not a single value");
    if (!seen.insert(entry.first.Scalar()).second) {
      fail(Status::kParse, position(path, entry.first.Mark()), ": \"", entry.first.Scalar(), "\" is given twice");
    }
    check_tree(entry.second, path, depth + 1, values);
  }
}

}  // namespace

struct YamlNode::Document {
  explicit Document(std::string file) : path(std::move(file)) {}

  const std::string path;
  std::unordered_set<int> read;  // where the values are that were asked for
};

YamlNode::YamlNode(std::shared_ptr<Document> document, std::shared_ptr<const YAML::Node> node, std::string name,
                   std::string path)
    : document_(std::move(document)), node_(std::move(node)), name_(std::move(name)), path_(std::move(path)) {}

YamlNode YamlNode::child(const YAML::Node& node, const std::string& name, const std::string& suffix) const {
  return YamlNode(document_, std::make_shared<const YAML::Node>(node), name, path_ + suffix);
}

YamlNode YamlNode::child(const YAML::Node& node, const std::string& key) const {
  return child(node, key, path_.empty() ? key : "." + key);
}

YamlNode YamlNode::item(const YAML::Node& node, size_t index) const {
  const std::string place = "[" + std::to_string(index) + "]";
  return child(node, name_ + place, place);
}

std::string YamlNode::where() const { return position(document_->path, node_->Mark()); }

bool YamlNode::is_read() const { return document_->read.contains(node_->Mark().pos); }

std::vector<YamlNode> YamlNode::unread() const {
  std::vector<YamlNode> found;
  find_unread(found);
  return found;
}

void YamlNode::find_unread(std::vector<YamlNode>& found) const {
  if (node_->IsSequence()) {
    size_t index = 0;
    for (const auto& each : *node_) {
      const YamlNode value = item(each, index++);
      if (!value.is_read() && !each.IsNull()) return found.push_back(*this);
      value.find_unread(found);
    }
  }
  if (!node_->IsMap()) return;
  for (const auto& entry : *node_) {
    if (entry.second.IsNull()) continue;
    const YamlNode value = child(entry.second, entry.first.Scalar());
    value.is_read() ? value.find_unread(found) : found.push_back(value);
  }
}

void YamlNode::mark_read() const {
  document_->read.insert(node_->Mark().pos);
  if (node_->IsSequence()) {
    for (const auto& each : *node_) child(each, "", "").mark_read();
  }
  if (!node_->IsMap()) return;
  for (const auto& entry : *node_) child(entry.second, "", "").mark_read();
}

void YamlNode::fail(std::string_view what) const {
  base::fail(Status::kParse, where(), ": ", name_.empty() ? "the document" : "\"" + name_ + "\"", " ", what);
}

void YamlNode::expected(std::string_view what) const {
  fail(std::string("is ") + std::string(kind_of(*node_)) + ", expected " + std::string(what));
}

void YamlNode::require_map() const {
  if (!node_->IsMap() && !node_->IsNull()) expected("a map");
}

std::optional<YamlNode> YamlNode::optional(const std::string& key) const {
  require_map();
  if (node_->IsNull()) return std::nullopt;
  const YAML::Node value = (*node_)[key];
  if (!value.IsDefined() || value.IsNull()) return std::nullopt;
  document_->read.insert(value.Mark().pos);
  return child(value, key);
}

YamlNode YamlNode::required(const std::string& key) const {
  auto value = optional(key);
  if (!value) fail("has no \"" + key + "\"");
  return *std::move(value);
}

void YamlNode::fail_unsupported(std::string_view what) const { base::fail(Status::kUnsupported, where(), ": ", what); }

void YamlNode::allow_keys(const std::vector<std::string_view>& keys) const {
  require_map();
  for (const auto& entry : *node_) {
    const std::string key = entry.first.Scalar();
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    base::fail(Status::kParse, position(document_->path, entry.first.Mark()), ": \"", key, "\" is not a key of ",
               name_.empty() ? "the document" : "\"" + name_ + "\"", suggestion(key, keys));
  }
}

std::vector<std::pair<std::string, YamlNode>> YamlNode::entries() const {
  require_map();
  std::vector<std::pair<std::string, YamlNode>> entries;
  for (const auto& entry : *node_) {
    const std::string key = entry.first.Scalar();
    document_->read.insert(entry.second.Mark().pos);
    entries.emplace_back(key, child(entry.second, key));
  }
  return entries;
}

std::vector<YamlNode> YamlNode::items() const {
  if (!node_->IsSequence()) expected("a list");
  std::vector<YamlNode> items;
  for (const auto& each : *node_) {
    document_->read.insert(each.Mark().pos);
    items.push_back(item(each, items.size()));
  }
  return items;
}

std::string YamlNode::as_string() const {
  if (!node_->IsScalar()) expected("a string");
  return node_->Scalar();
}

double YamlNode::as_number() const {
  if (!node_->IsScalar()) expected("a number");
  std::string_view text = node_->Scalar();
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    fail("is \"" + node_->Scalar() + "\", expected a number");
  }
  return value;
}

int64_t YamlNode::as_integer() const {
  if (!node_->IsScalar()) expected("an integer");
  const std::string& text = node_->Scalar();
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) fail("is \"" + text + "\", expected an integer");
  return value;
}

bool YamlNode::as_bool() const {
  bool value = false;
  if (!node_->IsScalar() || !YAML::convert<bool>::decode(*node_, value)) expected("true or false");
  return value;
}

bool YamlNode::is_map() const { return node_->IsMap(); }
bool YamlNode::is_list() const { return node_->IsSequence(); }
bool YamlNode::is_null() const { return node_->IsNull(); }
bool YamlNode::is_quoted() const { return node_->IsScalar() && node_->Tag() == "!"; }
bool YamlNode::is_scalar() const { return node_->IsScalar(); }

YamlNode parse_yaml(std::string_view text, const std::string& path) {
  try {
    std::string copy(text);
    hide_version(copy);
    check_single_document(copy, path);
    const YAML::Node root = YAML::Load(copy);
    int values = 0;
    check_tree(root, path, 0, values);
    auto document = std::make_shared<YamlNode::Document>(path);
    return YamlNode(std::move(document), std::make_shared<const YAML::Node>(root), "", "");
  } catch (const YAML::Exception& error) {
    fail(Status::kParse, position(path, error.mark), ": ", error.msg);
  }
}

YamlNode read_yaml_file(const std::string& path) {
  const FileContents file(path);
  return parse_yaml(file.text(), path);
}

}  // namespace vsr::base
