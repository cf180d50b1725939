#include "engine/generate/text_stream.h"

#include <algorithm>
#include <string_view>

namespace vsr::engine {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr size_t kMostHeld = 64;  // tokens of bytes that make no character, after which they are passed on as they are

}  // namespace

std::string decode_generated(const text::Tokenizer& tokenizer, std::vector<int32_t> ids) {
  std::erase_if(ids, [&](int32_t id) { return static_cast<size_t>(id) >= tokenizer.vocab_size(); });
  return tokenizer.decode(ids, true);
}

std::string TextStream::add(int32_t id) {
  ids_.push_back(id);
  return piece(false);
}

std::string TextStream::finish() { return piece(true); }

std::string TextStream::piece(bool last) {
  const auto context_end = ids_.begin() + static_cast<ptrdiff_t>(context_);
  const std::string before = decode_generated(tokenizer_, {ids_.begin(), context_end});
  const std::string after = decode_generated(tokenizer_, ids_);
  if (after.size() <= before.size() || !after.starts_with(before)) return "";
  const bool held = ids_.size() - context_ < kMostHeld && !last;
  if (held && after.ends_with(kReplacement)) return "";
  ids_.erase(ids_.begin(), context_end);
  context_ = ids_.size();
  return after.substr(before.size());
}

}  // namespace vsr::engine
