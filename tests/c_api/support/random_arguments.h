// Arguments for calls, a few of them right, from a fixed seed.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "handles.h"

namespace vsr::test {

class RandomArguments {
 public:
  explicit RandomArguments(uint32_t seed) : random_(seed) {}

  size_t below(size_t n) { return random_() % n; }
  bool chance(size_t one_in) { return below(one_in) == 0; }

  vsr_str text() {
    static const std::string kTexts[] = {"",
                                         "where is my card?",
                                         std::string("nul\0inside", 10),
                                         "\xFF\xFE\x80",
                                         "\xF0\x9F\x98\x80 emoji \xE4\xB8\xAD\xE6\x96\x87",
                                         "\xED\xA0\x80surrogate",
                                         std::string(300, 'a'),
                                         "card card card card card card card card card card card card card"};
    if (chance(30)) return {nullptr, below(3)};
    if (chance(40)) return {"a", SIZE_MAX - below(3)};
    return str(kTexts[below(std::size(kTexts))]);
  }

  const vsr_str* texts() {
    if (chance(25)) return nullptr;
    texts_.clear();
    for (int i = 0; i < 4; ++i) texts_.push_back(text());
    return texts_.data();
  }
  size_t count() { return chance(15) ? SIZE_MAX - below(size_t{1} << 20) : below(5); }

  const char* name() {
    static const char* const kNames[] = {nullptr, nullptr, "", "bert-embedding", "bert-sequence", "x", "\xFF\n"};
    return kNames[below(std::size(kNames))];
  }
  int32_t number() {
    static const int32_t kNumbers[] = {0, 0, 0, 1, 2, 3, 8, 32, 33, -1, INT32_MAX, INT32_MIN};
    return kNumbers[below(std::size(kNumbers))];
  }
  uint32_t struct_size(size_t known) {
    static const uint32_t kSizes[] = {0, 1, 3, 4, 8, 16, 24, 0xFFFFFFFF};
    return chance(4) ? kSizes[below(std::size(kSizes))] : static_cast<uint32_t>(known);
  }

 private:
  std::mt19937 random_;
  std::vector<vsr_str> texts_;
};

// What a call may return whose header lists the usual statuses and `more`.
inline bool is_expected(vsr_status status, std::initializer_list<vsr_status> more = {}) {
  const std::initializer_list<vsr_status> usual = {
      VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_NOT_FOUND, VSR_ERR_UNSUPPORTED, VSR_ERR_LIMIT, VSR_ERR_STATE};
  return std::count(usual.begin(), usual.end(), status) + std::count(more.begin(), more.end(), status) > 0;
}

// A failure explains itself in one line; success says nothing.
inline void check_error(vsr_status status, const vsr_error& error) {
  if (status == VSR_OK) {
    REQUIRE(error.message[0] == '\0');
  } else {
    REQUIRE(error.code == status);
    REQUIRE(std::strlen(error.message) > 10);
    REQUIRE(std::strchr(error.message, '\n') == nullptr);
  }
}

}  // namespace vsr::test
