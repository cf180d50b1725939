#include "routing/compress/compress_blocks.h"

#include <algorithm>

#include "base/checkpoint.h"

namespace vsr::routing {
namespace {

constexpr size_t kHeadingBytes = 80;

constexpr std::string_view kBlank = " \t\r\f\v";

bool is_blank(char c) { return kBlank.find(c) != std::string_view::npos; }

std::string_view trimmed(std::string_view line) {
  base::Checkpoint checkpoint;
  size_t begin = 0, end = line.size();
  for (; begin < end && is_blank(line[begin]); ++begin) checkpoint(begin);
  while (end > begin && is_blank(line[end - 1])) --end;
  return line.substr(begin, end - begin);
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

}  // namespace

bool BlockReader::next(Block& block) {
  base::Checkpoint checkpoint(at_);
  if (first_ == ready_) {
    first_ = ready_ = 0;
    while (ready_ == 0 && at_ < text_.size()) {
      checkpoint(at_);
      read_line();
    }
    if (ready_ == 0) end_paragraph();
    if (ready_ == 0) return false;
  }
  block = found_[first_++];
  return true;
}

size_t BlockReader::line_end(size_t begin) const { return std::min(text_.find('\n', begin), text_.size()); }
size_t BlockReader::after(size_t end) const { return std::min(end + 1, text_.size()); }

void BlockReader::read_line() {
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

void BlockReader::read_fence(char mark, size_t size, size_t line) {
  size_t end = line;
  base::Checkpoint checkpoint(end);
  while (end < text_.size()) {
    checkpoint(end);
    const size_t begin = end + 1;
    end = line_end(begin);
    const std::string_view closing = trimmed(text_.substr(begin, end - begin));
    const size_t marks = fence_size(closing);
    if (marks >= size && marks == closing.size() && closing[0] == mark) break;
  }
  whole({at_, end}, BlockKind::kCode);
}

// The byte after the bracket that closes the one at the front of `line`; 0 when there is none or it is no JSON.
size_t BlockReader::json_end(std::string_view line) {
  if (line[0] != '{' && line[0] != '[') return 0;
  const auto begin = static_cast<size_t>(line.data() - text_.data());
  const size_t next = text_.find_first_not_of(" \t\r\n", begin + 1);
  if (next == std::string_view::npos) return 0;
  constexpr std::string_view kAfterBrace = "\"}", kAfterBracket = "\"{[]-0123456789tfn";
  if ((line[0] == '{' ? kAfterBrace : kAfterBracket).find(text_[next]) == std::string_view::npos) return 0;
  return closing_bracket(begin);
}

size_t BlockReader::closing_bracket(size_t begin) {
  size_t depth = 0;
  bool quoted = false;
  base::Checkpoint checkpoint(begin);
  for (size_t i = begin; i < text_.size() && bracket_budget_ > 0; ++i, --bracket_budget_) {
    checkpoint(i);
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

void BlockReader::whole(base::Span range, BlockKind kind) {
  end_paragraph();
  found_[ready_++] = {range, kind};
  at_ = after(range.end);
}

void BlockReader::end_paragraph() {
  if (paragraph_.size() > 0) {
    const std::string_view line = trimmed(text_.substr(paragraph_.begin, paragraph_.size()));
    const bool title = lines_ == 1 && may_be_title(line);
    found_[ready_++] = {paragraph_, title ? BlockKind::kHeading : BlockKind::kProse};
  }
  paragraph_ = {};
  lines_ = 0;
}

}  // namespace vsr::routing
