// What a policy does about events, whatever the format of the stream.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "guard/stream/held.h"
#include "guard/stream/lanes.h"
#include "guard/stream/stream_options.h"

namespace vsr::guard {

// What a format can put into its stream. Empty results: it has no such thing.
class OwnEvents {
 public:
  virtual ~OwnEvents() = default;
  virtual std::string text_event(const chat::LaneKey& lane, std::string_view text) = 0;
  virtual std::string note_event(const chat::Json& note) = 0;
  virtual std::string ending(const chat::Sent& sent) = 0;
  virtual bool keeps_text() const = 0;  // ending() wants what was sent
};

// One stream's lanes, what it holds, and the step that is made. One thread at a time.
class PolicyRun {
 public:
  PolicyRun(std::shared_ptr<const FactSet> facts, StreamOptions options, OwnEvents& own);

  const StreamOptions& options() const { return options_; }
  bool observes() const { return only_observes(options_); }
  bool holds() const { return holds_; }
  bool ended() const { return ended_; }

  void begin_step();
  StreamStep take_step();
  void forward(std::string_view bytes);

  // What is read next is judged as part of `part`, which is held until settle().
  void hold(Held part) { held_.push(std::move(part)); }
  HeldParts& held() { return held_; }
  // Text of a lane. What is found is acted upon by act().
  void feed(const chat::LaneKey& lane, std::string_view text);
  void finish(const std::function<bool(const chat::LaneKey&)>& which);
  void finish_all();
  size_t length(const chat::LaneKey& lane);
  const Lane* find(const chat::LaneKey& lane) const { return lanes_.find(lane); }
  bool has_found() const { return !found_.empty(); }
  // Does what the policy says about all that was found since the last call.
  void act();
  // Sends on what may leave. `all`: nothing follows.
  void settle(bool all);
  // Something went unchecked: it passes, or ends the answer.
  void overload(std::string reason);
  void add_summary();

  // {"claims", "claims_by_symbols", "checked", "events": {kind: n}, "overloads", "reason", "ended"}
  chat::Json describe() const;

 private:
  Policy policy_of(const StreamEvent& event) const;
  void restore(const chat::LaneKey& key, Lane& lane);
  void act_upon(const StreamEvent& event);
  void warn(const StreamEvent& event, Lane& lane);
  void replace(const StreamEvent& event, Lane& lane);
  void note(const std::vector<StreamEvent>& events);
  void end_before(const StreamEvent& event, const Lane& lane);
  void terminate(const chat::LaneKey* lane, size_t at);
  void remember(Lane& lane, LaneEdit edit);
  // What of a part is left when the answer is ended.
  struct Kept {
    bool any = true;       // something
    bool all = true;       // nothing was cut
    bool is_last = false;  // the end is in it
  };
  Kept shorten(Held& part, const chat::LaneKey* lane, size_t at);
  void leave(const Held& part);
  void leave_texts(const Held& part);
  static void texts_of(const Held& part, const std::function<void(const chat::LaneKey&, const std::string&)>& take);
  void note_sent(const chat::LaneKey& lane, const std::string& text);
  void insert(std::string event);
  size_t limit_of(const chat::LaneKey& lane) const;

  StreamOptions options_;
  bool holds_;
  OwnEvents& own_;
  Lanes lanes_;
  HeldParts held_;
  StreamStep step_;
  std::vector<StreamEvent> found_;
  std::map<chat::LaneKey, std::string> sent_;
  size_t sent_bytes_ = 0;
  base::CallLimits step_limits_;
  size_t counts_[static_cast<size_t>(EventKind::kJailbreak) + 1] = {};
  size_t overloads_ = 0;
  std::string reason_;
  bool ended_ = false;
  std::optional<size_t> checked_;  // where the answer ended
  bool let_go_ = false;            // what is held passes unchecked
  bool summarised_ = false;
};

}  // namespace vsr::guard
