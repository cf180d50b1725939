#include "guard/stream/policy_run.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "guard/mask/json_strings.h"

namespace vsr::guard {
namespace {

using chat::Json;
using chat::LaneField;
using chat::LaneKey;

constexpr size_t kMostEdits = 4096;
constexpr size_t kMostRestored = 65536;  // edits of a text in which placeholders are put back
constexpr size_t kMostSent = size_t{1} << 20;

Json describe_event(const StreamEvent& event) {
  Json json{{"kind", event_kind_name(event.kind)},
            {"start", event.begin},
            {"end", event.end},
            {"text", event.text},
            {"claim", event.claim},
            {"score", event.score},
            {"choice", event.lane.choice},
            {"field", chat::lane_field_name(event.lane.field)},
            {"index", event.lane.index}};
  json["fact"] = event.fact < 0 ? Json(nullptr) : Json(event.fact);
  return json;
}

}  // namespace

PolicyRun::PolicyRun(std::shared_ptr<const FactSet> facts, StreamOptions options, OwnEvents& own)
    : options_(std::move(options)),
      // What has left cannot be replaced.
      holds_(!only_observes(options_) && (options_.hold || options_.restoring || does(options_, Policy::kReplace))),
      own_(own),
      lanes_(std::move(facts), options_) {}

void PolicyRun::begin_step() {
  step_limits_ = {};
  step_limits_.deadline = base::deadline_in(options_.deadline_ms);
}

StreamStep PolicyRun::take_step() {
  step_.checked = checked_.value_or(lanes_.checked());
  step_.ended = ended_;
  return std::exchange(step_, {});
}

void PolicyRun::forward(std::string_view bytes) { step_.forward += bytes; }

void PolicyRun::feed(const LaneKey& key, std::string_view text) {
  Lane* lane = lanes_.get(key);
  if (lane == nullptr) return overload("the answer has more texts than are checked");
  lane->feed(text, step_limits_, found_);
  if (options_.restoring) restore(key, *lane);
  if (ended_) return;
  if (std::string trouble = lane->take_trouble(); !trouble.empty()) overload(std::move(trouble));
}

// What lies in the arguments of a call lies in a string of their JSON.
void PolicyRun::restore(const LaneKey& key, Lane& lane) {
  for (const PlaceholderFinder::Found& found : lane.take_placeholders()) {
    const auto value = options_.restoring->placeholders->value(found.text);
    if (!value && options_.restoring->fail_on_unknown) {
      ++overloads_;
      reason_ = "a placeholder that is not known";
      step_.overloaded = true;
      return terminate(&key, found.begin);
    }
    if (!value) continue;
    const std::string text = key.field == LaneField::kTool ? json_escaped(*value) : *value;
    if (auto done = held_.edit(key, {found.begin, found.end, text})) remember(lane, std::move(*done));
  }
}

void PolicyRun::finish(const std::function<bool(const LaneKey&)>& which) {
  for (auto& [key, lane] : lanes_.all()) {
    if (!which(key)) continue;
    lane->finish(step_limits_, found_);
    if (std::string trouble = lane->take_trouble(); !trouble.empty()) overload(std::move(trouble));
  }
}

void PolicyRun::finish_all() {
  finish([](const LaneKey&) { return true; });
}

size_t PolicyRun::length(const LaneKey& key) {
  const Lane* lane = lanes_.get(key);
  return lane == nullptr ? 0 : lane->length();
}

size_t PolicyRun::limit_of(const LaneKey& key) const {
  const Lane* lane = lanes_.find(key);
  return lane == nullptr ? SIZE_MAX : lane->checked();
}

void PolicyRun::act() {
  std::vector<StreamEvent> found = std::exchange(found_, {});
  if (found.empty()) return;
  // Of one claim, what is put in the place of a part comes before a marker after the whole.
  std::stable_sort(found.begin(), found.end(), [this](const StreamEvent& a, const StreamEvent& b) {
    const bool a_marks = policy_of(a) == Policy::kWarn, b_marks = policy_of(b) == Policy::kWarn;
    return std::tuple(a.lane, a.claim_begin, a_marks) < std::tuple(b.lane, b.claim_begin, b_marks);
  });
  std::vector<StreamEvent> noted;
  for (StreamEvent& event : found) {
    if (ended_) break;  // what follows was never to be read
    ++counts_[static_cast<size_t>(event.kind)];
    step_.events.push_back(event);
    const Policy policy = policy_of(event);
    if (event.score < options_.threshold || policy == Policy::kObserve) continue;
    if (policy == Policy::kAnnotate) {
      noted.push_back(std::move(event));
    } else {
      act_upon(event);
    }
  }
  if (!noted.empty()) note(noted);
}

Policy PolicyRun::policy_of(const StreamEvent& event) const {
  const bool safety = event.kind == EventKind::kPii || event.kind == EventKind::kJailbreak;
  return safety ? safety_policy(options_) : options_.policy;
}

void PolicyRun::act_upon(const StreamEvent& event) {
  Lane* lane = lanes_.get(event.lane);
  if (lane == nullptr) return;
  switch (policy_of(event)) {
    case Policy::kObserve:
    case Policy::kAnnotate:
      return;
    case Policy::kWarn:
      return warn(event, *lane);
    case Policy::kReplace:
      // A part of a call's JSON cannot be put another way.
      if (event.lane.field == LaneField::kTool) return end_before(event, *lane);
      return replace(event, *lane);
    case Policy::kTerminate:
      return end_before(event, *lane);
  }
}

void PolicyRun::end_before(const StreamEvent& event, const Lane& lane) {
  if (event.lane.field == LaneField::kText) checked_ = lanes_.checked() - lane.checked() + event.claim_end;
  terminate(&event.lane, event.claim_begin);
}

void PolicyRun::remember(Lane& lane, LaneEdit edit) {
  if (lane.edits.size() >= (options_.restoring ? kMostRestored : kMostEdits))
    return overload("the answer has more claims that are wrong than are changed");
  const auto place = std::upper_bound(lane.edits.begin(), lane.edits.end(), edit.begin,
                                      [](size_t begin, const LaneEdit& other) { return begin < other.begin; });
  lane.edits.insert(place, std::move(edit));
}

void PolicyRun::warn(const StreamEvent& event, Lane& lane) {
  if (event.lane.field == LaneField::kTool || event.claim_end <= lane.acted) return;
  lane.acted = event.claim_end;
  if (auto done = held_.edit(event.lane, {event.claim_end, event.claim_end, options_.marker})) {
    return remember(lane, std::move(*done));
  }
  if (event.lane.field != LaneField::kText) return;
  std::string own = own_.text_event(event.lane, options_.marker);
  if (own.empty()) return;
  insert(std::move(own));
  remember(lane, {lane.length(), lane.length(), options_.marker});
}

void PolicyRun::replace(const StreamEvent& event, Lane& lane) {
  const bool personal = event.kind == EventKind::kPii;  // what is said about it may stay
  const size_t begin = std::max(personal ? event.begin : event.claim_begin, lane.acted);
  const size_t end = personal ? event.end : event.claim_end;
  if (end <= begin) return;
  lane.acted = end;
  if (auto done = held_.edit(event.lane, {begin, end, options_.replacement})) return remember(lane, std::move(*done));
  overload("a claim had left before it was found wrong");
}

void PolicyRun::insert(std::string event) {
  Held own{.raw = std::move(event)};
  if (held_.empty()) {
    held_.push(std::move(own));
  } else {
    held_.push_before_last(std::move(own));
  }
}

void PolicyRun::note(const std::vector<StreamEvent>& events) {
  Json list = Json::array();
  for (const StreamEvent& event : events) list.push_back(describe_event(event));
  std::string own = own_.note_event({{"events", std::move(list)}});
  if (!own.empty()) insert(std::move(own));
}

void PolicyRun::add_summary() {
  if (!does(options_, Policy::kAnnotate) || ended_ || std::exchange(summarised_, true)) return;
  std::string own = own_.note_event({{"summary", describe()}});
  if (!own.empty()) insert(std::move(own));
}

// Cuts the part's texts: of `lane` at `at`, of all where they are not checked yet.
PolicyRun::Kept PolicyRun::shorten(Held& part, const LaneKey* lane, size_t at) {
  Kept kept{.any = part.spans.empty()};
  for (HeldText& span : part.spans) {
    const bool own_lane = lane != nullptr && span.lane == *lane;
    size_t limit = holds_ ? limit_of(span.lane) : (lane == nullptr ? span.begin : span.end);
    if (own_lane) limit = std::min(holds_ ? limit : span.end, at);
    kept.is_last = kept.is_last || (own_lane && span.end > at);
    if (limit >= span.end) {
      kept.any = true;
      continue;
    }
    limit = std::max(limit, span.begin);
    kept.any = kept.any || limit > span.begin;
    kept.all = false;
    std::erase_if(span.edits, [&](const LaneEdit& edit) { return edit.begin > limit; });
    span.edits.push_back({limit, span.end, ""});
  }
  return kept;
}

// What was before the claim leaves, as far as it is checked where claims are held; then the format's end.
void PolicyRun::terminate(const LaneKey* lane, size_t at) {
  if (ended_) return;
  ended_ = true;
  step_.ended = true;
  chat::Sent sent;
  const size_t parts = held_.all().size();
  size_t part_index = 0;
  bool over = false;
  for (Held& part : held_.all()) {
    const bool is_last = ++part_index == parts;
    Kept kept = over ? Kept{.any = false} : shorten(part, lane, at);
    if (is_last && part.spans.empty()) kept.any = false;  // what is read now has led here
    if (part.whole_body) part.filtered = kept.any = true;
    // An event that ends a choice as the server meant it would say that the cut text is whole.
    const bool ends_well = kept.all && kept.any;
    if (!ends_well) sent.unclosed.insert(sent.unclosed.end(), part.closes.begin(), part.closes.end());
    if (!part.closes.empty() && !ends_well && kept.any) {
      leave_texts(part);
    } else if (kept.any) {
      leave(part);
    }
    over = over || kept.is_last;
  }
  const bool body = !held_.empty() && held_.last().whole_body;
  held_.clear();
  if (body) return;
  if (sent_bytes_ <= kMostSent) {
    for (auto& [key, text] : sent_) sent.texts.push_back({key, std::move(text)});
  }
  sent_.clear();
  step_.forward += own_.ending(sent);
}

void PolicyRun::overload(std::string reason) {
  ++overloads_;
  reason_ = std::move(reason);
  step_.overloaded = true;
  if (options_.closed && !observes()) {
    terminate(nullptr, 0);
  } else {
    let_go_ = true;
  }
}

void PolicyRun::leave(const Held& part) {
  step_.forward += part.bytes();
  if (!does(options_, Policy::kTerminate) && !options_.closed) return;
  if (own_.keeps_text()) texts_of(part, [&](const LaneKey& lane, const std::string& text) { note_sent(lane, text); });
}

// In events of the format's own.
void PolicyRun::leave_texts(const Held& part) {
  texts_of(part, [&](const LaneKey& lane, const std::string& text) {
    if (lane.field != LaneField::kText || text.empty()) return;
    step_.forward += own_.text_event(lane, text);
    note_sent(lane, text);
  });
}

void PolicyRun::texts_of(const Held& part, const std::function<void(const LaneKey&, const std::string&)>& take) {
  for (const HeldText& span : part.spans) {
    if (span.place.empty()) continue;
    const Json data = base::parse_json(part.data, "event").node();
    take(span.lane, edited(data[Json::json_pointer(span.place)].get_ref<const std::string&>(), span.begin, span.edits));
  }
}

void PolicyRun::note_sent(const LaneKey& lane, const std::string& text) {
  if (sent_bytes_ > kMostSent) return;
  sent_bytes_ += text.size();
  sent_[lane] += text;
}

void PolicyRun::settle(bool all) {
  if (ended_) return held_.clear();
  const auto leaves = [&](const Held& part) { leave(part); };
  if (std::exchange(let_go_, false) || !holds_ || all) return held_.release_all(leaves);
  held_.release([&](const LaneKey& lane) { return limit_of(lane); }, leaves);
  if (held_.empty()) return;
  if (held_.bytes() > options_.hold_bytes) {
    overload("a claim is longer than what is held");
  } else if (options_.hold_ms > 0 &&
             std::chrono::steady_clock::now() - held_.oldest() > std::chrono::milliseconds(options_.hold_ms)) {
    overload("a claim was held for too long");
  }
  if (std::exchange(let_go_, false)) held_.release_all(leaves);
}

Json PolicyRun::describe() const {
  size_t claims = 0, by_symbols = 0;
  for (const auto& [key, lane] : lanes_.all()) {
    claims += lane->claims();
    by_symbols += lane->claims_by_symbols();
  }
  Json events = Json::object();
  for (size_t kind = 0; kind < std::size(counts_); ++kind) {
    if (counts_[kind] > 0) events[std::string(event_kind_name(static_cast<EventKind>(kind)))] = counts_[kind];
  }
  return {{"claims", claims}, {"claims_by_symbols", by_symbols}, {"checked", checked_.value_or(lanes_.checked())},
          {"events", events}, {"overloads", overloads_},         {"reason", reason_},
          {"ended", ended_}};
}

}  // namespace vsr::guard
