#include "chat/sse_reader.h"

#include <algorithm>
#include <utility>

namespace vsr::chat {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

size_t line_end_in(std::string_view bytes) {
  return std::min(std::min(bytes.find('\n'), bytes.find('\r')), bytes.size());
}

}  // namespace

void SseReader::read_line(std::string_view line) {
  if (std::exchange(first_line_, false) && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  const size_t colon = line.find(':');
  if (colon == 0) return;
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "data") {
    if (std::exchange(has_data_, true)) data_ += '\n';
    data_ += value;
  } else if (field == "event") {
    type_ = value;
  }
}

void SseReader::take(SseFrame& frame) {
  frame.kind = SseFrame::Kind::kEvent;
  frame.raw = std::exchange(raw_, {});
  frame.type = std::exchange(type_, {});
  frame.data = std::exchange(data_, {});
  frame.has_data = std::exchange(has_data_, false);
  line_ = 0;
}

// The line's bytes and its end are in raw_.
bool SseReader::add_line_end() {
  std::string_view line = std::string_view(raw_).substr(line_);
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  const bool empty = line.empty() || (first_line_ && line == kByteOrderMark);
  if (empty) {
    first_line_ = false;
  } else {
    read_line(line);
  }
  line_ = raw_.size();
  after_cr_ = false;
  return empty;
}

bool SseReader::end_line(SseFrame& frame) {
  after_cr_ = false;
  if (!(oversized_ ? std::exchange(oversized_blank_, true) : add_line_end())) return false;
  const bool was_oversized = std::exchange(oversized_, false);
  take(frame);
  if (was_oversized) frame.kind = SseFrame::Kind::kOversized;
  return true;
}

void SseReader::pass_over() {
  oversized_ = true;
  oversized_blank_ = line_ == raw_.size();
  first_line_ = false;
  type_.clear();
  data_ = {};
  has_data_ = false;
}

bool SseReader::next(std::string_view& bytes, SseFrame& frame) {
  while (!bytes.empty()) {
    if (after_cr_) {  // what follows decides whether the line's end is one byte or two
      if (bytes.front() == '\n') {
        raw_ += '\n';
        bytes.remove_prefix(1);
      }
      if (end_line(frame)) return true;
      continue;
    }
    const size_t room = oversized_ ? bytes.size() : most_bytes_ - std::min(raw_.size(), most_bytes_);
    const std::string_view window = bytes.substr(0, std::max<size_t>(room, 1));
    const size_t end = line_end_in(window);
    raw_ += window.substr(0, end);
    bytes.remove_prefix(end);
    if (end > 0) oversized_blank_ = false;
    if (end < window.size()) {
      raw_ += bytes.front();
      bytes.remove_prefix(1);
      after_cr_ = raw_.back() == '\r';
      if (!after_cr_ && end_line(frame)) return true;
    } else if (!oversized_ && raw_.size() >= most_bytes_) {
      pass_over();
    }
  }
  if (!oversized_ || after_cr_ || raw_.empty()) return false;
  take(frame);
  frame.kind = SseFrame::Kind::kOversized;
  return true;
}

bool SseReader::finish(SseFrame& frame) {
  if (raw_.empty()) return false;
  const bool was_oversized = std::exchange(oversized_, false);
  if (!was_oversized && (after_cr_ || line_ < raw_.size())) add_line_end();
  after_cr_ = false;
  take(frame);
  if (was_oversized) frame.kind = SseFrame::Kind::kOversized;
  return true;
}

}  // namespace vsr::chat
