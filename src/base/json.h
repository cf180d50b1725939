// JSON read from files that others wrote: every error names the file and the key, as in
// `config.json: "rope_parameters.layers[3].theta" is a string, expected a number`.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace vsr::base {

class JsonObject;

// A view of one value together with where it is. Keeps its document alive; cheap to copy.
class JsonValue {
 public:
  using Node = nlohmann::json;

  // "a string", "an integer", "an object", ...; for messages.
  std::string_view kind() const;
  bool is_null() const { return node_->is_null(); }
  bool is_string() const { return node_->is_string(); }
  bool is_object() const { return node_->is_object(); }
  bool is_array() const { return node_->is_array(); }
  bool is_bool() const { return node_->is_boolean(); }
  bool is_integer() const { return node_->is_number_integer(); }
  bool is_number() const { return node_->is_number(); }

  // T: bool, an integer type (checked against its range), float, double (an integer is a number too), std::string,
  // JsonValue, JsonObject, std::vector<T> or std::map<std::string, T> of these. Throws kParse. An integer beyond 64
  // bits (Python writes 10^30 for "no limit") is a double.
  template <class T>
  T as() const;

  // The elements of an array.
  std::vector<JsonValue> items() const;

  // The parsed value itself, for what is too large to be read through views.
  const Node& node() const { return *node_; }
  const std::string& path() const { return document_->path; }
  // "a.b[3].c", empty for the document.
  const std::string& location() const { return location_; }

  // Throws kParse (or `status`): `<path>: "<location>" <what>`.
  [[noreturn]] void fail(std::string_view what) const;
  [[noreturn]] void fail_unsupported(std::string_view what) const;

 protected:
  struct Document {
    std::string path;
    Node root;
  };
  JsonValue(std::shared_ptr<const Document> document, const Node* node, std::string location)
      : document_(std::move(document)), node_(node), location_(std::move(location)) {}

  JsonValue member(const std::string& key, const Node& node) const;
  [[noreturn]] void expected(std::string_view what) const;

  std::shared_ptr<const Document> document_;
  const Node* node_;
  std::string location_;

  friend class JsonObject;
  friend JsonValue parse_json(std::string_view text, const std::string& path);
};

class JsonObject : public JsonValue {
 public:
  // Throws kParse when `value` is not an object.
  explicit JsonObject(const JsonValue& value);

  // A key whose value is null counts as absent.
  bool contains(const std::string& key) const;

  // Throws kParse for an absent key as well as for a wrong type.
  template <class T>
  T required(const std::string& key) const {
    return at(key).template as<T>();
  }

  template <class T>
  T optional(const std::string& key, T otherwise) const {
    return contains(key) ? required<T>(key) : otherwise;
  }

  // Throws kParse when absent.
  JsonValue at(const std::string& key) const;
  std::vector<std::string> keys() const;
};

// Parses a whole document; `path` is what errors call it. Throws kParse for what is not JSON (naming the byte), for a
// key given twice, and for nesting deeper than 128 levels.
JsonValue parse_json(std::string_view text, const std::string& path);

// Reads a file whose document is an object. Throws kNotFound, kIo or kParse.
JsonObject read_json_file(const std::string& path);

namespace json_detail {
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<std::map<std::string, T>> : std::true_type {};
template <class>
inline constexpr bool kNever = false;
}  // namespace json_detail

template <class T>
T JsonValue::as() const {
  if constexpr (std::is_same_v<T, JsonValue>) {
    return *this;
  } else if constexpr (std::is_same_v<T, JsonObject>) {
    return JsonObject(*this);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!is_bool()) expected("true or false");
    return node_->get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    static_assert(sizeof(T) < 8 || std::is_signed_v<T>, "read sizes as int64_t and check them");
    if (!is_integer()) expected("an integer");
    const bool too_large = node_->is_number_unsigned() && node_->get<uint64_t>() > uint64_t{INT64_MAX};
    const int64_t value = too_large ? 0 : node_->get<int64_t>();
    if (too_large || value < int64_t{std::numeric_limits<T>::min()} || value > int64_t{std::numeric_limits<T>::max()}) {
      fail("is " + node_->dump() + ", out of range");
    }
    return static_cast<T>(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!is_number()) expected("a number");
    return node_->get<T>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!is_string()) expected("a string");
    return node_->get_ref<const std::string&>();
  } else if constexpr (json_detail::IsVector<T>::value) {
    T values;
    for (const JsonValue& item : items()) values.push_back(item.as<typename T::value_type>());
    return values;
  } else if constexpr (json_detail::IsMap<T>::value) {
    T values;
    const JsonObject object(*this);
    for (const auto& [key, node] : node_->items())
      values.emplace(key, object.member(key, node).template as<typename T::mapped_type>());
    return values;
  } else {
    static_assert(json_detail::kNever<T>, "no JSON reader for this type");
  }
}

}  // namespace vsr::base
