#include "text/hf/added_tokens.h"

#include <algorithm>

#include "base/characters.h"
#include "base/checkpoint.h"
#include "base/error.h"
#include "base/utf8.h"
#include "text/tokens/specials_as_text.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

// Matching is linear in text times token length; this bounds the second.
constexpr size_t kMaxAddedTokenBytes = 4096;

char32_t last_character(std::string_view text) {
  const size_t begin = base::floor_boundary(text, text.size() - 1);
  return base::decode_utf8(text.substr(begin)).code_point;
}

bool ends_with_word(std::string_view text) {
  return !text.empty() && char_info(last_character(text)).in(kWordCharacter);
}

bool starts_with_word(std::string_view text) {
  return !text.empty() && char_info(base::decode_utf8(text).code_point).in(kWordCharacter);
}

// Where the white space before `end` begins, not before `front`.
size_t trailing_space_begin(std::string_view text, size_t end, size_t front) {
  while (end > front) {
    size_t begin = end - 1;
    while (begin > front && base::is_continuation(text[begin])) --begin;
    if (!char_info(base::decode_utf8(text.substr(begin)).code_point).in(kWhitespace)) break;
    end = begin;
  }
  return end;
}

size_t leading_space_end(std::string_view text, size_t begin) {
  while (begin < text.size()) {
    const base::Decoded c = base::decode_utf8(text.substr(begin));
    if (!char_info(c.code_point).in(kWhitespace)) break;
    begin += c.size;
  }
  return begin;
}

// It looks at what is around it, or holds a space after something else.
bool may_lie_across_space(const AddedToken& token, std::string_view pattern) {
  if (token.single_word || token.lstrip || token.rstrip) return true;
  for (size_t i = 1; i < pattern.size(); ++i) {
    if (pattern[i] == ' ' && pattern[i - 1] != ' ') return true;
  }
  return false;
}

// One character of ASCII, once or more often: no place within it is one between a letter and something else.
bool is_uniform(std::string_view pattern) {
  return pattern.find_first_not_of(pattern[0]) == std::string_view::npos &&
         static_cast<unsigned char>(pattern[0]) < 0x80;
}

AddedToken read_added_token(const base::JsonObject& json) {
  AddedToken token;
  token.content = json.required<std::string>("content");
  token.id = json.required<int32_t>("id");
  token.single_word = json.required<bool>("single_word");
  token.lstrip = json.required<bool>("lstrip");
  token.rstrip = json.required<bool>("rstrip");
  token.normalized = json.required<bool>("normalized");
  token.special = json.required<bool>("special");
  if (token.content.size() > kMaxAddedTokenBytes) {
    json.at("content").fail("has " + std::to_string(token.content.size()) + " bytes, at most 4096 are allowed");
  }
  return token;
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const Normalizer* normalizer, const std::string& path)
    : tokens_(std::move(tokens)) {
  std::array<std::vector<std::pair<std::string_view, int32_t>>, 2> entries;
  patterns_.reserve(tokens_.size());
  for (size_t i = 0; i < tokens_.size(); ++i) {
    const AddedToken& token = tokens_[i];
    NormalizedText text(token.content, 0);
    if (token.normalized && normalizer != nullptr) normalizer->normalize(text);
    patterns_.emplace_back(text.view());
    by_id_[token.id] = i;
    if (token.special) specials_[token.content] = true;
    if (patterns_.back().empty()) {
      base::fail(base::Status::kParse, path, ": the added token \"", token.content, "\" is empty once normalized");
    }
    entries[token.normalized].emplace_back(patterns_.back(), static_cast<int32_t>(i));
    if (!token.normalized) continue;
    cut_beside_spaces_ = cut_beside_spaces_ && !may_lie_across_space(token, patterns_.back());
    cut_beside_letters_ = cut_beside_letters_ && is_uniform(patterns_.back());
  }
  for (size_t which = 0; which < 2; ++which) {
    if (entries[which].empty()) continue;
    std::sort(entries[which].begin(), entries[which].end());
    for (size_t i = 0; i + 1 < entries[which].size(); ++i) {
      if (entries[which][i].first == entries[which][i + 1].first) {
        base::fail(base::Status::kParse, path, ": two added tokens read \"", entries[which][i].first, "\"");
      }
    }
    for (const auto& [pattern, index] : entries[which]) {
      const size_t first = static_cast<unsigned char>(pattern[0]);
      if (pattern.size() == 1) matchers_[which].single[first] = true;
      for (size_t second = 0; second < 256; ++second) {
        if (pattern.size() == 1 || static_cast<unsigned char>(pattern[1]) == second) {
          matchers_[which].starts.set(first << 8 | second);
        }
      }
    }
    matchers_[which].trie = std::make_unique<ByteTrie>(entries[which]);
  }
}

WordEnds AddedTokens::allowed(WordEnds ends) const {
  if (ends == WordEnds::kUnknown || !cut_beside_spaces_) return WordEnds::kUnknown;
  if (ends == WordEnds::kPunctuation && any(true)) return WordEnds::kSpaces;  // "--" may be a token
  return cut_beside_letters_ ? ends : WordEnds::kSpaces;
}

const AddedToken* AddedTokens::find(int32_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &tokens_[found->second];
}

const std::string& AddedTokens::decoded(const AddedToken& token) const {
  return patterns_[static_cast<size_t>(&token - tokens_.data())];
}

// The leftmost match, and there the longest.
bool AddedTokens::next_match(const Matcher& matcher, std::string_view text, size_t from, Match& match) const {
  base::Checkpoint checkpoint(from);
  for (size_t begin = from; begin < text.size(); ++begin) {
    checkpoint(begin);
    const size_t first = static_cast<unsigned char>(text[begin]);
    const bool may_start = begin + 1 < text.size()
                               ? matcher.starts[first << 8 | static_cast<unsigned char>(text[begin + 1])]
                               : matcher.single[first];
    if (!may_start) continue;
    match.token = -1;
    int32_t node = ByteTrie::kRoot;
    for (size_t i = begin; i < text.size();) {
      node = matcher.trie->child(node, text[i++]);
      if (node == ByteTrie::kNone) break;
      if (matcher.trie->value(node) != ByteTrie::kNone) match = {begin, i, matcher.trie->value(node)};
    }
    if (match.token >= 0) return true;
  }
  return false;
}

void AddedTokens::split(std::string_view text, bool normalized,
                        const std::function<void(const AddedPiece&)>& sink) const {
  const Matcher& matcher = matchers_[normalized];
  const bool as_text = SpecialsAsText::active();
  size_t done = 0;
  const auto add = [&](size_t begin, size_t end, int32_t id) {
    sink({{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}, id});
  };
  size_t stripped = 0;
  Match match{};
  for (size_t from = 0; matcher.trie != nullptr && next_match(matcher, text, from, match); from = match.end) {
    const AddedToken& token = tokens_[static_cast<size_t>(match.token)];
    if (token.single_word &&
        (ends_with_word(text.substr(0, match.begin)) || starts_with_word(text.substr(match.end)))) {
      continue;
    }
    if (as_text && is_special(token.content)) {
      // A model that has it in its vocabulary could make it of the whole spelling: part of it is cut off.
      const size_t cut = match.begin + base::decode_utf8(text.substr(match.begin)).size;
      if (token.in_model && done < cut) {
        add(done, cut, -1);
        done = cut;
      }
      continue;
    }
    const size_t begin = token.lstrip ? std::max(trailing_space_begin(text, match.begin, done), done) : match.begin;
    // Matches may lie in the white space that the one before has taken: it is gone over once.
    if (token.rstrip && match.end > stripped) stripped = leading_space_end(text, match.end);
    const size_t end = token.rstrip ? stripped : match.end;
    if (done < begin) add(done, begin, -1);
    add(begin, end, token.id);
    done = end;
  }
  if (done != text.size()) add(done, text.size(), -1);
}

std::vector<AddedToken> read_added_tokens(const base::JsonValue& json, const Vocabulary& vocabulary) {
  std::vector<AddedToken> tokens;
  std::unordered_map<std::string, size_t> seen;
  const int64_t base_id = static_cast<int64_t>(vocabulary.count());
  int64_t next_id = base_id;
  for (const base::JsonValue& item : json.items()) {
    AddedToken token = read_added_token(item.as<base::JsonObject>());
    if (token.content.empty()) continue;
    const auto [entry, is_new] = seen.emplace(token.content, tokens.size());
    const int32_t in_model = vocabulary.find(token.content);
    token.in_model = in_model >= 0;
    const int64_t expected = !is_new ? tokens[entry->second].id : in_model >= 0 ? in_model : next_id;
    if (token.id != expected) {
      item.fail("gives \"" + token.content + "\" id " + std::to_string(token.id) + ", expected " +
                std::to_string(expected));
    }
    if (is_new) {
      if (in_model < 0) ++next_id;
      tokens.push_back(token);
    } else {
      tokens[entry->second] = token;
    }
  }
  return tokens;
}

}  // namespace vsr::text
