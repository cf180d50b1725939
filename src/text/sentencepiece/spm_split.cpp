// Models of whole words and of single characters: no search, only looking up.

#include <algorithm>

#include "text/sentencepiece/spm_segmenter.h"

namespace vsr::text {
namespace {

constexpr std::string_view kSpaceMark = "\xE2\x96\x81";

int32_t id_of(const SpmModel& model, std::string_view piece) {
  const int32_t id = model.pieces.find(piece);
  return id >= 0 && model.is_text(id) ? id : model.unk_id;
}

class SpmWord : public SpmSegmenter {
 public:
  explicit SpmWord(const SpmModel& model) : model_(model) {}
  std::string_view kind() const override { return "sentencepiece Word"; }

  // A word begins at each mark.
  void segment(std::string_view text, std::vector<SpmPiece>& pieces) const override {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(kSpaceMark, begin + 1), text.size());
      pieces.push_back({static_cast<uint32_t>(end - begin), id_of(model_, text.substr(begin, end - begin))});
      begin = end;
    }
  }

 private:
  const SpmModel& model_;
};

class SpmChar : public SpmSegmenter {
 public:
  SpmChar(const SpmModel& model, const SpmSymbols& symbols) : model_(model), symbols_(symbols) {}
  std::string_view kind() const override { return "sentencepiece Char"; }

  void segment(std::string_view text, std::vector<SpmPiece>& pieces) const override {
    for (size_t begin = 0; begin < text.size();) {
      size_t length = symbols_.match(text.substr(begin));
      if (length == 0) length = spm_character_size(text.substr(begin));
      pieces.push_back({static_cast<uint32_t>(length), id_of(model_, text.substr(begin, length))});
      begin += length;
    }
  }

 private:
  const SpmModel& model_;
  const SpmSymbols& symbols_;
};

}  // namespace

SpmSegmenterPtr make_spm_word(const SpmModel& model) { return std::make_unique<SpmWord>(model); }
SpmSegmenterPtr make_spm_char(const SpmModel& model, const SpmSymbols& symbols) {
  return std::make_unique<SpmChar>(model, symbols);
}

}  // namespace vsr::text
