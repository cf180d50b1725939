#include "routing/request/context_view.h"

#include <set>

#include "base/blake2b.h"
#include "base/error.h"

namespace vsr::routing {
namespace {

void check(bool declared, const char* what, const std::string& name = {}) {
  if (declared) return;
  base::fail(base::Status::kInternal, what, name, " is read and no kind of signal or plugin declares it");
}

using Fields = std::map<std::string, std::string>;

const std::string* find(const Fields& fields, const std::string& name) {
  const auto found = fields.find(name);
  return found == fields.end() ? nullptr : &found->second;
}

void add_fields(base::Blake2b& digest, const std::set<std::string>& names, const Fields& fields) {
  digest.add_number(names.size());
  for (const std::string& name : names) {
    const std::string* value = find(fields, name);
    digest.add_text(name);
    digest.add_number(value != nullptr ? 1 : 0);
    if (value != nullptr) digest.add_text(*value);
  }
}

}  // namespace

const std::string& ContextView::user() const {
  check(reads_.user, "the user");
  return context_.user;
}

const std::vector<std::string>& ContextView::groups() const {
  check(reads_.groups, "the user's groups");
  return context_.groups;
}

const std::string* ContextView::header(const std::string& name) const {
  check(reads_.headers.contains(name), "header ", name);
  return find(context_.headers, name);
}

const std::string* ContextView::metadata(const std::string& key) const {
  check(reads_.metadata.contains(key), "metadata ", key);
  return find(context_.metadata, key);
}

void ContextView::add_to(base::Blake2b& digest) const {
  digest.add_number(reads_.user ? 1 : 0);
  if (reads_.user) digest.add_text(context_.user);
  // Rules ask whether a group is among them, so neither order nor repetition matters.
  const std::set<std::string> groups(context_.groups.begin(), context_.groups.end());
  digest.add_number(reads_.groups ? 1 + groups.size() : 0);
  if (reads_.groups) {
    for (const std::string& group : groups) digest.add_text(group);
  }
  add_fields(digest, reads_.headers, context_.headers);
  add_fields(digest, reads_.metadata, context_.metadata);
}

}  // namespace vsr::routing
