#include "guard/mask/placeholders.h"

#include <sodium/randombytes.h>
#include <sodium/utils.h>

#include <utility>

#include "base/blake2b.h"
#include "base/error.h"

namespace vsr::guard {
namespace {

constexpr size_t kKeyBytes = 32;
constexpr size_t kMostRounds = 64;

bool is_type(char c) { return (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_letter(char c) { return c >= 'a' && c <= 'p'; }

// As it is in a placeholder: capitals and underscores.
std::string shown_type(std::string_view type) {
  std::string shown;
  for (char c : type) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    shown += is_type(c) ? c : '_';
    if (shown.size() == Placeholders::kMostType) break;
  }
  const bool has_letter = shown.find_first_not_of('_') != std::string::npos;
  return has_letter ? shown : "DATA";
}

std::string random_key() {
  std::string key(kKeyBytes, '\0');
  ::randombytes_buf(key.data(), key.size());
  return key;
}

}  // namespace

Placeholders::Placeholders(std::string key, std::string tenant)
    : key_(key.empty() ? random_key() : std::move(key)), tenant_(std::move(tenant)) {}

std::string Placeholders::letters(std::string_view type, std::string_view value, size_t round) const {
  base::Blake2b digest;
  digest.add_text("vsr mask 1");
  digest.add_text(key_);
  digest.add_text(tenant_);
  digest.add_text(type);
  digest.add_text(value);
  digest.add_number(round);
  const std::string bytes = digest.finish();
  std::string letters;
  for (size_t i = 0; i < kLetters; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i / 2]);
    letters += static_cast<char>('a' + (i % 2 == 0 ? byte >> 4 : byte & 15));
  }
  return letters;
}

std::string Placeholders::of(std::string_view type, std::string_view value) {
  const std::string shown = shown_type(type);
  const std::lock_guard lock(mutex_);
  // Two values of one placeholder would be restored as one; the next round's letters are another's.
  for (size_t round = 0; round < kMostRounds; ++round) {
    std::string placeholder = "[" + shown + "_" + letters(shown, value, round) + "]";
    const auto known = values_.find(placeholder);
    if (known != values_.end()) {
      if (known->second == value) return placeholder;
      continue;
    }
    if (values_.size() >= kMostValues || bytes_ + value.size() > kMostBytes) {
      base::fail(base::Status::kLimit, "mask: more than ", size_t{kMostValues}, " values, or ", size_t{kMostBytes},
                 " bytes of them");
    }
    bytes_ += value.size();
    values_.emplace(placeholder, value);
    return placeholder;
  }
  base::fail(base::Status::kInternal, "mask: no placeholder is free");
}

std::optional<std::string> Placeholders::value(std::string_view placeholder) const {
  const std::lock_guard lock(mutex_);
  const auto found = values_.find(placeholder);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

size_t Placeholders::size() const {
  const std::lock_guard lock(mutex_);
  return values_.size();
}

std::map<std::string, size_t> Placeholders::counts() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, size_t> counts;
  for (const auto& [placeholder, value] : values_) ++counts[placeholder.substr(1, placeholder.size() - kLetters - 3)];
  return counts;
}

void PlaceholderFinder::drop(char c) {
  open_.clear();
  state_ = State::kNone;
  if (c != '[') return;
  open_ = "[";
  type_size_ = 0;
  state_ = State::kType;
}

// Letters of the hash are small, those of the type are not: what comes after an underscore tells which begins.
bool PlaceholderFinder::take(char c) {
  switch (state_) {
    case State::kNone:
      drop(c);
      return false;
    case State::kType:
      if (is_type(c) && type_size_ <= Placeholders::kMostType) {
        open_ += c;
        ++type_size_;
      } else if (is_letter(c) && type_size_ > 1 && open_.back() == '_') {
        open_ += c;
        letters_ = 1;
        state_ = State::kLetters;
      } else {
        drop(c);
      }
      return false;
    case State::kLetters:
      if (letters_ < Placeholders::kLetters && is_letter(c)) {
        open_ += c;
        ++letters_;
        return false;
      }
      if (letters_ == Placeholders::kLetters && c == ']') {
        open_ += c;
        return true;
      }
      drop(c);
      return false;
  }
  return false;
}

}  // namespace vsr::guard
