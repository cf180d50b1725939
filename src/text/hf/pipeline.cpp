#include "text/hf/pipeline.h"

#include <algorithm>

#include "base/characters.h"
#include "base/checkpoint.h"
#include "base/error.h"
#include "base/utf8.h"
#include "text/regex/match_work.h"
#include "text/tokens/original_offsets.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

const std::string kNoToken;

// Characters of a token's text that represent spaces: at its front, or at its back.
bool is_space(char32_t c) { return c == 0x120 || char_info(c).in(kWhitespace); }

size_t leading_spaces(std::string_view token) {
  size_t count = 0;
  for (size_t i = 0; i < token.size(); ++count) {
    const base::Decoded c = base::decode_utf8(token.substr(i));
    if (!is_space(c.code_point)) break;
    i += c.size;
  }
  return count;
}

size_t trailing_spaces(std::string_view token) {
  size_t count = 0;
  for (size_t end = token.size(); end > 0; ++count) {
    const size_t begin = base::floor_boundary(token, end - 1);
    if (!is_space(base::decode_utf8(token.substr(begin)).code_point)) break;
    end = begin;
  }
  return count;
}

size_t forward(std::string_view text, size_t position, size_t characters, size_t limit) {
  for (; characters > 0 && position < limit; --characters) {
    do ++position;
    while (position < limit && base::is_continuation(text[position]));
  }
  return position;
}

size_t backward(std::string_view text, size_t position, size_t characters, size_t limit) {
  for (; characters > 0 && position > limit; --characters) {
    do --position;
    while (position > limit && base::is_continuation(text[position]));
  }
  return position;
}

}  // namespace

class Pipeline::Sink {
 public:
  virtual ~Sink() = default;
  virtual void add(int32_t id, Span source) = 0;
  virtual void add(const Tokens& tokens, const NormalizedText& text) = 0;
};

class Pipeline::Collector : public Sink {
 public:
  explicit Collector(TokenSequence& out) : out_(out) {}
  void add(int32_t id, Span source) override {
    out_.ids.push_back(id);
    out_.offsets.push_back(source);
  }
  void add(const Tokens& tokens, const NormalizedText& text) override {
    out_.ids.insert(out_.ids.end(), tokens.ids.begin(), tokens.ids.end());
    for (const Span token : tokens.spans) out_.offsets.push_back(text.source(token));
  }

 private:
  TokenSequence& out_;
};

class Pipeline::Counter : public Sink {
 public:
  void add(int32_t, Span) override { ++count_; }
  void add(const Tokens& tokens, const NormalizedText&) override { count_ += tokens.ids.size(); }
  size_t count() const { return count_; }

 private:
  size_t count_ = 0;
};

Pipeline::Pipeline(PipelineParts parts) : parts_(std::move(parts)), cuts_(cut_rules()) {
  vocab_size_ = parts_.model->vocabulary().size();
  for (const AddedToken& token : parts_.added->tokens()) {
    vocab_size_ = std::max(vocab_size_, static_cast<size_t>(token.id) + 1);
    added_ids_.emplace(token.content, token.id);
  }
}

// Where words end whatever is around them; or, where all of a text is one word to the model, where that may be cut.
CutRules Pipeline::cut_rules() const {
  const Normalizer* normalizer = parts_.normalizer.get();
  const PreTokenizer* steps = parts_.pre_tokenizers.steps.get();
  CutRules rules;
  if (steps != nullptr && (normalizer == nullptr || normalizer->is_local())) {
    rules.ends = parts_.added->allowed(steps->ends());
    rules.ideographs = normalizer != nullptr && normalizer->parts_ideographs();
  } else if (normalizer != nullptr && normalizer->only_marks_spaces() &&
             (steps == nullptr || steps->only_cuts_spaces())) {
    rules.joined_to_space = parts_.model->joined_to_space();
    if (rules.joined_to_space != nullptr) rules.ends = parts_.added->allowed(WordEnds::kSpaces);
  }
  return rules;
}

TokenSequence Pipeline::tokenize(std::string_view text) const {
  if (text.size() > UINT32_MAX / 2) base::fail(base::Status::kLimit, "text: more than 2 GiB");
  const base::CleanText clean(text);
  const MatchWork work(match_steps(text.size()));
  TokenSequence sequence;
  sequence.replaced_bytes = clean.replaced_bytes();
  Collector collector(sequence);
  read(clean.view(), collector);
  if (parts_.post_processor.trim_offsets) trim(clean.view(), sequence);
  point_into_original(clean, sequence);
  return sequence;
}

size_t Pipeline::count_tokens(std::string_view text) const {
  if (text.size() > UINT32_MAX / 2) base::fail(base::Status::kLimit, "text: more than 2 GiB");
  const base::CleanText clean(text);
  const MatchWork work(match_steps(text.size()));
  Counter counter;
  read(clean.view(), counter);
  return counter.count();
}

void Pipeline::read(std::string_view clean, Sink& sink) const {
  parts_.added->split(clean, false, [&](const AddedPiece& piece) {
    if (piece.id >= 0) {
      sink.add(piece.id, piece.span);
    } else {
      read_text(clean, piece.span, sink);
    }
  });
}

// A stretch between added tokens, piece by piece.
void Pipeline::read_text(std::string_view text, Span span, Sink& sink) const {
  const std::string_view stretch = text.substr(0, span.end);
  for (size_t begin = span.begin; begin < span.end;) {
    const size_t end = cuts_.next(stretch, begin);
    if (end - begin > TextCuts::kPiece / 2) base::check_thread_limits();
    read_piece(text, {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}, sink);
    begin = end;
  }
}

// Normalizes a piece and cuts it at those added tokens that are sought in normalized text.
void Pipeline::read_piece(std::string_view text, Span span, Sink& sink) const {
  NormalizedText normalized(text.substr(span.begin, span.size()), span.begin);
  if (parts_.normalizer != nullptr) parts_.normalizer->normalize(normalized);
  const uint32_t size = static_cast<uint32_t>(normalized.view().size());
  if (size == 0) return;
  if (!parts_.added->any(true)) {
    read_words(std::move(normalized), {0, size}, sink);
    return;
  }
  parts_.added->split(normalized.view(), true, [&](const AddedPiece& piece) {
    if (piece.id >= 0) {
      sink.add(piece.id, normalized.source(piece.span));
    } else if (piece.span == Span{0, size}) {
      read_words(std::move(normalized), piece.span, sink);
    } else {
      read_words(normalized, piece.span, sink);
    }
  });
}

void Pipeline::read_words(NormalizedText text, Span span, Sink& sink) const {
  Words words{std::move(text), {span}};
  if (parts_.pre_tokenizers.steps != nullptr) parts_.pre_tokenizers.steps->split(words);
  constexpr size_t kWordsAtOnce = 4096;
  Tokens tokens;
  const std::span<const Span> all = words.spans;
  for (size_t first = 0; first < all.size(); first += kWordsAtOnce) {
    if (first > 0) base::check_thread_limits();
    tokens.ids.clear();
    tokens.spans.clear();
    parts_.model->tokenize(words.text.view(), all.subspan(first, std::min(kWordsAtOnce, all.size() - first)), tokens);
    sink.add(tokens, words.text);
  }
}

// Leaves the spaces out of the offsets of tokens that begin or end with them.
void Pipeline::trim(std::string_view text, TokenSequence& sequence) const {
  const PostProcessor& post = parts_.post_processor;
  base::Checkpoint checkpoint;
  for (size_t i = 0; i < sequence.ids.size(); ++i) {
    checkpoint(i);
    const std::string& content = token(sequence.ids[i]);
    Span& span = sequence.offsets[i];
    size_t leading = leading_spaces(content);
    const size_t trailing = trailing_spaces(content);
    const bool is_first = (i == 0 && !post.trims_after_template) || span.begin == 0;
    if (leading == 1 && is_first && post.add_prefix_space) leading = 0;
    span.begin = static_cast<uint32_t>(forward(text, span.begin, leading, span.end));
    span.end = static_cast<uint32_t>(backward(text, span.end, trailing, span.begin));
  }
}

Encoding Pipeline::apply_template(SequenceView text, const SequenceView* pair, bool add_special_tokens) const {
  return parts_.post_processor.tokens.apply(text, pair, add_special_tokens);
}

size_t Pipeline::special_token_count(bool pair) const { return parts_.post_processor.tokens.special_token_count(pair); }

std::string Pipeline::decode(const std::vector<int32_t>& ids, bool skip_special_tokens) const {
  std::vector<std::string> tokens;
  tokens.reserve(ids.size());
  const Vocabulary& vocabulary = parts_.model->vocabulary();
  for (const int32_t id : ids) {
    if (id < 0 || static_cast<size_t>(id) >= vocab_size_) {
      base::fail(base::Status::kInvalidArgument, "ids: ", id, " is no token, the vocabulary has ", vocab_size_, " ids");
    }
    const AddedToken* added = parts_.added->find(id);
    if (added == nullptr && static_cast<size_t>(id) >= vocabulary.size()) continue;
    const std::string& content = added != nullptr ? parts_.added->decoded(*added) : vocabulary.token(id);
    if (added == nullptr && content.empty()) continue;  // a gap
    if (skip_special_tokens && parts_.added->is_special(content)) continue;
    tokens.push_back(content);
  }
  if (tokens.empty()) return {};
  std::string text;
  if (parts_.decoder != nullptr) {
    parts_.decoder->decode(tokens);
    for (const std::string& token : tokens) text += token;
  } else {
    for (size_t i = 0; i < tokens.size(); ++i) text.append(i == 0 ? "" : " ").append(tokens[i]);
  }
  return text;
}

const std::string& Pipeline::token(int32_t id) const {
  if (id < 0 || static_cast<size_t>(id) >= vocab_size_) {
    base::fail(base::Status::kInvalidArgument, "id: ", id, " is no token, the vocabulary has ", vocab_size_, " ids");
  }
  const AddedToken* added = parts_.added->find(id);
  if (added != nullptr) return added->content;
  const Vocabulary& vocabulary = parts_.model->vocabulary();
  return static_cast<size_t>(id) < vocabulary.size() ? vocabulary.token(id) : kNoToken;
}

int32_t Pipeline::token_id(std::string_view token) const {
  const auto added = added_ids_.find(token);
  return added != added_ids_.end() ? added->second : parts_.model->vocabulary().find(token);
}

}  // namespace vsr::text
