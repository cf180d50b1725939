#include "text/sentencepiece/spm_normalizer.h"

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/utf8.h"

namespace vsr::text {
namespace {

constexpr std::string_view kSpaceMark = "\xE2\x96\x81";
// As many matches as the library looks at.
constexpr size_t kMaxRules = 32;
constexpr size_t kMaxSymbols = 64;

}  // namespace

SpmSymbols::SpmSymbols(const SpmModel& model) {
  std::vector<std::pair<std::string_view, int32_t>> entries = model.user_defined();
  if (!entries.empty()) trie_ = std::make_unique<const ByteTrie>(std::move(entries));
}

size_t SpmSymbols::match(std::string_view text) const {
  if (trie_ == nullptr) return 0;
  size_t longest = 0, found = 0;
  int32_t node = ByteTrie::kRoot;
  for (size_t i = 0; i < text.size() && found < kMaxSymbols;) {
    node = trie_->child(node, text[i++]);
    if (node == ByteTrie::kNone) break;
    if (trie_->value(node) == ByteTrie::kNone) continue;
    longest = i;
    ++found;
  }
  return longest;
}

SpmNormalizer::SpmNormalizer(const SpmNormalization& options, const SpmSymbols* symbols)
    : options_(options), symbols_(symbols), space_(options.escape_whitespaces ? kSpaceMark : " ") {}

// A symbol, what the longest rule makes of the front, or one character. Rules may end within a character, and what they
// give may not be UTF-8: the library goes on at the next byte, with U+FFFD.
SpmNormalizer::Step SpmNormalizer::step(std::string_view rest) const {
  if (symbols_ != nullptr) {
    const size_t length = symbols_->match(rest);
    if (length > 0) return {rest.substr(0, length), length};
  }
  Step step{{}, 0};
  if (options_.rules) {
    size_t found = 0;
    options_.rules->each_rule(rest, [&](size_t length, std::string_view replacement) {
      step = {replacement, length};
      return ++found < kMaxRules;
    });
    if (step.length > 0) return step;
  }
  const base::Decoded c = base::decode_utf8(rest);
  if (!c.valid) return {"\xEF\xBF\xBD", 1};
  return {rest.substr(0, c.size), c.size};
}

void SpmNormalizer::add_space(SpmText& out, size_t origin) const {
  out.text.append(space_);
  out.origins.insert(out.origins.end(), space_.size(), static_cast<uint32_t>(origin));
}

void SpmNormalizer::add(std::string_view replacement, SpmText& out, size_t origin) const {
  if (out.text.size() + 3 * replacement.size() > UINT32_MAX) {
    base::fail(base::Status::kLimit, "text: more than 4 GiB once normalized");
  }
  for (const char byte : replacement) {
    if (byte == ' ') {
      add_space(out, origin);
    } else {
      out.text.push_back(byte);
      out.origins.push_back(static_cast<uint32_t>(origin));
    }
  }
}

void SpmNormalizer::drop_trailing_spaces(SpmText& out, size_t& origin) const {
  while (out.text.ends_with(space_)) {
    const size_t size = out.text.size() - space_.size();
    origin = out.origins[size];
    out.text.resize(size);
    out.origins.resize(size);
  }
}

SpmText SpmNormalizer::normalize(std::string_view text) const {
  SpmText out;
  size_t at = 0;
  const bool drops = options_.remove_extra_whitespaces;
  while (drops && at < text.size()) {
    const Step next = step(text.substr(at));
    if (next.replacement != " ") break;
    at += next.length;
  }
  if (at == text.size()) return out;
  out.text.reserve(text.size() + text.size() / 2);
  out.origins.reserve(text.size() + text.size() / 2);
  if (options_.add_dummy_prefix && !options_.treat_whitespace_as_suffix) add_space(out, at);
  base::Checkpoint checkpoint(at);
  for (bool after_space = drops; at < text.size();) {
    checkpoint(at);
    const Step next = step(text.substr(at));
    std::string_view replacement = next.replacement;
    while (after_space && replacement.starts_with(' ')) replacement.remove_prefix(1);
    if (!replacement.empty()) {
      add(replacement, out, at);
      after_space = drops && replacement.ends_with(' ');
    }
    at += next.length;
  }
  if (drops) drop_trailing_spaces(out, at);
  if (options_.add_dummy_prefix && options_.treat_whitespace_as_suffix) add_space(out, at);
  out.origins.push_back(static_cast<uint32_t>(at));
  return out;
}

}  // namespace vsr::text
