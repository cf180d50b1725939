#include "chat/jinja_rendering.h"

#include "base/error.h"

namespace vsr::chat::jinja {
namespace {

constexpr size_t kBytesPerProbe = 4;  // an entry of another name

// The place of an entry, or the end.
template <class Entries>
auto place_of(Entries& entries, std::string_view key, Rendering& rendering) {
  auto entry = entries.begin();
  for (; entry != entries.end(); ++entry) {
    rendering.bytes(kBytesPerProbe + (entry->first.size() == key.size() ? key.size() : 0));
    if (entry->first == key) break;
  }
  return entry;
}

}  // namespace

void Rendering::fail_spent(const char* what) { base::fail(base::Status::kLimit, "the template takes too many ", what); }

const Value* Rendering::find(const Dict& entries, std::string_view key) {
  const auto entry = place_of(entries, key, *this);
  return entry == entries.end() ? nullptr : &entry->second;
}

void Rendering::set(Dict& entries, std::string_view key, Value value) {
  const auto entry = place_of(entries, key, *this);
  if (entry != entries.end()) {
    entry->second = std::move(value);
  } else {
    text(key.size() + sizeof(Value));
    entries.emplace_back(key, std::move(value));
  }
}

}  // namespace vsr::chat::jinja
