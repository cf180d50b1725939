#include "text/hf/pre_tokenizers/pre_tokenizer_basic.h"

#include <array>
#include <functional>

#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

// What BertPreTokenizer makes of a character.
enum class BertClass : uint8_t { kWord, kSpace, kPunctuation };

bool is_ascii_punctuation(char32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

BertClass bert_class(char32_t c) {
  const CharInfo info = char_info(c);
  if (info.in(kWhitespace)) return BertClass::kSpace;
  return is_ascii_punctuation(c) || info.in(kPunctuation) ? BertClass::kPunctuation : BertClass::kWord;
}

class BertPreTokenizer : public PreTokenizer {
 public:
  BertPreTokenizer() {
    for (char32_t c = 0; c < 128; ++c) ascii_[c] = bert_class(c);
  }

  WordEnds ends() const override { return WordEnds::kPunctuation; }

  void split(Words& words) const override {
    std::vector<Span> cut;
    cut.reserve(words.text.view().size() / 4);
    for (const Span word : words.spans) cut_word(words.text.view(), word, cut);
    words.spans = std::move(cut);
  }

 private:
  void cut_word(std::string_view text, Span word, std::vector<Span>& cut) const {
    uint32_t begin = word.begin;
    base::Checkpoint checkpoint(begin);
    for (uint32_t i = word.begin; i < word.end;) {
      checkpoint(i);
      const unsigned char byte = static_cast<unsigned char>(text[i]);
      const base::Decoded c = byte < 0x80 ? base::Decoded{byte, 1, true} : base::decode_utf8(text.substr(i));
      const BertClass kind = byte < 0x80 ? ascii_[byte] : bert_class(c.code_point);
      if (kind != BertClass::kWord) {
        if (begin < i) cut.push_back({begin, i});
        if (kind == BertClass::kPunctuation) cut.push_back({i, i + c.size});
        begin = i + c.size;
      }
      i += c.size;
    }
    if (begin < word.end) cut.push_back({begin, word.end});
  }

  std::array<BertClass, 128> ascii_{};
};

// Cuts at each character that is in a set.
class CharacterSplit : public PreTokenizer {
 public:
  CharacterSplit(std::function<bool(char32_t)> is_delimiter, SplitBehavior behavior, WordEnds ends = WordEnds::kUnknown)
      : is_delimiter_(std::move(is_delimiter)), behavior_(behavior), ends_(ends) {}

  WordEnds ends() const override { return ends_; }

  void split(Words& words) const override {
    std::vector<Part> parts;
    words.cut_each([&](Span word, std::vector<Span>& cuts) {
      parts.clear();
      find(words.text.view(), word, parts);
      apply_split(parts, behavior_, cuts);
    });
  }

 private:
  void find(std::string_view text, Span word, std::vector<Part>& parts) const {
    uint32_t begin = word.begin;
    base::Checkpoint checkpoint(begin);
    for (uint32_t i = word.begin; i < word.end;) {
      checkpoint(i);
      const base::Decoded c = base::decode_utf8(text.substr(i));
      const uint32_t next = i + c.size;
      if (is_delimiter_(c.code_point)) {
        if (begin < i) parts.push_back({{begin, i}, false});
        parts.push_back({{i, next}, true});
        begin = next;
      }
      i = next;
    }
    if (begin < word.end) parts.push_back({{begin, word.end}, false});
  }

  std::function<bool(char32_t)> is_delimiter_;
  SplitBehavior behavior_;
  WordEnds ends_;
};

// \w+|[^\w\s]+
class Whitespace : public PreTokenizer {
 public:
  WordEnds ends() const override { return WordEnds::kSpaces; }
  void split(Words& words) const override {
    const std::string_view text = words.text.view();
    words.cut_each([&](Span word, std::vector<Span>& cut) {
      int current = kSpace;
      base::Checkpoint checkpoint(word.begin);
      for (uint32_t i = word.begin; i < word.end;) {
        checkpoint(i);
        const base::Decoded c = base::decode_utf8(text.substr(i));
        const CharInfo info = char_info(c.code_point);
        const int kind = info.in(kWordCharacter) ? kWord : info.in(kWhitespace) ? kSpace : kOther;
        if (kind != kSpace && kind == current) {
          cut.back().end = i + c.size;
        } else if (kind != kSpace) {
          cut.push_back({i, i + c.size});
        }
        current = kind;
        i += c.size;
      }
    });
  }

 private:
  enum { kSpace, kWord, kOther };
};

class FixedLength : public PreTokenizer {
 public:
  explicit FixedLength(size_t length) : length_(length) {}

  void split(Words& words) const override {
    const std::string_view text = words.text.view();
    words.cut_each([&](Span word, std::vector<Span>& cut) {
      size_t count = 0;
      base::Checkpoint checkpoint(word.begin);
      for (uint32_t i = word.begin; i < word.end;) {
        checkpoint(i);
        const uint32_t next = i + base::decode_utf8(text.substr(i)).size;
        if (count++ % length_ == 0) {
          cut.push_back({i, next});
        } else {
          cut.back().end = next;
        }
        i = next;
      }
    });
  }

 private:
  size_t length_;
};

}  // namespace

PreTokenizerPtr make_bert_pre_tokenizer() { return std::make_unique<BertPreTokenizer>(); }
PreTokenizerPtr make_whitespace() { return std::make_unique<Whitespace>(); }
PreTokenizerPtr make_fixed_length(size_t length) { return std::make_unique<FixedLength>(length); }

PreTokenizerPtr make_whitespace_split() {
  return std::make_unique<CharacterSplit>([](char32_t c) { return char_info(c).in(kWhitespace); },
                                          SplitBehavior::kRemoved, WordEnds::kSpaces);
}

PreTokenizerPtr make_delimiter_split(char32_t delimiter) {
  return std::make_unique<CharacterSplit>([delimiter](char32_t c) { return c == delimiter; }, SplitBehavior::kRemoved);
}

PreTokenizerPtr make_digits(bool individual) {
  return std::make_unique<CharacterSplit>([](char32_t c) { return char_info(c).in(kNumeric); },
                                          individual ? SplitBehavior::kIsolated : SplitBehavior::kContiguous);
}

PreTokenizerPtr make_punctuation(SplitBehavior behavior) {
  return std::make_unique<CharacterSplit>(
      [](char32_t c) { return is_ascii_punctuation(c) || char_info(c).in(kPunctuation); }, behavior);
}

}  // namespace vsr::text
