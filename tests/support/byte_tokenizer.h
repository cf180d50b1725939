// A tokenizer whose tokens are bytes: id = byte + 3, inside [CLS] text [SEP] (pair [SEP]) with ids 0 and 1. For tests
// of what builds on tokenizers.
#pragma once

#include <cctype>
#include <stdexcept>
#include <string>
#include <vector>

#include "text/tokens/tokenizer.h"

namespace vsr::test {

class ByteTokenizer final : public text::Tokenizer {
 public:
  static constexpr int32_t kCls = 0, kSep = 1, kFirstByte = 3;

  text::TokenSequence tokenize(std::string_view text) const override {
    text::TokenSequence sequence;
    for (size_t i = 0; i < text.size(); ++i) {
      sequence.ids.push_back(kFirstByte + static_cast<uint8_t>(text[i]));
      sequence.offsets.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(i + 1)});
    }
    return sequence;
  }

  text::Encoding apply_template(text::SequenceView text, const text::SequenceView* pair,
                                bool add_special_tokens) const override {
    text::Encoding encoding;
    if (add_special_tokens) add_special(encoding, kCls, 0);
    add(encoding, text, 0);
    if (add_special_tokens) add_special(encoding, kSep, 0);
    if (pair != nullptr) {
      add(encoding, *pair, 1);
      if (add_special_tokens) add_special(encoding, kSep, 1);
    }
    return encoding;
  }

  size_t special_token_count(bool pair) const override { return pair ? 3 : 2; }

  std::string decode(const std::vector<int32_t>& ids, bool) const override {
    std::string text;
    for (const int32_t id : ids) {
      if (id >= kFirstByte) text += static_cast<char>(id - kFirstByte);
    }
    return text;
  }

  size_t vocab_size() const override { return kFirstByte + 256; }
  const std::string& token(int32_t) const override { throw std::logic_error("bytes have no tokens"); }
  int32_t token_id(std::string_view) const override { return -1; }
  std::string_view kind() const override { return "bytes"; }

 private:
  static void add_special(text::Encoding& encoding, int32_t id, int32_t type) {
    encoding.ids.push_back(id);
    encoding.type_ids.push_back(type);
    encoding.offsets.push_back({0, 0});
    encoding.sides.push_back(-1);
  }
  static void add(text::Encoding& encoding, const text::SequenceView& view, int32_t side) {
    for (size_t i = view.begin; i < view.end; ++i) {
      encoding.ids.push_back(view.sequence->ids[i]);
      encoding.type_ids.push_back(side);
      encoding.offsets.push_back(view.sequence->offsets[i]);
      encoding.sides.push_back(side);
    }
  }
};

}  // namespace vsr::test
