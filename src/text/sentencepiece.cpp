#include "text/sentencepiece.h"

#include <sentencepiece_processor.h>

#include <vector>

#include "base/error.h"
#include "base/mmap.h"
#include "base/utf8.h"
#include "text/post_processor.h"

namespace vsr::text {
namespace {

class SentencePiece : public Tokenizer {
 public:
  explicit SentencePiece(const std::string& path) {
    const base::MappedFile file(path);
    const auto status = processor_.LoadFromSerializedProto({file.text().data(), file.size()});
    if (!status.ok()) base::fail(base::Status::kParse, path, ": no sentencepiece model");
    for (int id = 0; id < processor_.GetPieceSize(); ++id) tokens_.push_back(processor_.IdToPiece(id));
  }

  TokenSequence tokenize(std::string_view text) const override {
    if (text.size() > UINT32_MAX / 2) base::fail(base::Status::kLimit, "text: more than 2 GiB");
    const base::CleanText clean(text);
    TokenSequence sequence;
    sequence.replaced_bytes = clean.replaced_bytes();
    sentencepiece::ImmutableSentencePieceText pieces;
    const auto status = processor_.Encode({clean.view().data(), clean.view().size()}, pieces.mutable_proto());
    if (!status.ok()) base::fail(base::Status::kInternal, "text: sentencepiece: ", status.message());
    const size_t count = pieces.pieces_size();
    sequence.ids.reserve(count);
    sequence.offsets.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      const auto piece = pieces.pieces(static_cast<int>(i));
      sequence.ids.push_back(static_cast<int32_t>(piece.id()));
      sequence.offsets.push_back({clean.to_original(piece.begin()), clean.to_original(piece.end())});
    }
    return sequence;
  }

  Encoding apply_template(SequenceView text, const SequenceView* pair, bool add_special_tokens) const override {
    return template_.apply(text, pair, add_special_tokens);
  }
  size_t special_token_count(bool) const override { return 0; }

  std::string decode(const std::vector<int32_t>& ids, bool skip_special_tokens) const override {
    std::vector<int> kept;
    kept.reserve(ids.size());
    for (const int32_t id : ids) {
      token(id);
      if (!skip_special_tokens || !processor_.IsControl(id)) kept.push_back(id);
    }
    std::string text;
    const auto status = processor_.Decode(kept, &text);
    if (!status.ok()) base::fail(base::Status::kInternal, "ids: sentencepiece: ", status.message());
    return text;
  }

  size_t vocab_size() const override { return tokens_.size(); }

  const std::string& token(int32_t id) const override {
    if (id < 0 || static_cast<size_t>(id) >= tokens_.size()) {
      base::fail(base::Status::kInvalidArgument, "id: ", id, " is no token, the vocabulary has ", tokens_.size(),
                 " ids");
    }
    return tokens_[static_cast<size_t>(id)];
  }

  int32_t token_id(std::string_view token) const override {
    const int id = processor_.PieceToId({token.data(), token.size()});
    return id >= 0 && static_cast<size_t>(id) < tokens_.size() && tokens_[static_cast<size_t>(id)] == token ? id : -1;
  }

  std::string_view kind() const override { return "SentencePiece"; }

 private:
  sentencepiece::SentencePieceProcessor processor_;
  std::vector<std::string> tokens_;
  PostProcessor template_;
};

}  // namespace

std::shared_ptr<const Tokenizer> load_sentencepiece(const std::string& path) {
  return std::make_shared<SentencePiece>(path);
}

}  // namespace vsr::text
