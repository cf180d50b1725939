#include "routing/request/request_text.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/utf8.h"

namespace vsr::routing {
namespace {

constexpr size_t kEscapeSize = 6;  // \uXXXX

// The code unit of an escape \uXXXX at `position`, if one stands there.
std::optional<unsigned> escaped_unit(std::string_view text, size_t position) {
  const std::string_view escape = text.substr(std::min(position, text.size()), kEscapeSize);
  unsigned unit = 0;
  if (escape.size() < kEscapeSize || !escape.starts_with("\\u")) return std::nullopt;
  const auto [end, error] = std::from_chars(escape.data() + 2, escape.data() + kEscapeSize, unit, 16);
  if (error != std::errc() || end != escape.data() + kEscapeSize) return std::nullopt;
  return unit;
}

bool is_high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

}  // namespace

RequestText::RequestText(std::string_view bytes, size_t padding) {
  if (simdjson::validate_utf8(bytes)) {
    text_.reserve(bytes.size() + padding);
    text_ = bytes;
  } else {
    repair_utf8(bytes);
  }
  size_ = text_.size();
  text_.resize(size_ + padding);
  repair_surrogates();
}

void RequestText::repair_utf8(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const base::Decoded decoded = base::decode_utf8(bytes.substr(at));
    if (decoded.valid) {
      text_ += bytes.substr(at, decoded.size);
    } else {
      base::append_utf8(text_, base::kReplacement);
      replaced_bytes_ += decoded.size;
      shifts_.push_back({text_.size(), at + decoded.size});
      if (shifts_.size() > kMaxRepairs)
        base::fail(base::Status::kLimit, "request: more than ", kMaxRepairs, " parts are not UTF-8");
    }
    at += decoded.size;
  }
}

// Strict parsers refuse half a pair, but clients that cut strings by UTF-16 units write them.
void RequestText::repair_surrogates() {
  const std::string_view text = view();
  for (size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at)) {
    const std::optional<unsigned> unit = escaped_unit(text, at);
    if (!unit) {
      at += 2;  // whatever is escaped here, a second backslash above all
      continue;
    }
    const bool paired = is_high(*unit) && is_low(escaped_unit(text, at + kEscapeSize).value_or(0));
    if (!paired && (is_high(*unit) || is_low(*unit))) {
      text_.replace(at, kEscapeSize, "\\ufffd");
      replaced_bytes_ += kEscapeSize;
    }
    at += paired ? 2 * kEscapeSize : kEscapeSize;
  }
}

size_t RequestText::to_original(size_t position) const {
  const auto after = std::upper_bound(shifts_.begin(), shifts_.end(), position,
                                      [](size_t p, const Shift& shift) { return p < shift.position; });
  if (after == shifts_.begin()) return position;
  const Shift& shift = *std::prev(after);
  return shift.original + (position - shift.position);
}

}  // namespace vsr::routing
