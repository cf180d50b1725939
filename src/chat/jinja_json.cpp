#include "chat/jinja_json.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "chat/jinja_protocols.h"

namespace vsr::chat::jinja {
namespace {

constexpr int64_t kMostIndent = 1000;

class Writer {
 public:
  Writer(int64_t indent, Rendering& rendering) : indent_(indent), rendering_(rendering) {}

  // Values that share parts are written as often as they are held: what is written is charged.
  void write(const Value& value, size_t depth) {
    rendering_.step();
    if (const auto* text = value.string()) {
      write_string(*text);
    } else if (const auto* items = value.list()) {
      write_items("[]", items->size(), depth, [&](size_t i) { write((*items)[i], depth + 1); });
    } else if (const auto* entries = value.dict()) {
      write_items("{}", entries->size(), depth, [&](size_t i) {
        write_string((*entries)[i].first);
        add(": ");
        write((*entries)[i].second, depth + 1);
      });
    } else if (value.is_none()) {
      add("null");
    } else if (value.is_bool()) {
      add(value.integer() != 0 ? "true" : "false");
    } else if (value.is_number()) {
      add(to_text(value, rendering_));
    } else {
      fail_type(std::string(value.type_name()) + " is nothing that tojson writes");
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void add(std::string_view text) {
    rendering_.bytes(text.size());
    out_ += text;
  }

  void write_string(std::string_view text) {
    constexpr std::array<std::pair<char, const char*>, 7> kShort{
        {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}, {'\f', "\\f"}, {'\b', "\\b"}}};
    constexpr size_t kMostBytes = 6;  // of a character that is escaped
    rendering_.bytes(2 + text.size() * kMostBytes);
    out_ += '"';
    for (const char c : text) {
      const auto found = std::find_if(kShort.begin(), kShort.end(), [c](const auto& one) { return one.first == c; });
      if (found != kShort.end()) {
        out_ += found->second;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        constexpr const char* kHex = "0123456789abcdef";
        out_ += "\\u00";
        out_ += kHex[c >> 4];
        out_ += kHex[c & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  void new_line(size_t levels) {
    if (indent_ < 0) return;
    const size_t spaces = static_cast<size_t>(indent_) * levels;
    rendering_.bytes(spaces + 1);
    out_ += '\n';
    out_.append(spaces, ' ');
  }

  // The elements of an array or object, each written by `write_one(i)`.
  template <class WriteOne>
  void write_items(std::string_view brackets, size_t count, size_t depth, WriteOne&& write_one) {
    add(brackets.substr(0, 1));
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) add(indent_ < 0 ? ", " : ",");
      new_line(depth + 1);
      write_one(i);
    }
    if (count > 0) new_line(depth);
    add(brackets.substr(1));
  }

  const int64_t indent_;
  Rendering& rendering_;
  std::string out_;
};

}  // namespace

std::string to_json(const Value& value, int64_t indent, Rendering& rendering) {
  if (indent > kMostIndent) fail_unsupported("tojson with an indent of more than 1000");
  Writer writer(indent, rendering);
  writer.write(value, 0);
  return writer.take();
}

}  // namespace vsr::chat::jinja
