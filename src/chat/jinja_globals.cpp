#include "chat/jinja_globals.h"

#include <vector>

#include "base/error.h"
#include "base/utf8.h"
#include "chat/jinja_protocols.h"
#include "chat/jinja_rendering.h"

namespace vsr::chat::jinja {
namespace {

constexpr uint64_t kMaxRange = 100'000;  // the sandbox's own

// How many numbers lie between `start` and `stop`, which is not among them.
uint64_t range_size(int64_t start, int64_t stop, int64_t step) {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  // Of 64 bits without a sign, where no difference overflows.
  const auto first = static_cast<uint64_t>(start), last = static_cast<uint64_t>(stop);
  const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  return ((step > 0 ? last - first : first - last) - 1) / stride + 1;
}

Value range(const Arguments& given, Rendering& rendering) {
  std::vector<int64_t> numbers;
  for (const Value& value : given.positional) {
    if (!value.is_integer()) fail_type("range() takes ints");
    numbers.push_back(value.integer());
  }
  if (numbers.empty() || numbers.size() > 3 || !given.named.empty()) fail_type("range() takes one to three ints");
  const int64_t start = numbers.size() > 1 ? numbers[0] : 0;
  const int64_t stop = numbers.size() > 1 ? numbers[1] : numbers[0];
  const int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  if (step == 0) fail_type("range() with a step of 0");
  const uint64_t count = range_size(start, stop, step);
  if (count > kMaxRange) base::fail(base::Status::kLimit, "range() of more than ", kMaxRange, " numbers");
  rendering.values(count);
  List items;
  for (uint64_t i = 0; i < count; ++i) {
    items.emplace_back(static_cast<int64_t>(static_cast<uint64_t>(start) + i * static_cast<uint64_t>(step)));
  }
  return Value(std::move(items));
}

Value raise_exception(const Arguments& given, Rendering& rendering) {
  constexpr size_t kLongest = 1024;  // bytes of the template's own words
  std::string text = given.positional.empty() ? "" : to_text(given.positional.front(), rendering);
  if (text.size() > kLongest)
    text = text.substr(0, base::well_formed_prefix(std::string_view(text).substr(0, kLongest))) + "...";
  base::fail(base::Status::kInvalidArgument, "the template rejects the messages: ", text);
}

const Dict& named_only(const Arguments& given) {
  if (!given.positional.empty()) fail_unsupported("dict() or namespace() of a value without a name");
  return given.named;
}

}  // namespace

std::optional<Value> global(const std::string& name) {
  if (name == "range") return Value(Function{name, range});
  if (name == "raise_exception") return Value(Function{name, raise_exception});
  if (name == "namespace") {
    return Value(Function{name, [](auto& a, auto& r) { return r.make_namespace(named_only(a)); }});
  }
  if (name == "dict") return Value(Function{name, [](auto& a, auto&) { return Value(named_only(a)); }});
  if (name == "strftime_now" || name == "lipsum" || name == "cycler" || name == "joiner") {
    fail_unsupported("the function \"" + name + "\"");
  }
  return std::nullopt;
}

}  // namespace vsr::chat::jinja
