// The JSON body of a request as a tree in which every value knows its place in the bytes. Reading takes the values from
// it, rewriting the places.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::routing {

// One value. Values are in document order, so that a value's children follow it.
struct JsonNode {
  enum class Kind : uint8_t { kObject, kArray, kString, kNumber, kBool, kNull };
  Kind kind = Kind::kNull;
  uint32_t nodes = 1;          // in this value, itself included
  size_t key_begin = 0;        // of a member: the byte of its key's opening quote
  size_t begin = 0, end = 0;   // bytes of the value in the body as the client sent it
  std::string_view key = {};   // of a member, without escapes
  std::string_view text = {};  // a string's characters without escapes, valid UTF-8; of any other value its bytes

  bool is(Kind other) const { return kind == other; }
  // "a string", "an object", ...; for messages.
  std::string_view kind_name() const;

  class Iterator {
   public:
    explicit Iterator(const JsonNode* node) : node_(node) {}
    const JsonNode& operator*() const { return *node_; }
    Iterator& operator++() {
      node_ += node_->nodes;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const JsonNode* node_;
  };
  // Range over the members of an object or the elements of an array; nothing in other values.
  struct Children {
    const JsonNode* parent;
    Iterator begin() const { return Iterator(parent + 1); }
    Iterator end() const { return Iterator(parent + parent->nodes); }
    bool empty() const { return parent->nodes == 1; }
  };
  Children children() const { return {this}; }
  // The last member of that name, which is the one that most parsers keep; nullptr when there is none.
  const JsonNode* find(std::string_view name) const;
};

// Immutable once parsed. Views in its nodes live as long as it does; `body` itself need not.
class RequestJson {
 public:
  static constexpr size_t kMaxBytes = size_t{64} << 20;
  static constexpr size_t kMaxValues = size_t{1} << 20;
  // A body of that many bytes may hold: one value in eight bytes, which no chat comes near to, or a few in a short one.
  // It bounds the memory of the tree by that of the text.
  static constexpr size_t most_values(size_t bytes) {
    constexpr size_t kAlways = size_t{1} << 17, kBytesPerValue = 8;
    return std::min(std::max(kAlways, bytes / kBytesPerValue), kMaxValues);
  }
  static constexpr size_t kMaxDepth = 128;

  // Throws kParse for what is not one JSON object, naming the byte, and kLimit beyond the limits above. Bytes that are
  // not UTF-8 and escapes of half a surrogate pair are read as U+FFFD.
  explicit RequestJson(std::string_view body);
  ~RequestJson();
  RequestJson(RequestJson&&) noexcept;
  RequestJson& operator=(RequestJson&&) noexcept;

  const JsonNode& root() const { return nodes_.front(); }
  size_t replaced_bytes() const { return replaced_bytes_; }

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
  std::vector<JsonNode> nodes_;
  size_t replaced_bytes_ = 0;
};

}  // namespace vsr::routing
