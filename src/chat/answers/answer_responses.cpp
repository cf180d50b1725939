#include "chat/answers/answer_responses.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "chat/answers/json_members.h"

namespace vsr::chat {
namespace {

constexpr size_t kMostItems = 256;
constexpr size_t kMostKept = size_t{1} << 20;  // bytes of the response and its items

// What the type of an event says its text is, by a part of its name.
struct FieldName {
  std::string_view part;
  LaneField field;
};
constexpr std::array<FieldName, 6> kFields{{
    {"reasoning", LaneField::kReasoning},
    {"refusal", LaneField::kRefusal},
    {"arguments", LaneField::kTool},
    {"input", LaneField::kTool},
    {"code", LaneField::kTool},
    {"", LaneField::kText},
}};
constexpr std::array<const char*, 6> kWholeTexts{"text", "refusal", "arguments", "input", "code", "transcript"};

LaneField field_of(std::string_view type) {
  return std::find_if(kFields.begin(), kFields.end(),
                      [&](const FieldName& name) { return type.find(name.part) != std::string_view::npos; })
      ->field;
}

LaneKey lane_of(const Json& data, std::string_view type) {
  return {index_or(data, "output_index", 0), field_of(type),
          index_or(data, "content_index", index_or(data, "summary_index", 0))};
}

// A part of an item's content, or of its summary.
void read_part(const Json& part, const std::string& place, LaneKey lane, std::vector<TextRepeat>& texts) {
  if (lane.field != LaneField::kReasoning && text_or_empty(part, "type").starts_with("reasoning")) {
    lane.field = LaneField::kReasoning;
  }
  for (const char* key : {"text", "transcript"}) {
    if (find_text(part, key) != nullptr) texts.push_back({lane, place + "/" + key});
  }
  lane.field = LaneField::kRefusal;
  if (find_text(part, "refusal") != nullptr) texts.push_back({lane, place + "/refusal"});
}

class ResponsesFormat : public AnswerFormat {
 public:
  void read(const Json& data, std::string_view line_type, Reading& reading) override {
    const std::string_view own = text_or_empty(data, "type");
    const std::string_view type = own.empty() ? line_type : own;
    sequence_ = std::max(sequence_, index_or(data, "sequence_number", -1) + 1);
    const int32_t output = index_or(data, "output_index", 0);
    if (type == "response.created") {
      keep_response(data);
    } else if (type == "response.output_item.added" || type == "response.output_item.done") {
      const Json* item = find_member(data, "item");
      if (item == nullptr) return;
      read_output_item(*item, "/item", output, reading.repeats);
      const bool done = type.ends_with(".done");
      if (done) reading.finished_choices.push_back(output);
      keep_item(*item, output, done);
    } else if (type == "response.content_part.added" || type == "response.content_part.done" ||
               type == "response.reasoning_summary_part.added" || type == "response.reasoning_summary_part.done") {
      if (const Json* part = find_member(data, "part")) read_part(*part, "/part", lane_of(data, type), reading.repeats);
    } else if (type == "response.completed" || type == "response.incomplete" || type == "response.failed") {
      read_end(data, reading);
    } else if (type.ends_with(".delta")) {
      // Sound is no text.
      if (type == "response.audio.delta" || type.find("partial_image") != std::string_view::npos) return;
      const std::string* text = find_text(data, "delta");
      if (text == nullptr) {
        reading.unknown = find_member(data, "delta") != nullptr;
      } else if (!text->empty()) {
        reading.deltas.push_back({lane_of(data, type), *text, "/delta"});
      }
    } else if (type.ends_with(".done")) {
      const LaneKey lane = lane_of(data, type);
      for (const char* key : kWholeTexts) {
        if (find_text(data, key) != nullptr) reading.repeats.push_back({lane, std::string("/") + key});
      }
      reading.finished.push_back(lane);
    }
  }

  std::string text_event(const LaneKey& lane, std::string_view text) override {
    Json data{{"type", "response.output_text.delta"}, {"output_index", lane.choice}, {"content_index", lane.index},
              {"item_id", item_id(lane.choice)},      {"logprobs", Json::array()},   {"delta", text}};
    return numbered("response.output_text.delta", data, true);
  }

  std::string note_event(const Json& note) override {
    Json data = note;
    data["type"] = "vsr.guard";
    return sse_event("vsr.guard", data);
  }

  bool keeps_text() const override { return true; }

  std::string ending(const Sent& sent) override {
    for (const int32_t output : sent.unclosed) items_[output].done.reset();
    std::string events;
    for (auto& [output, item] : items_) {
      if (item.done) continue;
      Json content = Json::array();
      for (const SentText& text : sent.texts) {
        if (text.lane.choice == output && text.lane.field == LaneField::kText) close_part(text, content, events);
      }
      if (item.json.value("type", "") == "message") item.json["content"] = std::move(content);
      item.json["status"] = "incomplete";
      Json done{{"type", "response.output_item.done"}, {"output_index", output}, {"item", item.json}};
      events += numbered("response.output_item.done", done, false);
    }
    Json response = response_;
    response["status"] = "incomplete";
    response["incomplete_details"] = {{"reason", "content_filter"}};
    response["output"] = Json::array();
    for (const auto& [output, item] : items_) response["output"].push_back(item.done.value_or(item.json));
    Json last{{"type", "response.incomplete"}, {"response", std::move(response)}};
    return events + numbered("response.incomplete", last, false);
  }

  int64_t number_shift() const override { return shift_; }

 private:
  struct Item {
    Json json = Json::object();               // as it was added
    std::optional<Json> done = std::nullopt;  // as it was at its end
  };

  void close_part(const SentText& text, Json& content, std::string& events) {
    const Json part{{"type", "output_text"}, {"text", text.text}, {"annotations", Json::array()}};
    Json place{
        {"output_index", text.lane.choice}, {"content_index", text.lane.index}, {"item_id", item_id(text.lane.choice)}};
    Json done = place;
    done["type"] = "response.output_text.done";
    done["text"] = text.text;
    done["logprobs"] = Json::array();
    events += numbered("response.output_text.done", done, false);
    place["type"] = "response.content_part.done";
    place["part"] = part;
    events += numbered("response.content_part.done", place, false);
    content.push_back(part);
  }

  // An own event before others moves these by one; `between` says that others follow.
  std::string numbered(std::string_view type, Json& data, bool between) {
    // Before the event that is read now, whose number the own event takes.
    data["sequence_number"] = between ? std::max<int64_t>(sequence_ - 1, 0) + shift_ : closing_number();
    if (between) ++shift_;
    return sse_event(type, data);
  }

  // The event that is read now is not sent any more: the first closing event takes its number.
  int64_t closing_number() { return std::max<int64_t>(sequence_ - 1, 0) + shift_ + closing_++; }

  void keep_response(const Json& data) {
    const Json* response = find_member(data, "response");
    if (response == nullptr || !response->is_object() || dump_json(*response).size() > kMostKept) return;
    response_ = *response;
  }

  void keep_item(const Json& item, int32_t output, bool done) {
    if (!item.is_object() || (items_.size() >= kMostItems && !items_.contains(output))) return;
    const size_t size = dump_json(item).size();
    if (kept_ + size > kMostKept) return;
    kept_ += size;
    Item& kept = items_[output];
    if (done) {
      kept.done = item;
    } else {
      kept.json = item;
    }
  }

  std::string item_id(int32_t output) const {
    const auto item = items_.find(output);
    return item == items_.end() ? std::string() : std::string(text_or_empty(item->second.json, "id"));
  }

  static void read_end(const Json& data, Reading& reading) {
    reading.all_finished = reading.ends = true;
    const Json* response = find_member(data, "response");
    const Json* output = response == nullptr ? nullptr : find_array(*response, "output");
    if (output == nullptr) return;
    for (size_t i = 0; i < output->size(); ++i) {
      read_output_item((*output)[i], "/response/output/" + std::to_string(i), static_cast<int32_t>(i), reading.repeats);
    }
  }

  Json response_ = Json::object();
  std::map<int32_t, Item> items_;
  size_t kept_ = 0;
  int32_t sequence_ = 0;  // one more than the last number read
  int64_t shift_ = 0;     // own events so far
  int64_t closing_ = 0;
};

}  // namespace

void read_output_item(const Json& item, const std::string& place, int32_t output, std::vector<TextRepeat>& texts) {
  const std::string_view type = text_or_empty(item, "type");
  const LaneField own = type == "reasoning" ? LaneField::kReasoning : LaneField::kText;
  for (const char* list : {"content", "summary"}) {
    const Json* parts = find_array(item, list);
    if (parts == nullptr) continue;
    for (size_t i = 0; i < parts->size(); ++i) {
      read_part((*parts)[i], place + "/" + list + "/" + std::to_string(i), {output, own, static_cast<int32_t>(i)},
                texts);
    }
  }
  for (const char* key : {"arguments", "input", "code"}) {
    if (find_text(item, key) != nullptr) texts.push_back({{output, LaneField::kTool, 0}, place + "/" + key});
  }
}

bool is_responses_event(const Json& data, std::string_view type) {
  const std::string_view own = text_or_empty(data, "type");
  return (own.empty() ? type : own).starts_with("response.");
}

std::unique_ptr<AnswerFormat> make_responses_format() { return std::make_unique<ResponsesFormat>(); }

}  // namespace vsr::chat
