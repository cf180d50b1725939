#include "text/hf/normalizers/growth.h"

#include "base/error.h"

namespace vsr::text {
namespace {

constexpr size_t kMostGrowth = 16;    // the longest of Unicode's own decompositions takes 11 times its bytes
constexpr size_t kFreeGrowth = 1024;  // bytes, for texts of a few characters

}  // namespace

void check_growth(const NormalizedText& text, size_t size) {
  if (size <= kFreeGrowth) return;
  const size_t bytes = text.view().size();
  const size_t original = bytes == 0 ? 0 : text.source(bytes - 1).end - text.source(size_t{0}).begin;
  if (size > kFreeGrowth + kMostGrowth * original) {
    base::fail(base::Status::kLimit, "text: the tokenizer's normalizer makes more than ", kMostGrowth,
               " times as much of it");
  }
}

}  // namespace vsr::text
