#include "routing/compress/compress_blocks.h"

#include <algorithm>

namespace vsr::routing {
namespace {

constexpr size_t kHeadingBytes = 80;

constexpr std::string_view kBlank = " \t\r\f\v";

std::string_view trimmed(std::string_view line) {
  const size_t first = line.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlank) - first + 1);
}

// The characters of a fence that opens or closes a block of code; 0 for any other line.
size_t fence_size(std::string_view line) {
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return 0;
  const size_t size = std::min(line.find_first_not_of(line[0]), line.size());
  return size >= 3 ? size : 0;
}

bool is_marked_heading(std::string_view line) {
  const size_t marks = std::min(line.find_first_not_of('#'), line.size());
  return marks >= 1 && marks <= 6 && marks < line.size() && line[marks] == ' ';
}

bool may_be_title(std::string_view line) {
  constexpr std::string_view kEnds = ".!?:;,\"')]}>|";
  const auto first = static_cast<unsigned char>(line[0]);
  const bool begins = (first >= 'A' && first <= 'Z') || (first >= '0' && first <= '9') || first >= 0xC3;
  const auto last = static_cast<unsigned char>(line.back());
  return begins && line.size() <= kHeadingBytes && kEnds.find(line.back()) == std::string_view::npos &&
         (last < 0x80 || first < 0xE0);  // the ends of other scripts are left to sentences
}

class BlockReader {
 public:
  explicit BlockReader(std::string_view text) : text_(text), bracket_budget_(2 * text.size() + 1024) {}

  std::vector<Block> run() {
    while (at_ < text_.size()) read_line();
    end_paragraph();
    return std::move(blocks_);
  }

 private:
  size_t line_end(size_t begin) const { return std::min(text_.find('\n', begin), text_.size()); }
  size_t after(size_t end) const { return std::min(end + 1, text_.size()); }

  void read_line() {
    const size_t end = line_end(at_);
    const std::string_view line = trimmed(text_.substr(at_, end - at_));
    if (line.empty()) {
      end_paragraph();
      at_ = after(end);
    } else if (const size_t size = fence_size(line); size > 0) {
      read_fence(line[0], size, end);
    } else if (is_marked_heading(line)) {
      whole({at_, end}, BlockKind::kHeading);
    } else if (const size_t json = json_end(line); json > 0) {
      whole({at_, line_end(json - 1)}, BlockKind::kJson);
    } else {
      if (paragraph_.size() == 0) paragraph_.begin = at_;
      paragraph_.end = end;
      ++lines_;
      at_ = after(end);
    }
  }

  void read_fence(char mark, size_t size, size_t line) {
    size_t end = line;
    while (end < text_.size()) {
      const size_t begin = end + 1;
      end = line_end(begin);
      const std::string_view closing = trimmed(text_.substr(begin, end - begin));
      const size_t marks = fence_size(closing);
      if (marks >= size && marks == closing.size() && closing[0] == mark) break;
    }
    whole({at_, end}, BlockKind::kCode);
  }

  // The byte after the bracket that closes the one at the front of `line`; 0 when there is none or it is no JSON.
  size_t json_end(std::string_view line) {
    if (line[0] != '{' && line[0] != '[') return 0;
    const auto begin = static_cast<size_t>(line.data() - text_.data());
    const size_t next = text_.find_first_not_of(" \t\r\n", begin + 1);
    if (next == std::string_view::npos) return 0;
    constexpr std::string_view kAfterBrace = "\"}", kAfterBracket = "\"{[]-0123456789tfn";
    if ((line[0] == '{' ? kAfterBrace : kAfterBracket).find(text_[next]) == std::string_view::npos) return 0;
    return closing_bracket(begin);
  }

  size_t closing_bracket(size_t begin) {
    size_t depth = 0;
    bool quoted = false;
    for (size_t i = begin; i < text_.size() && bracket_budget_ > 0; ++i, --bracket_budget_) {
      const char c = text_[i];
      if (quoted) {
        if (c == '\\') ++i;
        if (c == '"') quoted = false;
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if ((c == '}' || c == ']') && --depth == 0) {
        return i + 1;
      }
    }
    return 0;
  }

  void whole(text::ByteRange range, BlockKind kind) {
    end_paragraph();
    blocks_.push_back({range, kind});
    at_ = after(range.end);
  }

  void end_paragraph() {
    if (paragraph_.size() > 0) {
      const std::string_view line = trimmed(text_.substr(paragraph_.begin, paragraph_.size()));
      const bool title = lines_ == 1 && may_be_title(line);
      blocks_.push_back({paragraph_, title ? BlockKind::kHeading : BlockKind::kProse});
    }
    paragraph_ = {};
    lines_ = 0;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t bracket_budget_;
  text::ByteRange paragraph_;
  size_t lines_ = 0;  // of the paragraph
  std::vector<Block> blocks_;
};

}  // namespace

std::vector<Block> split_blocks(std::string_view text) { return BlockReader(text).run(); }

}  // namespace vsr::routing
