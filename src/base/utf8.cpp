#include "base/utf8.h"

#include <algorithm>
#include <cstring>

#include "base/checkpoint.h"

namespace vsr::base {
namespace {

struct LeadByte {
  uint8_t size;       // bytes of the sequence; 0: never a lead byte
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

size_t ascii_prefix(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= text.size(); at += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  return at;
}

size_t well_formed_prefix(std::string_view text) {
  Checkpoint checkpoint;
  size_t at = 0;
  while (at < text.size()) {
    checkpoint(at);
    at += ascii_prefix(text.substr(at, Checkpoint::kStride));
    if (at == text.size()) break;
    const Decoded next = decode_utf8(text.substr(at));
    if (!next.valid) break;
    at += next.size;
  }
  return at;
}

namespace {

constexpr size_t kPlaceStride = 1024;
constexpr size_t kReplacementSize = 3;  // U+FFFD in UTF-8

struct RepairCount {
  size_t size = 0;      // of the repaired text
  size_t replaced = 0;  // bytes
};

RepairCount count_repairs(std::string_view text, size_t at) {
  Checkpoint checkpoint(at);
  RepairCount count{.size = at};
  while (at < text.size()) {
    checkpoint(at);
    const Decoded next = decode_utf8(text.substr(at));
    count.size += next.valid ? next.size : kReplacementSize;
    count.replaced += next.valid ? 0 : next.size;
    at += next.size;
  }
  return count;
}

}  // namespace

RepairedText::RepairedText(std::string_view original, size_t well_formed, size_t padding) : original_(original) {
  const RepairCount count = count_repairs(original, well_formed);
  size_ = count.size;
  replaced_bytes_ = count.replaced;
  text_.reserve(size_ + padding);
  repair(well_formed);
  text_.resize(size_ + padding);
}

void RepairedText::repair(size_t well_formed) {
  Checkpoint checkpoint;
  for (size_t done = 0; done < well_formed; done += Checkpoint::kStride) {
    checkpoint(done);
    text_.append(original_.substr(done, std::min(Checkpoint::kStride, well_formed - done)));
  }
  size_t at = well_formed;
  places_.push_back({at, at});
  while (at < original_.size()) {
    checkpoint(text_.size());
    if (text_.size() >= places_.back().position + kPlaceStride) places_.push_back({text_.size(), at});
    const Decoded next = decode_utf8(original_.substr(at));
    if (next.valid) {
      text_.append(original_.substr(at, next.size));
    } else {
      append_utf8(text_, kReplacement);
    }
    at += next.size;
  }
}

size_t RepairedText::Cursor::to_original(size_t position) {
  const std::vector<Place>& places = text_->places_;
  if (places.empty() || position <= places.front().position) return position;
  if (position < at_ || position - at_ > kPlaceStride) {
    const auto after = std::upper_bound(places.begin(), places.end(), position,
                                        [](size_t p, const Place& place) { return p < place.position; });
    at_ = std::prev(after)->position;
    original_ = std::prev(after)->original;
  }
  while (at_ < position) {
    const Decoded next = decode_utf8(text_->original_.substr(original_));
    at_ += next.valid ? next.size : kReplacementSize;
    original_ += next.size;
  }
  return original_;
}

CleanText::CleanText(std::string_view text) : original_(text) {
  const size_t well_formed = well_formed_prefix(text);
  is_clean_ = well_formed == text.size();
  if (!is_clean_) repaired_ = RepairedText(text, well_formed, 0);
}

}  // namespace vsr::base
