#include "routing/rewrite/request_headers.h"

#include <algorithm>

#include "base/ascii.h"

namespace vsr::routing {
namespace {

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
    const std::string name = base::ascii_lower(header.name);
    if (context.header(name) == nullptr) put(changes, {Kind::kSet, name, header.value});
  }
  for (const auto& header : plugin.update) put(changes, {Kind::kSet, base::ascii_lower(header.name), header.value});
  for (const std::string& name : plugin.remove) put(changes, {Kind::kRemove, base::ascii_lower(name)});
  return changes;
}

}  // namespace vsr::routing
