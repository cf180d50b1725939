// What a stream keeps of bodies that never end, by counting what is allocated.
#include <malloc.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>
#include <string>

#include "guard/fact_set.h"
#include "guard/stream/stream.h"

using namespace vsr::guard;

namespace {

std::atomic<size_t> live{0}, most{0};

void* counted(size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  const size_t now = live.fetch_add(malloc_usable_size(memory)) + malloc_usable_size(memory);
  size_t before = most.load();
  while (now > before && !most.compare_exchange_weak(before, now)) continue;
  return memory;
}
void uncounted(void* memory) noexcept {
  if (memory == nullptr) return;
  live.fetch_sub(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(size_t size) { return counted(size); }
void* operator new[](size_t size) { return counted(size); }
void operator delete(void* memory) noexcept { uncounted(memory); }
void operator delete[](void* memory) noexcept { uncounted(memory); }
void operator delete(void* memory, size_t) noexcept { uncounted(memory); }
void operator delete[](void* memory, size_t) noexcept { uncounted(memory); }

namespace {

constexpr size_t kMiB = size_t{1} << 20;

// The most that a stream has at a time while it takes `begin`, and then `again` until `size` bytes were fed.
size_t peak(StreamOptions options, const std::string& begin, const std::string& again, size_t size, bool* overloaded) {
  static const auto facts = FactSet::make(std::vector<std::string_view>{"The rent is GBP 1,350."}, nullptr, {});
  options.event_bytes = 64 << 10;
  options.hold_bytes = 64 << 10;
  options.body_bytes = 256 << 10;
  const size_t before = live.load();
  most = before;
  {
    Stream stream(facts, options);
    *overloaded = stream.feed(begin).overloaded;
    for (size_t fed = 0; fed < size; fed += again.size()) {
      const StreamStep step = stream.feed(again);
      *overloaded |= step.overloaded;
      if (step.ended) break;
    }
    *overloaded |= stream.finish().overloaded;
  }
  CHECK(live.load() <= before + 4096);
  return most.load() - before;
}

}  // namespace

TEST_CASE("stream memory: endless lines, events, texts and bodies are kept in bounds", "[guard]") {
  struct Case {
    const char* name;
    std::string begin, again;
    size_t size;
    bool must_flag;
  };
  const std::string many(16 << 10, 'x');
  std::string open;
  for (int i = 0; i < 8192; ++i) open += "[{\"a\":";
  const Case cases[] = {
      {"a line without end", "data: ", many, 6 * kMiB, true},
      {"an event of many lines", "data: {\n", "data: \"" + many + "\",\n", 6 * kMiB, true},
      {"comments", ": hi\n", ": " + many + "\n", 6 * kMiB, false},
      {"a nested event", "data: ", "data: " + open + "\n\n", 1 * kMiB, true},
      {"a body without end", "{\"choices\":[\"", many, 6 * kMiB, true},
      {"a nested body", "{\"a\":", open, 1 * kMiB, true},
      {"a text without a sentence", "x ", many, 1 * kMiB, false},
      {"a text of digits", "1", std::string(16 << 10, '1'), 1 * kMiB, false},
      {"a text that is no UTF-8", "x ", std::string(16 << 10, '\xE2'), 1 * kMiB, false},
      {"events of unknown kinds", "data: {}\n\n", "data: {\"type\":\"" + many + "\"}\n\n", 4 * kMiB, false},
  };
  for (const Case& one : cases) {
    for (const Policy policy : {Policy::kObserve, Policy::kWarn, Policy::kReplace}) {
      CAPTURE(one.name, static_cast<int>(policy));
      bool overloaded = false;
      const size_t bytes = peak({.policy = policy, .pii = true}, one.begin, one.again, one.size, &overloaded);
      CHECK(bytes < 6 * kMiB);
      if (one.must_flag) CHECK(overloaded);
    }
  }
}
