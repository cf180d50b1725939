#include "routing/request/request_headers.h"

#include <algorithm>
#include <string_view>

#include "base/ascii.h"
#include "base/error.h"

namespace vsr::routing {
namespace {

bool is_token_character(char c) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || kOthers.find(c) != std::string_view::npos;
}

std::string checked_name(std::string name) {
  name = base::ascii_lower(name);
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_token_character))
    base::fail(base::Status::kInvalidArgument, "header_mutation: \"", name, "\" is not a header's name");
  return name;
}

const std::string& checked_value(const std::string& name, const std::string& value) {
  const auto control = [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7F; };
  if (std::any_of(value.begin(), value.end(), control))
    base::fail(base::Status::kInvalidArgument, "header_mutation: the value of ", name, " holds a control character");
  return value;
}

void put(std::vector<HeaderChange>& changes, HeaderChange change) {
  const auto same = [&](const HeaderChange& other) { return other.name == change.name; };
  const auto earlier = std::find_if(changes.begin(), changes.end(), same);
  if (earlier == changes.end()) {
    changes.push_back(std::move(change));
  } else {
    *earlier = std::move(change);
  }
}

}  // namespace

std::vector<HeaderChange> plan_headers(const HeaderMutationPlugin& plugin, const ContextView& context) {
  using Kind = HeaderChange::Kind;
  std::vector<HeaderChange> changes;
  for (const auto& header : plugin.add) {
    const std::string name = checked_name(header.name);
    const std::string& value = checked_value(name, header.value);
    if (context.header(name) == nullptr) put(changes, {Kind::kSet, name, value});
  }
  for (const auto& header : plugin.update) {
    const std::string name = checked_name(header.name);
    put(changes, {Kind::kSet, name, checked_value(name, header.value)});
  }
  for (const std::string& name : plugin.remove) put(changes, {Kind::kRemove, checked_name(name)});
  return changes;
}

}  // namespace vsr::routing
