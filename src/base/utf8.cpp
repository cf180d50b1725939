#include "base/utf8.h"

namespace vsr::base {
namespace {

struct LeadByte {
  uint8_t size;  // bytes of the sequence; 0: never a lead byte
  uint8_t low, high;  // bounds of the second byte, which rule out overlong forms, surrogates and more than U+10FFFF
};

LeadByte classify_lead(uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

Decoded decode_utf8(std::string_view text) {
  const auto byte_at = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte_at(0);
  if (first < 0x80) return {first, 1, true};
  const LeadByte lead = classify_lead(first);
  if (lead.size == 0) return {kReplacement, 1, false};
  char32_t code_point = first & (0x7F >> lead.size);
  for (uint8_t i = 1; i < lead.size; ++i) {
    const uint8_t low = i == 1 ? lead.low : 0x80;
    const uint8_t high = i == 1 ? lead.high : 0xBF;
    if (i >= text.size() || byte_at(i) < low || byte_at(i) > high) return {kReplacement, i, false};
    code_point = (code_point << 6) | (byte_at(i) & 0x3F);
  }
  return {code_point, lead.size, true};
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto put = [&](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | (code_point >> 6));
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | (code_point >> 12));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | (code_point >> 18));
    put(0x80 | ((code_point >> 12) & 0x3F));
    put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

CleanText::CleanText(std::string_view text) : original_(text) {
  size_t position = 0;
  while (position < text.size()) {
    const Decoded next = decode_utf8(text.substr(position));
    if (!next.valid) break;
    position += next.size;
  }
  if (position == text.size()) return;

  repaired_.assign(text.substr(0, position));
  for (size_t i = 0; i < position; ++i) map_.push_back(i);
  while (position < text.size()) {
    const Decoded next = decode_utf8(text.substr(position));
    if (!next.valid) replaced_bytes_ += next.size;
    append_utf8(repaired_, next.code_point);
    map_.resize(repaired_.size(), position);
    position += next.size;
  }
  map_.push_back(position);
}

}  // namespace vsr::base
