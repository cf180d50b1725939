#include "text/sentencepiece/spm_tokenizer.h"

#include "base/error.h"
#include "base/utf8.h"
#include "text/sentencepiece/spm_decoder.h"
#include "text/sentencepiece/spm_segmenter.h"
#include "text/tokens/original_offsets.h"
#include "text/tokens/token_template.h"

namespace vsr::text {
namespace {

class SpmTokenizer : public Tokenizer {
 public:
  SpmTokenizer(SpmModel model, const std::string& path)
      : model_(std::move(model)),
        symbols_(model_),
        normalizer_(model_.normalization, &symbols_),
        segmenter_(make_segmenter(path)),
        decoder_(model_) {}

  TokenSequence tokenize(std::string_view text) const override {
    if (text.size() > UINT32_MAX / 2) base::fail(base::Status::kLimit, "text: more than 2 GiB");
    const base::CleanText clean(text);
    TokenSequence sequence;
    sequence.replaced_bytes = clean.replaced_bytes();
    const SpmText normalized = normalizer_.normalize(clean.view());
    std::vector<SpmPiece> pieces;
    pieces.reserve(normalized.text.size() / 4);
    segmenter_->segment(normalized.text, pieces);
    add_tokens(normalized, pieces, sequence);
    point_into_original(clean, sequence);
    return sequence;
  }

  Encoding apply_template(SequenceView text, const SequenceView* pair, bool add_special_tokens) const override {
    return TokenTemplate{}.apply(text, pair, add_special_tokens);
  }
  size_t special_token_count(bool) const override { return 0; }

  std::string decode(const std::vector<int32_t>& ids, bool) const override {
    for (const int32_t id : ids) check_id("ids", id);
    return decoder_.decode(ids);
  }

  size_t vocab_size() const override { return model_.pieces.size(); }
  const std::string& token(int32_t id) const override {
    check_id("id", id);
    return model_.pieces.token(id);
  }
  int32_t token_id(std::string_view token) const override { return model_.pieces.find(token); }
  std::string_view kind() const override { return segmenter_->kind(); }

 private:
  SpmSegmenterPtr make_segmenter(const std::string& path) const {
    switch (model_.algorithm) {
      case SpmAlgorithm::kUnigram:
        return make_spm_unigram(model_, path);
      case SpmAlgorithm::kBpe:
        return make_spm_bpe(model_, symbols_);
      case SpmAlgorithm::kWord:
        return make_spm_word(model_);
      case SpmAlgorithm::kChar:
        break;
    }
    return make_spm_char(model_, symbols_);
  }

  void check_id(const char* argument, int32_t id) const {
    if (id >= 0 && static_cast<size_t>(id) < vocab_size()) return;
    base::fail(base::Status::kInvalidArgument, argument, ": ", id, " is no token, the vocabulary has ", vocab_size(),
               " ids");
  }

  // Unknown pieces become their bytes, or one token for neighbouring ones.
  void add_tokens(const SpmText& normalized, const std::vector<SpmPiece>& pieces, TokenSequence& out) const {
    out.ids.reserve(pieces.size());
    out.offsets.reserve(pieces.size());
    bool after_unknown = false;
    uint32_t at = 0;
    for (const SpmPiece& piece : pieces) {
      const Span span{normalized.origins[at], normalized.origins[at + piece.length]};
      const bool is_unknown = piece.id == model_.unk_id;
      if (is_unknown && model_.byte_fallback) {
        add_bytes(std::string_view(normalized.text).substr(at, piece.length), span, out);
      } else if (is_unknown && after_unknown) {
        out.offsets.back().end = span.end;
      } else {
        out.ids.push_back(piece.id);
        out.offsets.push_back(span);
      }
      after_unknown = is_unknown;
      at += piece.length;
    }
  }

  // The last byte represents the character, as in the library; the others are empty and before it.
  void add_bytes(std::string_view bytes, Span span, TokenSequence& out) const {
    for (const char byte : bytes) {
      out.ids.push_back(model_.byte_ids[static_cast<unsigned char>(byte)]);
      out.offsets.push_back({span.begin, span.begin});
    }
    out.offsets.back() = span;
  }

  SpmModel model_;
  SpmSymbols symbols_;
  SpmNormalizer normalizer_;
  SpmSegmenterPtr segmenter_;
  SpmDecoder decoder_;
};

}  // namespace

std::shared_ptr<const Tokenizer> load_spm(const std::string& path) {
  return std::make_shared<SpmTokenizer>(read_spm_file(path), path);
}

}  // namespace vsr::text
