#include "routing/request/request_text.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/characters.h"
#include "base/checkpoint.h"
#include "base/error.h"

namespace vsr::routing {
namespace {

constexpr size_t kEscapeSize = 6;  // \uXXXX

// The code unit of an escape \uXXXX at `position`, if there is one.
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

// By pieces, which end at characters, so that a call can end in between.
size_t well_formed_size(std::string_view bytes) {
  base::Checkpoint checkpoint;
  for (size_t begin = 0; begin < bytes.size();) {
    checkpoint(begin);
    size_t end = std::min(begin + (size_t{1} << 20), bytes.size());
    while (end < bytes.size() && end > begin && base::is_continuation(bytes[end])) --end;
    if (end == begin || !simdjson::validate_utf8(bytes.substr(begin, end - begin))) {
      return begin + base::well_formed_prefix(bytes.substr(begin));
    }
    begin = end;
  }
  return bytes.size();
}

base::RepairedText repaired(std::string_view bytes, size_t padding) {
  base::RepairedText text(bytes, well_formed_size(bytes), padding);
  if (text.replaced_bytes() > RequestText::kMaxRepairs)
    base::fail(base::Status::kLimit, "request: more than ", RequestText::kMaxRepairs, " bytes are not UTF-8");
  return text;
}

}  // namespace

RequestText::RequestText(std::string_view bytes, size_t padding) : text_(repaired(bytes, padding)), cursor_(text_) {
  repair_surrogates();
}

// Strict parsers refuse half a pair, but clients that cut strings by UTF-16 units write them.
void RequestText::repair_surrogates() {
  const std::string_view text = view();
  base::Checkpoint checkpoint;
  for (size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at)) {
    checkpoint(at);
    const std::optional<unsigned> unit = escaped_unit(text, at);
    if (!unit) {
      at += 2;  // whatever is escaped here, a second backslash above all
      continue;
    }
    const bool paired = is_high(*unit) && is_low(escaped_unit(text, at + kEscapeSize).value_or(0));
    if (!paired && (is_high(*unit) || is_low(*unit))) {
      text_.bytes().replace(at, kEscapeSize, "\\ufffd");
      replaced_escapes_ += kEscapeSize;
    }
    at += paired ? 2 * kEscapeSize : kEscapeSize;
  }
}

}  // namespace vsr::routing
