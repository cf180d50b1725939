#include "routing/request/request_json.h"

#include <simdjson.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/checkpoint.h"
#include "base/error.h"
#include "routing/request/request_text.h"

namespace vsr::routing {
namespace {

using base::Status;
using Kind = JsonNode::Kind;
namespace ondemand = simdjson::ondemand;

constexpr std::string_view kSpace = " \t\r\n";
constexpr size_t kWorthCounting = size_t{1} << 20;  // bytes

std::string_view trim_end(std::string_view text) { return text.substr(0, text.find_last_not_of(kSpace) + 1); }

size_t skip_digits(std::string_view text, size_t at) {
  const size_t end = text.find_first_not_of("0123456789", at);
  return end == std::string_view::npos ? text.size() : end;
}

// RFC 8259, section 6. Numbers that only pass through may be of any size, so they are checked and not converted.
bool is_number(std::string_view text) {
  size_t at = text.starts_with('-') ? 1 : 0;
  const size_t integer = at;
  at = skip_digits(text, at);
  if (at == integer || (text[integer] == '0' && at > integer + 1)) return false;
  if (at < text.size() && text[at] == '.') {
    const size_t fraction = at + 1;
    at = skip_digits(text, fraction);
    if (at == fraction) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const size_t exponent = at;
    at = skip_digits(text, exponent);
    if (at == exponent) return false;
  }
  return at == text.size();
}

// Finds the byte at which a document stops being JSON, which simdjson does not tell.
class ErrorFinder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) override {
    position_ = position == 0 ? 0 : position - 1;
    return false;
  }
  // npos when this parser sees no error.
  size_t position() const { return position_; }

 private:
  size_t position_ = std::string_view::npos;
};

// Characters for a parser that is not told of the call's end otherwise.
class PolledCharacters {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  explicit PolledCharacters(const char* at) : at_(at) {}
  const char& operator*() const { return *at_; }
  PolledCharacters& operator++() {
    ++at_;
    checkpoint_.add(1);
    return *this;
  }
  bool operator==(const PolledCharacters& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  base::Checkpoint checkpoint_;
};

[[noreturn]] void fail_syntax(const RequestText& text) {
  const std::string_view view = text.view();
  ErrorFinder finder;
  nlohmann::json::sax_parse(PolledCharacters(view.data()), PolledCharacters(view.data() + view.size()), &finder);
  // It takes a NUL for the end.
  const size_t found = finder.position() == std::string_view::npos ? view.find('\0') : finder.position();
  const size_t byte = std::min(found, view.size());
  const std::string_view before = view.substr(0, byte);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t column = byte - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0: the first line
  base::fail(Status::kParse, "request: not valid JSON at byte ", text.to_original(byte), " (line ", line, ", column ",
             column, ")");
}

[[noreturn]] void fail_values(size_t most, size_t bytes) {
  base::fail(Status::kLimit, "request: more than ", most, " JSON values in ", bytes, " bytes");
}

// Visits every value, since On-Demand parsing checks only what is visited.
class Walker {
 public:
  Walker(const RequestText& text, ondemand::document& document, std::vector<JsonNode>& nodes)
      : text_(text), document_(document), nodes_(nodes) {}

  void root() {
    ondemand::object object = document_.get_object();
    const std::string_view all = trim_end(text_.view());
    const size_t index = open(Kind::kObject, all.find_first_not_of(kSpace));
    members(object, 1);
    if (document_.current_location().error() == simdjson::SUCCESS) throw simdjson::simdjson_error(simdjson::TAPE_ERROR);
    close(index, all.size());
  }

 private:
  void value(ondemand::value value, size_t depth, size_t key_begin, std::string_view key) {
    if (depth > RequestJson::kMaxDepth)
      base::fail(Status::kLimit, "request: nested deeper than ", RequestJson::kMaxDepth, " levels");
    const std::string_view token = trim_end(value.raw_json_token());
    const size_t begin = position(token.data());
    const size_t index = open(Kind::kNull, begin);
    nodes_[index].key_begin = text_.to_original(key_begin);
    nodes_[index].key = key;
    switch (value.type()) {
      case ondemand::json_type::object:
        nodes_[index].kind = Kind::kObject;
        members(value.get_object(), depth);
        return close(index, container_end());
      case ondemand::json_type::array:
        nodes_[index].kind = Kind::kArray;
        for (ondemand::value element : value.get_array()) this->value(element, depth + 1, 0, {});
        return close(index, container_end());
      case ondemand::json_type::string:
        nodes_[index].kind = Kind::kString;
        nodes_[index].text = characters(value, token);
        break;
      case ondemand::json_type::number:
        if (!is_number(token)) throw simdjson::simdjson_error(simdjson::NUMBER_ERROR);
        nodes_[index].kind = Kind::kNumber;
        break;
      case ondemand::json_type::boolean:
        static_cast<void>(bool(value.get_bool()));
        nodes_[index].kind = Kind::kBool;
        break;
      case ondemand::json_type::null:
        static_cast<void>(bool(value.is_null()));
        break;
    }
    close(index, begin + token.size());
  }

  void members(ondemand::object object, size_t depth) {
    for (ondemand::field field : object) {
      const size_t key_begin = position(field.key().raw()) - 1;
      const std::string_view key = field.unescaped_key();
      value(field.value(), depth + 1, key_begin, key);
    }
  }

  // A string must be taken, not only looked at: what is left for the iterator to skip may pass for a key.
  static std::string_view characters(ondemand::value& value, std::string_view token) {
    const std::string_view inside = token.substr(1, token.size() - 2);
    if (inside.find('\\') != std::string_view::npos) return value.get_string();
    static_cast<void>(ondemand::raw_json_string(value.get_raw_json_string()));
    return inside;
  }

  size_t position(const char* byte) const { return static_cast<size_t>(byte - text_.view().data()); }

  // The parser is at the token after the container, a comma or the parent's end.
  size_t container_end() { return trim_end(text_.view().substr(0, position(document_.current_location()))).size(); }

  size_t open(Kind kind, size_t begin) {
    checkpoint_(begin);
    if (nodes_.size() == most_values_) fail_values(most_values_, text_.view().size());
    nodes_.push_back({.kind = kind, .begin = begin});
    return nodes_.size() - 1;
  }

  void close(size_t index, size_t end) {
    JsonNode& node = nodes_[index];
    node.nodes = static_cast<uint32_t>(nodes_.size() - index);
    if (!node.is(Kind::kString)) node.text = text_.view().substr(node.begin, end - node.begin);
    node.begin = text_.to_original(node.begin);
    node.end = text_.to_original(end);
  }

  const RequestText& text_;
  ondemand::document& document_;
  std::vector<JsonNode>& nodes_;
  const size_t most_values_ = RequestJson::most_values(text_.view().size());
  base::Checkpoint checkpoint_;
};

// After the closing quote of the string whose characters begin at `at`, or where the text ends.
size_t string_end(std::string_view text, size_t at) {
  for (;;) {
    const size_t quote = text.find('"', at);
    if (quote == std::string_view::npos) return text.size();
    size_t escapes = 0;  // backslashes in front of it, of which two are one character
    while (quote - escapes > at && text[quote - escapes - 1] == '\\') ++escapes;
    at = quote + 1;
    if (escapes % 2 == 0) return at;
  }
}

// As many as a valid document has. simdjson indexes a document in one go, which takes long for one that is dense with
// values: so they are counted before, and no more of them than are allowed.
size_t count_values(std::string_view text) {
  constexpr size_t kMarksPerValue = 5;  // , "key" : [ ]
  const size_t most = RequestJson::most_values(text.size());
  base::Checkpoint checkpoint;
  size_t values = 1, marks = 0;
  bool between = true;  // no word or number has begun
  bool opened = false;  // a container of which nothing was seen
  for (size_t at = 0; at < text.size();) {
    checkpoint(at);
    const char c = text[at++];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      between = true;
      continue;
    }
    if (c == '"') at = string_end(text, at);
    const bool closes = c == ']' || c == '}', opens = c == '[' || c == '{';
    const bool is_mark = c == ',' || c == ':' || closes || opens;
    values += c == ',' || (opened && !closes);
    marks += is_mark || between;
    between = is_mark || c == '"';
    opened = opens;
    if (values > most || marks > kMarksPerValue * most) fail_values(most, text.size());
  }
  return values;
}

}  // namespace

struct RequestJson::Storage {
  explicit Storage(std::string_view body) : text(body, simdjson::SIMDJSON_PADDING) {}
  RequestText text;
  ondemand::parser parser;  // holds the strings that had escapes
};

RequestJson::RequestJson(std::string_view body) {
  if (body.size() > kMaxBytes)
    base::fail(Status::kLimit, "request: ", body.size(), " bytes, expected at most ", kMaxBytes);
  storage_ = std::make_unique<Storage>(body);
  const RequestText& text = storage_->text;
  if (trim_end(text.view()).empty()) base::fail(Status::kParse, "request: empty, expected JSON");
  if (text.view().starts_with("\xEF\xBB\xBF"))
    base::fail(Status::kParse, "request: begins with a byte order mark, which JSON does not allow");
  replaced_bytes_ = text.replaced_bytes();
  try {
    const std::string_view view = text.view();
    // A growing list takes room for two.
    if (view.size() > kWorthCounting) nodes_.reserve(count_values(view));
    base::check_thread_limits();
    ondemand::document document =
        storage_->parser.iterate(simdjson::padded_string_view(view, view.size() + simdjson::SIMDJSON_PADDING));
    Walker(text, document, nodes_).root();
  } catch (const simdjson::simdjson_error& error) {
    if (error.error() == simdjson::MEMALLOC) throw std::bad_alloc();
    if (text.view()[text.view().find_first_not_of(kSpace)] != '{')
      base::fail(Status::kParse, "request: the body is not a JSON object");
    fail_syntax(text);
  }
}

RequestJson::~RequestJson() = default;
RequestJson::RequestJson(RequestJson&&) noexcept = default;
RequestJson& RequestJson::operator=(RequestJson&&) noexcept = default;

std::string_view JsonNode::kind_name() const {
  switch (kind) {
    case Kind::kObject:
      return "an object";
    case Kind::kArray:
      return "an array";
    case Kind::kString:
      return "a string";
    case Kind::kNumber:
      return "a number";
    case Kind::kBool:
      return "a boolean";
    case Kind::kNull:
      break;
  }
  return "null";
}

const JsonNode* JsonNode::find(std::string_view name) const {
  const JsonNode* found = nullptr;
  if (!is(Kind::kObject)) return found;
  for (const JsonNode& child : children()) {
    if (child.key == name) found = &child;
  }
  return found;
}

}  // namespace vsr::routing
