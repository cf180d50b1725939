// The tokenizer that all formats load into: added tokens, normalizer, pre-tokenizer, model, post-processor, decoder.
#pragma once

#include <string>
#include <string_view>

#include "text/hf/added_tokens.h"
#include "text/hf/decoder.h"
#include "text/hf/models/model.h"
#include "text/hf/normalizers/normalizer.h"
#include "text/hf/post_processor.h"
#include "text/hf/pre_tokenizers/pre_tokenizer.h"
#include "text/tokens/tokenizer.h"

namespace vsr::text {

struct PipelineParts {
  NormalizerPtr normalizer;  // may be null
  PreTokenizers pre_tokenizers;
  ModelPtr model;
  std::unique_ptr<const AddedTokens> added;
  PostProcessor post_processor;
  DecoderPtr decoder;  // may be null
};

class Pipeline : public Tokenizer {
 public:
  explicit Pipeline(PipelineParts parts);

  TokenSequence tokenize(std::string_view text) const override;
  size_t count_tokens(std::string_view text) const override;
  Encoding apply_template(SequenceView text, const SequenceView* pair, bool add_special_tokens) const override;
  size_t special_token_count(bool pair) const override;
  std::string decode(const std::vector<int32_t>& ids, bool skip_special_tokens) const override;
  size_t vocab_size() const override { return vocab_size_; }
  const std::string& token(int32_t id) const override;
  int32_t token_id(std::string_view token) const override;
  std::string_view kind() const override { return parts_.model->kind(); }
  const TextCuts& cuts() const { return cuts_; }

 private:
  // Takes tokens as they are found, some at a time, with their spans in the clean text.
  class Sink;
  class Collector;
  class Counter;

  CutRules cut_rules() const;
  void read(std::string_view clean, Sink& sink) const;
  void read_text(std::string_view text, Span span, Sink& sink) const;
  void read_piece(std::string_view text, Span span, Sink& sink) const;
  void read_words(NormalizedText text, Span span, Sink& sink) const;
  void trim(std::string_view text, TokenSequence& sequence) const;

  PipelineParts parts_;
  TextCuts cuts_;
  std::unordered_map<std::string_view, int32_t> added_ids_;
  size_t vocab_size_ = 0;
};

}  // namespace vsr::text
