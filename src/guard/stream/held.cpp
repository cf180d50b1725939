#include "guard/stream/held.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "chat/answers/answer_body.h"

namespace vsr::guard {
namespace {

using chat::Json;

void add_edit(HeldText& span, LaneEdit edit) {
  const auto place = std::upper_bound(span.edits.begin(), span.edits.end(), edit.begin,
                                      [](size_t begin, const LaneEdit& other) { return begin < other.begin; });
  span.edits.insert(place, std::move(edit));
}

void change(Json& data, const std::string& place, const std::string& text) {
  const Json::json_pointer pointer(place);
  data[pointer] = text;
  // Probabilities of tokens that are not there any more say nothing.
  if (!place.starts_with("/choices/")) return;
  Json& choice = data["choices"][static_cast<size_t>(std::stoul(place.substr(9)))];
  if (choice.contains("logprobs")) choice["logprobs"] = nullptr;
}

// The lines of an event beside its name and data: ids, times to wait, comments.
std::string other_lines(std::string_view raw) {
  std::string lines;
  while (!raw.empty()) {
    const size_t end = std::min(raw.find_first_of("\r\n"), raw.size());
    const std::string_view line = raw.substr(0, end);
    if (line.starts_with("id") || line.starts_with("retry") || line.starts_with(':')) {
      lines += line;
      lines += '\n';
    }
    raw.remove_prefix(std::min(raw.size(), end + 1));
  }
  return lines;
}

}  // namespace

bool Held::changed() const {
  const auto has_edits = [](const HeldText& span) { return !span.edits.empty(); };
  return number_shift != 0 || filtered || std::any_of(spans.begin(), spans.end(), has_edits) ||
         std::any_of(repeats.begin(), repeats.end(), has_edits);
}

std::string Held::bytes() const {
  if (!changed()) return raw;
  if (is_text()) return edited(raw, spans.front().begin, spans.front().edits);
  if (data.empty()) return raw;
  Json json = base::parse_json(data, "event").node();
  for (const auto* list : {&spans, &repeats}) {
    for (const HeldText& span : *list) {
      if (span.edits.empty() || span.place.empty()) continue;
      change(json, span.place,
             edited(json[Json::json_pointer(span.place)].get_ref<const std::string&>(), span.begin, span.edits));
    }
  }
  if (number_shift != 0 && json.is_object()) {
    const auto number = json.find("sequence_number");
    if (number != json.end() && number->is_number_integer()) *number = number->get<int64_t>() + number_shift;
  }
  if (filtered) chat::mark_filtered(json);
  return whole_body ? chat::dump_json(json) : other_lines(raw) + chat::sse_event(type, json);
}

void HeldParts::push(Held part) {
  bytes_ += part.raw.size();
  if (part.since == std::chrono::steady_clock::time_point()) part.since = std::chrono::steady_clock::now();
  parts_.push_back(std::move(part));
}

void HeldParts::push_before_last(Held part) {
  bytes_ += part.raw.size();
  part.since = parts_.back().since;
  parts_.insert(parts_.end() - 1, std::move(part));
}

std::optional<LaneEdit> HeldParts::edit(const chat::LaneKey& lane, LaneEdit edit) {
  std::optional<LaneEdit> done;
  const bool inserts = edit.begin == edit.end;
  for (Held& part : parts_) {
    for (HeldText& span : part.spans) {
      if (span.lane != lane || (part.data.empty() == false && span.place.empty())) continue;
      if (inserts) {
        if (span.end < edit.begin) continue;
        const size_t at = std::max(edit.begin, span.begin);
        add_edit(span, {at, at, edit.text});
        return LaneEdit{at, at, edit.text};
      }
      if (span.end <= edit.begin || span.begin >= edit.end) continue;
      const LaneEdit own{std::max(edit.begin, span.begin), std::min(edit.end, span.end), done ? "" : edit.text};
      add_edit(span, own);
      if (!done) done = LaneEdit{own.begin, own.end, edit.text};
      done->end = own.end;
    }
  }
  return done;
}

void HeldParts::release(const std::function<size_t(const chat::LaneKey&)>& checked,
                        const std::function<void(const Held&)>& leave) {
  while (!parts_.empty()) {
    Held& part = parts_.front();
    size_t limit = 0;
    const bool may_go = std::all_of(part.spans.begin(), part.spans.end(), [&](const HeldText& span) {
      limit = checked(span.lane);
      return limit >= span.end;
    });
    if (may_go) {
      leave(part);
      bytes_ -= part.raw.size();
      parts_.pop_front();
      continue;
    }
    if (!part.is_text() || limit <= part.spans.front().begin) return;
    // What is judged of a text goes; edits lie in judged claims.
    HeldText& span = part.spans.front();
    Held first = part;
    const size_t size = limit - span.begin;
    first.raw.resize(size);
    first.spans.front().end = limit;
    part.raw.erase(0, size);
    span.begin = limit;
    span.edits.clear();
    bytes_ -= size;
    leave(first);
    return;
  }
}

void HeldParts::release_all(const std::function<void(const Held&)>& leave) {
  for (const Held& part : parts_) leave(part);
  clear();
}

void HeldParts::clear() {
  parts_.clear();
  bytes_ = 0;
}

}  // namespace vsr::guard
