// Parts of a stream on their way out, in order, with the changes that are to be made to their texts.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "guard/stream/lanes.h"

namespace vsr::guard {

struct HeldText {
  chat::LaneKey lane = {};
  size_t begin = 0, end = 0;         // bytes of the lane's text
  std::string place = {};            // JSON pointer in `data`; empty: `raw` is the text itself
  std::vector<LaneEdit> edits = {};  // rising, apart
};

struct Held {
  std::string raw = {};     // the bytes as they came
  std::string type = {};    // of the event
  std::string data = {};    // its JSON; empty: there is none to change
  bool whole_body = false;  // `data` is the body, no event
  bool filtered = false;    // the body says that a filter stopped it
  std::vector<HeldText> spans = {};
  std::vector<HeldText> repeats = {};  // whole texts of lanes, edited as these were
  std::vector<int32_t> closes = {};    // choices, blocks or items that the event ends
  int64_t number_shift = 0;            // of "sequence_number"
  std::chrono::steady_clock::time_point since = {};

  bool is_text() const { return data.empty() && !spans.empty(); }
  bool changed() const;
  // The bytes that leave.
  std::string bytes() const;
};

class HeldParts {
 public:
  bool empty() const { return parts_.empty(); }
  size_t bytes() const { return bytes_; }  // of the originals
  std::chrono::steady_clock::time_point oldest() const { return parts_.front().since; }
  Held& last() { return parts_.back(); }
  std::deque<Held>& all() { return parts_; }

  void push(Held part);
  void push_before_last(Held part);
  // Edits [begin, end) of a lane in what is still held; what has left stays as it is. Says what was edited, or nothing
  // where none of it is held. An empty range inserts, at the latest place that is held if `begin` has left.
  std::optional<LaneEdit> edit(const chat::LaneKey& lane, LaneEdit edit);
  // Hands out, in order, what may go: `checked` says of a lane how far. Texts without JSON go in part.
  void release(const std::function<size_t(const chat::LaneKey&)>& checked,
               const std::function<void(const Held&)>& leave);
  void release_all(const std::function<void(const Held&)>& leave);
  void clear();

 private:
  std::deque<Held> parts_;
  size_t bytes_ = 0;
};

}  // namespace vsr::guard
