#include "chat/answers/answer_anthropic.h"

#include <algorithm>
#include <array>
#include <set>

#include "chat/answers/json_members.h"

namespace vsr::chat {
namespace {

constexpr size_t kMostBlocks = 1024;
constexpr std::array<std::string_view, 8> kTypes{"message_start",
                                                 "content_block_start",
                                                 "content_block_delta",
                                                 "content_block_stop",
                                                 "message_delta",
                                                 "message_stop",
                                                 "ping",
                                                 "error"};

struct DeltaKind {
  const char* key;
  LaneField field;
};
constexpr std::array<DeltaKind, 3> kDeltas{{
    {"text", LaneField::kText},
    {"partial_json", LaneField::kTool},
    {"thinking", LaneField::kReasoning},
}};

class AnthropicFormat : public AnswerFormat {
 public:
  void read(const Json& data, std::string_view line_type, Reading& reading) override {
    const std::string_view own = text_or_empty(data, "type");
    const std::string_view type = own.empty() ? line_type : own;
    const int32_t index = index_or(data, "index", 0);
    if (type == "content_block_start") {
      if (open_.size() < kMostBlocks) open_.insert(index);
      read_block(data, "content_block", index, reading);
    } else if (type == "content_block_delta") {
      read_block(data, "delta", index, reading);
    } else if (type == "content_block_stop") {
      reading.finished_choices.push_back(index);
      open_.erase(index);
    } else if (type == "message_delta") {
      const Json* usage = find_member(data, "usage");
      if (usage != nullptr) output_tokens_ = index_or(*usage, "output_tokens", output_tokens_);
      reading.all_finished = true;
      reading.ends = !std::exchange(ended_, true);
    } else if (type == "message_stop") {
      reading.all_finished = true;
      reading.ends = !std::exchange(ended_, true);
    } else {
      reading.unknown = std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end();
    }
  }

  std::string text_event(const LaneKey& lane, std::string_view text) override {
    return sse_event(
        "content_block_delta",
        {{"type", "content_block_delta"}, {"index", lane.choice}, {"delta", {{"type", "text_delta"}, {"text", text}}}});
  }

  std::string note_event(const Json& note) override {
    Json data = note;
    data["type"] = "vsr.guard";
    return sse_event("vsr.guard", data);
  }

  std::string ending(const Sent& sent) override {
    open_.insert(sent.unclosed.begin(), sent.unclosed.end());
    std::string events;
    for (const int32_t index : open_) {
      events += sse_event("content_block_stop", {{"type", "content_block_stop"}, {"index", index}});
    }
    events += sse_event("message_delta", {{"type", "message_delta"},
                                          {"delta", {{"stop_reason", "refusal"}, {"stop_sequence", nullptr}}},
                                          {"usage", {{"output_tokens", output_tokens_}}}});
    return events + sse_event("message_stop", {{"type", "message_stop"}});
  }

 private:
  static void read_block(const Json& data, const char* key, int32_t index, Reading& reading) {
    const Json* block = find_member(data, key);
    if (block == nullptr) return;
    const Json* input = find_member(*block, "input");  // empty, but for servers that do not stream it
    reading.unknown = input != nullptr && input->is_structured() && !input->empty();
    for (const DeltaKind& kind : kDeltas) {
      const std::string* text = find_text(*block, kind.key);
      if (text == nullptr || text->empty()) continue;
      reading.deltas.push_back({{index, kind.field, 0}, *text, std::string("/") + key + "/" + kind.key});
    }
  }

  std::set<int32_t> open_;
  int32_t output_tokens_ = 0;
  bool ended_ = false;
};

}  // namespace

bool is_anthropic_event(const Json& data, std::string_view type) {
  const std::string_view own = text_or_empty(data, "type");
  const std::string_view said = own.empty() ? type : own;
  return std::find(kTypes.begin(), kTypes.end(), said) != kTypes.end();
}

std::unique_ptr<AnswerFormat> make_anthropic_format() { return std::make_unique<AnthropicFormat>(); }

}  // namespace vsr::chat
