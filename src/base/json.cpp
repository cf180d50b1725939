#include "base/json.h"

#include <algorithm>

#include "base/c_locale.h"
#include "base/error.h"
#include "base/file.h"

namespace vsr::base {
namespace {

using Node = JsonValue::Node;

constexpr size_t kMaxDepth = 128;

std::string join(const std::string& location, const std::string& key) {
  return location.empty() ? key : location + "." + key;
}

// Builds the document from parser events, which is what it takes to refuse duplicate keys and deep nesting.
class Builder : public nlohmann::json_sax<Node> {
 public:
  Builder(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  Node take() { return std::move(root_); }

  bool null() override { return place(nullptr); }
  bool boolean(bool value) override { return place(value); }
  bool number_integer(number_integer_t value) override { return place(value); }
  bool number_unsigned(number_unsigned_t value) override { return place(value); }
  bool number_float(number_float_t value, const string_t&) override { return place(value); }
  bool string(string_t& value) override { return place(std::move(value)); }
  bool binary(binary_t&) override { return false; }

  bool start_object(size_t) override { return open(Node::object()); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(Node::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    Node& object = *stack_.back();
    const auto [position, is_new] = object.get_ref<Node::object_t&>().emplace(value, nullptr);
    if (!is_new) fail(Status::kParse, path_, ": \"", join(location(), value), "\" is given twice");
    slot_ = &position->second;
    key_.swap(value);
    return true;
  }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) override {
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos)
      fail(Status::kParse, path_, ": empty, expected JSON");
    const size_t byte = std::min(position == 0 ? 0 : position - 1, text_.size());
    const std::string_view before = text_.substr(0, byte);
    const size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
    const size_t column = byte - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0: the first line
    fail(Status::kParse, path_, ": not valid JSON at byte ", byte, " (line ", line, ", column ", column, ")");
  }

 private:
  template <class Value>
  bool place(Value&& value) {
    put(Node(std::forward<Value>(value)));
    return true;
  }

  Node* put(Node&& value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (stack_.back()->is_array()) {
      auto& elements = stack_.back()->get_ref<Node::array_t&>();
      elements.push_back(std::move(value));
      return &elements.back();
    }
    *slot_ = std::move(value);
    return slot_;
  }

  // The parent cannot move while a child is open, so pointers into it stay valid until it is closed.
  bool open(Node&& value) {
    if (stack_.size() == kMaxDepth) fail(Status::kParse, path_, ": nested deeper than ", kMaxDepth, " levels");
    if (!stack_.empty()) keys_.push_back(step());
    stack_.push_back(put(std::move(value)));
    return true;
  }

  bool close() {
    stack_.pop_back();
    if (!keys_.empty()) keys_.pop_back();
    return true;
  }

  std::string step() const {
    const Node& parent = *stack_.back();
    return parent.is_array() ? "[" + std::to_string(parent.size()) + "]" : key_;
  }

  std::string location() const {
    std::string joined;
    for (const std::string& key : keys_) joined = key.starts_with('[') ? joined + key : join(joined, key);
    return joined;
  }

  std::string_view text_;
  const std::string& path_;
  Node root_;
  std::vector<Node*> stack_;
  std::vector<std::string> keys_;  // the way from the root to the open container
  std::string key_;
  Node* slot_ = nullptr;
};

}  // namespace

std::string_view JsonValue::kind() const {
  switch (node_->type()) {
    case Node::value_t::null:
      return "null";
    case Node::value_t::object:
      return "an object";
    case Node::value_t::array:
      return "an array";
    case Node::value_t::string:
      return "a string";
    case Node::value_t::boolean:
      return "a boolean";
    case Node::value_t::number_float:
      return "a fractional number";
    default:
      return "an integer";
  }
}

std::vector<JsonValue> JsonValue::items() const {
  if (!is_array()) expected("an array");
  std::vector<JsonValue> values;
  values.reserve(node_->size());
  for (const Node& node : *node_) {
    values.push_back(JsonValue(document_, &node, location_ + "[" + std::to_string(values.size()) + "]"));
  }
  return values;
}

void JsonValue::fail(std::string_view what) const {
  const std::string subject = location_.empty() ? "the document" : "\"" + location_ + "\"";
  base::fail(Status::kParse, document_->path, ": ", subject, " ", what);
}

void JsonValue::fail_unsupported(std::string_view what) const {
  const std::string subject = location_.empty() ? "the document" : "\"" + location_ + "\"";
  base::fail(Status::kUnsupported, document_->path, ": ", subject, " ", what);
}

JsonValue JsonValue::member(const std::string& key, const Node& node) const {
  return JsonValue(document_, &node, join(location_, key));
}

void JsonValue::expected(std::string_view what) const {
  fail("is " + std::string(kind()) + ", expected " + std::string(what));
}

JsonObject::JsonObject(const JsonValue& value) : JsonValue(value) {
  if (!is_object()) expected("an object");
}

bool JsonObject::contains(const std::string& key) const {
  const auto position = node_->find(key);
  return position != node_->end() && !position->is_null();
}

JsonValue JsonObject::at(const std::string& key) const {
  const auto position = node_->find(key);
  if (position == node_->end()) {
    base::fail(Status::kParse, path(), ": \"", join(location_, key), "\" is missing");
  }
  return member(key, *position);
}

std::vector<std::string> JsonObject::keys() const {
  std::vector<std::string> names;
  names.reserve(node_->size());
  for (const auto& [key, node] : node_->items()) names.push_back(key);
  return names;
}

JsonValue parse_json(std::string_view text, const std::string& path) {
  const CLocale plain;
  Builder builder(text, path);
  Node::sax_parse(text.begin(), text.end(), &builder);
  auto document = std::make_shared<JsonValue::Document>();
  document->path = path;
  document->root = builder.take();
  const Node* root = &document->root;
  return JsonValue(std::move(document), root, "");
}

JsonObject read_json_file(const std::string& path) { return JsonObject(parse_json(FileContents(path).text(), path)); }

}  // namespace vsr::base
