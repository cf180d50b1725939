#include "routing/request/request_members.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/characters.h"
#include "base/checkpoint.h"
#include "base/error.h"
#include "routing/request/param_names.h"

namespace vsr::routing {
namespace {

using base::Status;
using Kind = JsonNode::Kind;

}  // namespace

KnownMembers::KnownMembers(const JsonNode& object, std::string path, std::initializer_list<std::string_view> names)
    : path_(std::move(path)) {
  for (const std::string_view name : names) members_.push_back({name, nullptr});
  base::Checkpoint checkpoint;
  for (const JsonNode& child : object.children()) {
    checkpoint.add(members_.size());
    for (Member& member : members_) {
      if (!same_param(child.key, member.name)) continue;
      if (child.key != member.name)
        base::fail(Status::kParse, "request: ", path_of(child.key), " differs from \"", member.name, "\" only in case");
      if (member.node) base::fail(Status::kParse, "request: ", path_of(member.name), " is given twice");
      member.node = &child;
    }
  }
}

const JsonNode* KnownMembers::operator[](std::string_view name) const {
  const auto member = std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.name == name; });
  if (member == members_.end() || !member->node || member->node->is(Kind::kNull)) return nullptr;
  return member->node;
}

const JsonNode* KnownMembers::typed(std::string_view name, Kind kind, std::string_view expected) const {
  const JsonNode* node = (*this)[name];
  if (node && !node->is(kind)) fail_json_type(*node, path_of(name), expected);
  return node;
}

const JsonNode* KnownMembers::array(std::string_view name) const { return typed(name, Kind::kArray, "an array"); }
const JsonNode* KnownMembers::object(std::string_view name) const { return typed(name, Kind::kObject, "an object"); }

std::string_view KnownMembers::string(std::string_view name) const {
  const JsonNode* node = typed(name, Kind::kString, "a string");
  return node ? node->text : std::string_view();
}

bool KnownMembers::boolean(std::string_view name) const {
  const JsonNode* node = typed(name, Kind::kBool, "true or false");
  return node && node->text == "true";
}

int64_t json_integer(const JsonNode& node, const std::string& path) {
  if (!node.is(Kind::kNumber)) fail_json_type(node, path, "an integer");
  const char* const end = node.text.data() + node.text.size();
  int64_t integer = 0;
  if (const auto read = std::from_chars(node.text.data(), end, integer); read.ec == std::errc() && read.ptr == end)
    return integer;
  double value = 0;
  if (std::from_chars(node.text.data(), end, value).ec != std::errc())
    base::fail(Status::kParse, "request: ", path, " is ", shown(node.text), ", out of range");
  if (value != std::trunc(value))
    base::fail(Status::kParse, "request: ", path, " is ", shown(node.text), ", expected an integer");
  constexpr double kTop = 9223372036854775808.0;  // 2^63
  if (value >= kTop) return std::numeric_limits<int64_t>::max();
  return value < -kTop ? std::numeric_limits<int64_t>::min() : static_cast<int64_t>(value);
}

std::string element_path(std::string_view array, size_t index) {
  return std::string(array) + "[" + std::to_string(index) + "]";
}

size_t count_children(const JsonNode* node) {
  size_t children = 0;
  if (node) {
    for (auto at = node->children().begin(); at != node->children().end(); ++at) ++children;
  }
  return children;
}

std::string shown(std::string_view text) {
  constexpr size_t kMost = 48;
  if (text.size() <= kMost) return std::string(text);
  const size_t end = base::floor_boundary(text, kMost);  // not inside a character
  return std::string(text.substr(0, end)) + "...";
}

void fail_json_type(const JsonNode& node, const std::string& path, std::string_view expected) {
  base::fail(Status::kParse, "request: ", path, " is ", node.kind_name(), ", expected ", expected);
}

}  // namespace vsr::routing
