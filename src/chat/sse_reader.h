// Server-sent events out of a body that arrives in pieces of any size, with the bytes they came as.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vsr::chat {

struct SseFrame {
  enum class Kind : uint8_t {
    kEvent,     // an event, or comments alone; ended by an empty line, or by the end of the body
    kOversized  // a part of an event that is longer than the limit, not read
  };
  Kind kind = Kind::kEvent;
  std::string raw;   // original bytes; those of all frames one after another are the body
  std::string type;  // the last `event` field; empty: none
  std::string data;  // the `data` fields joined with LF
  bool has_data = false;
};

// Reads as the HTML standard says: lines end with LF, CRLF or CR, a byte order mark before the first is skipped, lines
// that begin with a colon are comments, fields that it does not know are ignored. A CR that is the last byte so far
// waits for the next one, so that the same body gives the same frames however it is cut; but for that, an event is a
// frame with its last byte. Keeps no more than one unfinished event. One thread at a time.
class SseReader {
 public:
  // `most_bytes`: of one event, with all its lines.
  explicit SseReader(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Takes bytes from the front of `bytes`. True: `frame` is the next, ask again. False: all bytes are taken.
  bool next(std::string_view& bytes, SseFrame& frame);
  // What the body ended with, though no empty line follows it. False: nothing.
  bool finish(SseFrame& frame);
  // Bytes of an event that is not finished.
  size_t pending() const { return raw_.size(); }

 private:
  void read_line(std::string_view line);
  void take(SseFrame& frame);
  bool add_line_end();             // true: the line was empty
  bool end_line(SseFrame& frame);  // true: with it the event
  void pass_over();

  size_t most_bytes_;
  std::string raw_;              // of the event that is read
  size_t line_ = 0;              // where its current line begins
  bool after_cr_ = false;        // the last byte is a CR, and the line is not read yet
  bool first_line_ = true;       // of the body
  bool oversized_ = false;       // the rest of this event is passed over
  bool oversized_blank_ = true;  // its current line is empty so far
  std::string type_, data_;
  bool has_data_ = false;
};

}  // namespace vsr::chat
