// The texts of one answer, each with its checker.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "guard/answer_checker.h"
#include "guard/safety_checker.h"
#include "guard/stream/stream_options.h"

namespace vsr::guard {

// A change of a lane's text: bytes of the original in [begin, end) give way to `text`.
struct LaneEdit {
  size_t begin = 0, end = 0;
  std::string text = {};
};

// Replaces parts of a text that begins at `offset` of its lane; the edits rise and do not overlap.
std::string edited(std::string_view text, size_t offset, const std::vector<LaneEdit>& edits);

class Lane {
 public:
  Lane(const chat::LaneKey& key, std::shared_ptr<const FactSet> facts, const StreamOptions& options);

  // Appends what is found. What a model throws is told by trouble(): the text counts as read all the same.
  void feed(std::string_view text, const base::CallLimits& limits, std::vector<StreamEvent>& found);
  // What follows after the end begins a text of its own.
  void finish(const base::CallLimits& limits, std::vector<StreamEvent>& found);

  const chat::LaneKey& key() const { return key_; }
  size_t length() const { return length_; }
  size_t checked() const;
  bool is_whole_text(std::string_view text) const;  // the same as was fed
  size_t claims() const;
  size_t claims_by_symbols() const;
  // Placeholders that were read since the last call, where they are to be put back.
  std::vector<PlaceholderFinder::Found> take_placeholders() { return std::exchange(placeholders_, {}); }
  std::string take_trouble() { return std::exchange(trouble_, {}); }

  std::vector<LaneEdit> edits = {};  // as they were made
  size_t acted = 0;                  // end of what a policy acted upon

 private:
  void begin();
  template <class Ask>
  void ask(std::vector<StreamEvent>& found, Ask&& ask_checkers);
  void add(std::vector<Event> events, std::vector<StreamEvent>& found) const;
  void forget_judged();
  std::string_view text(size_t begin, size_t end) const;

  chat::LaneKey key_;
  std::shared_ptr<const FactSet> facts_;
  CheckOptions checks_;
  SafetyOptions safety_options_;
  std::string question_;
  std::optional<AnswerChecker> grounding_;
  std::optional<SafetyChecker> safety_;
  std::optional<PlaceholderFinder> finder_;
  std::vector<PlaceholderFinder::Found> placeholders_;
  size_t length_ = 0;
  size_t base_ = 0;  // where the text of the present checkers begins
  uint64_t hash_;
  bool finished_ = false;
  std::string kept_;  // the end of the text, for events
  size_t kept_from_ = 0;
  size_t claims_ = 0, by_symbols_ = 0;  // of checkers before
  std::string trouble_;
};

class Lanes {
 public:
  static constexpr size_t kMost = 256;

  Lanes(std::shared_ptr<const FactSet> facts, StreamOptions options);

  // Null when there are kMost others.
  Lane* get(const chat::LaneKey& key);
  const Lane* find(const chat::LaneKey& key) const;
  std::map<chat::LaneKey, std::unique_ptr<Lane>>& all() { return lanes_; }
  const std::map<chat::LaneKey, std::unique_ptr<Lane>>& all() const { return lanes_; }
  size_t checked() const;  // of the lanes that are the answer's text

 private:
  std::shared_ptr<const FactSet> facts_;
  StreamOptions options_;
  std::map<chat::LaneKey, std::unique_ptr<Lane>> lanes_;
};

}  // namespace vsr::guard
