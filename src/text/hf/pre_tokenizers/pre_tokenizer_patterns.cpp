#include "text/hf/pre_tokenizers/pre_tokenizer_patterns.h"

#include "base/checkpoint.h"
#include "base/utf8.h"

namespace vsr::text {
namespace {

class Split : public PreTokenizer {
 public:
  Split(PatternPtr pattern, SplitBehavior behavior, bool invert)
      : pattern_(std::move(pattern)), behavior_(behavior), invert_(invert) {}

  WordEnds ends() const override { return keeps_matches() ? pattern_->ends() : WordEnds::kUnknown; }
  bool only_cuts_spaces() const override { return pattern_->fixed() == " "; }

  void split(Words& words) const override {
    const std::string_view text = words.text.view();
    std::vector<Span> matches;
    if (pattern_->covers_everything() && keeps_matches()) {
      std::vector<Span> cut;
      cut.reserve(text.size() / 4);
      for (const Span word : words.spans) {
        pattern_->find(text.substr(word.begin, word.size()), word.begin, cut);
      }
      words.spans = std::move(cut);
      return;
    }
    std::vector<Part> parts;
    words.cut_each([&](Span word, std::vector<Span>& cuts) {
      matches.clear();
      parts.clear();
      pattern_->find(text.substr(word.begin, word.size()), word.begin, matches);
      add_parts(word, matches, parts);
      apply_split(parts, behavior_, cuts);
    });
  }

 private:
  bool keeps_matches() const {
    return behavior_ == SplitBehavior::kIsolated || (behavior_ == SplitBehavior::kRemoved && invert_);
  }

  void add_parts(Span word, const std::vector<Span>& matches, std::vector<Part>& parts) const {
    uint32_t done = word.begin;
    base::Checkpoint checkpoint(word.begin);
    for (const Span match : matches) {
      checkpoint(match.begin);
      if (done < match.begin) parts.push_back({{done, match.begin}, invert_});
      parts.push_back({match, !invert_});
      done = match.end;
    }
    if (done < word.end) parts.push_back({{done, word.end}, invert_});
  }

  PatternPtr pattern_;
  SplitBehavior behavior_;
  bool invert_;
};

// Puts a space in front of each word that does not begin with one. The model does the rest of ByteLevel.
class PrefixSpace : public PreTokenizer {
 public:
  void split(Words& words) const override {
    TextBuilder out(words.text);
    std::vector<Span> cut;
    for (const Span word : words.spans) {
      const uint32_t begin = static_cast<uint32_t>(out.size());
      if (words.text.view()[word.begin] != ' ') out.append(" ", words.text.source(size_t{word.begin}));
      out.copy(word.begin, word.end);
      cut.push_back({begin, static_cast<uint32_t>(out.size())});
    }
    words = {out.take(), std::move(cut)};
  }
};

class Metaspace : public PreTokenizer {
 public:
  explicit Metaspace(MetaspaceOptions options) : options_(std::move(options)) {}

  WordEnds ends() const override { return options_.split ? WordEnds::kSpaces : WordEnds::kUnknown; }

  void split(Words& words) const override {
    const std::string_view text = words.text.view();
    TextBuilder out(words.text);
    std::vector<Span> cut;
    cut.reserve(text.size() / 4);
    for (const Span word : words.spans) {
      size_t begin = out.size();
      if (needs_prefix(words.text, word)) out.append(options_.mark, words.text.source(size_t{word.begin}));
      base::Checkpoint checkpoint(word.begin);
      for (uint32_t i = word.begin; i < word.end;) {
        checkpoint(i);
        const bool is_space = text[i] == ' ';
        const bool is_mark = is_space || text.substr(i).starts_with(options_.mark);
        if (is_mark && options_.split && out.size() > begin) {
          cut.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(out.size())});
          begin = out.size();
        }
        uint32_t next = i + (is_space ? 1 : base::decode_utf8(text.substr(i)).size);
        if (is_space) {
          out.append(options_.mark, words.text.source(size_t{i}));
        } else {
          while (next < word.end && text[next] != ' ' && text[next] != options_.mark[0]) ++next;
          out.copy(i, next);
        }
        i = next;
      }
      cut.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(out.size())});
    }
    words = {out.take(), std::move(cut)};
  }

 private:
  bool needs_prefix(const NormalizedText& text, Span word) const {
    if (options_.prepend == MetaspaceOptions::kNever) return false;
    const std::string_view rest = text.view().substr(word.begin);
    if (rest.starts_with(' ') || rest.starts_with(options_.mark)) return false;
    return options_.prepend == MetaspaceOptions::kAlways || text.source(size_t{word.begin}).begin == 0;
  }

  MetaspaceOptions options_;
};

}  // namespace

PreTokenizerPtr make_split(PatternPtr pattern, SplitBehavior behavior, bool invert) {
  return std::make_unique<Split>(std::move(pattern), behavior, invert);
}
PreTokenizerPtr make_prefix_space() { return std::make_unique<PrefixSpace>(); }
PreTokenizerPtr make_metaspace(MetaspaceOptions options) { return std::make_unique<Metaspace>(std::move(options)); }

}  // namespace vsr::text
