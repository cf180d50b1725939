// Typed reading of the members of a request's objects; errors name the member's path.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "routing/request/request_json.h"

namespace vsr::routing {

// The members of an object that routing reads. Refuses a name that occurs twice, and one that differs from a name
// only in case: servers disagree about which of the two they take, and what was scanned must be what the model gets.
class KnownMembers {
 public:
  // `path` names the object in messages; empty for the body. Throws kParse.
  KnownMembers(const JsonNode& object, std::string path, std::initializer_list<std::string_view> names);

  // The member's value; nullptr when absent or null. `name` must be one of `names`.
  const JsonNode* operator[](std::string_view name) const;
  std::string path_of(std::string_view name) const {
    return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
  }

  // These throw kParse for another type; absent and null give nullptr, "" or false.
  const JsonNode* array(std::string_view name) const;
  const JsonNode* object(std::string_view name) const;
  std::string_view string(std::string_view name) const;
  bool boolean(std::string_view name) const;

 private:
  const JsonNode* typed(std::string_view name, JsonNode::Kind kind, std::string_view expected) const;

  struct Member {
    std::string_view name;
    const JsonNode* node;
  };
  std::string path_;
  std::vector<Member> members_;
};

// A number's value as an integer: "8", "8.0" and "8e0" alike; beyond 64 bits the nearest one. Throws kParse for another
// type, for a fraction and for what no double holds; `path` names it.
int64_t json_integer(const JsonNode& node, const std::string& path);

// "messages" and 3 as "messages[3]".
std::string element_path(std::string_view array, size_t index);

// How many elements or members there are; of nullptr none.
size_t count_children(const JsonNode* node);

// Throws kParse: "request: <path> is <kind of node>, expected <expected>".
[[noreturn]] void fail_json_type(const JsonNode& node, const std::string& path, std::string_view expected);

// A key or number from a request for a message: long ones are cut.
std::string shown(std::string_view text);

}  // namespace vsr::routing
