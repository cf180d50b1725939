// What one rendering owns and what it may still cost: templates come with checkpoints, from anyone.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "base/call_limits.h"
#include "chat/jinja_value.h"

namespace vsr::chat::jinja {

// Everything that a template can repeat is charged before it is done, in proportion to its work and to the memory that
// it takes. Every charge throws kLimit when that is spent, kCancelled or kDeadline when the call is to end.
class Rendering {
 public:
  explicit Rendering(const base::CallLimits& limits) : limits_(limits) {}
  Rendering(const Rendering&) = delete;
  Rendering& operator=(const Rendering&) = delete;

  // Things done: statements, expressions, values that are compared.
  void step(size_t count = 1) { charge(steps_, count, count * kBytesPerStep, "steps"); }
  // Bytes that are read, compared or made.
  void bytes(size_t count) { charge(bytes_, count, count, "bytes"); }
  // Values, and the strings in them, that are made.
  void values(size_t count) { bytes(count * sizeof(Value)); }
  void text(size_t size) { bytes(kBytesPerString + size); }

  Value string(std::string made) {
    text(made.size());
    return Value(std::move(made));
  }
  Value string(std::string_view part) {
    text(part.size());
    return Value(part);
  }
  // Appends a string to a list that is being made.
  void append(List& items, std::string_view part) {
    text(part.size() + sizeof(Value));
    items.emplace_back(part);
  }
  // Looks an entry up; null where there is none.
  const Value* find(const Dict& entries, std::string_view key);
  // Adds an entry, or puts `value` into the place of the one of that name.
  void set(Dict& entries, std::string_view key, Value value);
  // It lives as long as the rendering, so that namespaces may hold each other.
  Value make_namespace(Dict fields) { return Value(&namespaces_.emplace_back(Namespace{std::move(fields)})); }

 private:
  static constexpr size_t kBytesPerStep = 64;
  static constexpr size_t kBytesPerString = 64;  // beside its characters
  static constexpr size_t kBytesPerPoll = size_t{256} << 10;

  // Takes `count` from `left`; it counts as `work` bytes of work.
  void charge(size_t& left, size_t count, size_t work, const char* what) {
    if (count > left) fail_spent(what);
    left -= count;
    unpolled_ += work;
    if (unpolled_ < kBytesPerPoll) return;
    unpolled_ = 0;
    limits_.check();
  }
  [[noreturn]] static void fail_spent(const char* what);

  const base::CallLimits& limits_;
  size_t steps_ = 2'000'000;
  size_t bytes_ = size_t{256} << 20;
  size_t unpolled_ = 0;
  std::deque<Namespace> namespaces_;
};

}  // namespace vsr::chat::jinja
