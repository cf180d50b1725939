#include "chat/answers/answer_openai.h"

#include <map>

#include "chat/answers/json_members.h"

namespace vsr::chat {
namespace {

constexpr size_t kMostChoices = 1024;
constexpr int32_t kTranscript = 1;          // the index of a spoken text
constexpr int32_t kLegacyCall = 1'000'001;  // that of `function_call`

void add_text(const Json& object, const char* key, const std::string& place, const LaneKey& lane,
              std::vector<TextDelta>& deltas) {
  const std::string* text = find_text(object, key);
  if (text != nullptr && !text->empty()) deltas.push_back({lane, *text, place + "/" + key});
}

// Content in parts, as some servers stream it.
void add_parts(const Json& message, const std::string& place, int32_t choice, std::vector<TextDelta>& deltas) {
  const Json* parts = find_array(message, "content");
  if (parts == nullptr) return;
  for (size_t i = 0; i < parts->size(); ++i) {
    const std::string at = place + "/content/" + std::to_string(i);
    add_text((*parts)[i], "text", at, {choice, LaneField::kText, 0}, deltas);
    add_text((*parts)[i], "thinking", at, {choice, LaneField::kReasoning, 0}, deltas);
    add_text((*parts)[i], "refusal", at, {choice, LaneField::kRefusal, 0}, deltas);
  }
}

void add_tool_calls(const Json& message, const std::string& place, int32_t choice, std::vector<TextDelta>& deltas) {
  if (const Json* call = find_member(message, "function_call")) {
    add_text(*call, "arguments", place + "/function_call", {choice, LaneField::kTool, kLegacyCall}, deltas);
  }
  const Json* calls = find_array(message, "tool_calls");
  if (calls == nullptr) return;
  for (size_t i = 0; i < calls->size(); ++i) {
    const Json& call = (*calls)[i];
    const LaneKey lane{choice, LaneField::kTool, index_or(call, "index", static_cast<int32_t>(i))};
    const std::string at = place + "/tool_calls/" + std::to_string(i);
    if (const Json* function = find_member(call, "function")) {
      add_text(*function, "arguments", at + "/function", lane, deltas);
    }
    if (const Json* custom = find_member(call, "custom")) add_text(*custom, "input", at + "/custom", lane, deltas);
  }
}

class OpenAiFormat : public AnswerFormat {
 public:
  explicit OpenAiFormat(bool chat) : chat_(chat) {}

  void read(const Json& data, std::string_view, Reading& reading) override {
    if (find_member(data, "choices") != nullptr) remember(data);
    const Json* choices = find_array(data, "choices");
    if (choices == nullptr) return;
    for (size_t i = 0; i < choices->size(); ++i) {
      const Json& choice = (*choices)[i];
      const int32_t index = index_or(choice, "index", static_cast<int32_t>(i));
      const std::string place = "/choices/" + std::to_string(i);
      if (chat_) {
        for (const char* key : {"delta", "message"}) {
          if (const Json* message = find_member(choice, key)) {
            read_chat_message(*message, place + "/" + key, index, reading.deltas);
          }
        }
      } else {
        add_text(choice, "text", place, {index, LaneField::kText, 0}, reading.deltas);
      }
      const bool finished = find_text(choice, "finish_reason") != nullptr;
      if (open_.size() < kMostChoices || open_.contains(index)) open_[index] = !finished;
      if (finished) reading.finished_choices.push_back(index);
    }
  }

  std::string text_event(const LaneKey& lane, std::string_view text) override {
    return chunk(lane.choice, text, nullptr);
  }

  std::string note_event(const Json& note) override {
    Json data = head();
    data["choices"] = Json::array();
    data["vsr_guard"] = note;
    return sse_event("vsr.guard", data);
  }

  std::string ending(const Sent& sent) override {
    for (const int32_t choice : sent.unclosed) open_[choice] = true;
    std::string events;
    for (const auto& [choice, open] : open_) {
      if (open) events += chunk(choice, {}, "content_filter");
    }
    return events + "data: [DONE]\n\n";
  }

 private:
  void remember(const Json& data) {
    for (const char* key : {"id", "created", "model", "system_fingerprint"}) {
      const Json* member = find_member(data, key);
      if (member == nullptr || member->is_structured()) continue;
      if (member->is_string() && member->get_ref<const std::string&>().size() > 1024) continue;
      head_[key] = *member;
    }
  }

  Json head() const {
    Json data = head_;
    data["object"] = chat_ ? "chat.completion.chunk" : "text_completion";
    if (!data.contains("id")) data["id"] = "";
    if (!data.contains("created")) data["created"] = 0;
    if (!data.contains("model")) data["model"] = "";
    return data;
  }

  std::string chunk(int32_t index, std::string_view text, const char* finish_reason) const {
    Json choice{{"index", index}, {"logprobs", nullptr}, {"finish_reason", nullptr}};
    if (finish_reason != nullptr) choice["finish_reason"] = finish_reason;
    if (!chat_) {
      choice["text"] = text;
    } else {
      choice["delta"] = Json::object();
      if (finish_reason == nullptr) choice["delta"]["content"] = text;
    }
    Json data = head();
    data["choices"] = Json::array({std::move(choice)});
    return sse_event({}, data);
  }

  bool chat_;
  Json head_ = Json::object();
  std::map<int32_t, bool> open_;  // choices that were seen
};

}  // namespace

void read_chat_message(const Json& message, const std::string& place, int32_t choice, std::vector<TextDelta>& deltas) {
  // vLLM says "reasoning" where DeepSeek says "reasoning_content"; a server that sends both repeats itself.
  const char* reasoning = find_text(message, "reasoning_content") != nullptr ? "reasoning_content" : "reasoning";
  add_text(message, reasoning, place, {choice, LaneField::kReasoning, 0}, deltas);
  add_text(message, "content", place, {choice, LaneField::kText, 0}, deltas);
  add_parts(message, place, choice, deltas);
  add_text(message, "refusal", place, {choice, LaneField::kRefusal, 0}, deltas);
  if (const Json* audio = find_member(message, "audio")) {
    add_text(*audio, "transcript", place + "/audio", {choice, LaneField::kText, kTranscript}, deltas);
  }
  add_tool_calls(message, place, choice, deltas);
}

bool is_chat_chunk(const Json& data, std::string_view) {
  const Json* choices = find_array(data, "choices");
  if (choices == nullptr) return false;
  if (text_or_empty(data, "object").starts_with("chat.completion")) return true;
  for (const Json& choice : *choices) {
    if (find_member(choice, "delta") != nullptr || find_member(choice, "message") != nullptr) return true;
  }
  return false;
}

bool is_completion_chunk(const Json& data, std::string_view) { return find_array(data, "choices") != nullptr; }

std::unique_ptr<AnswerFormat> make_chat_format() { return std::make_unique<OpenAiFormat>(true); }
std::unique_ptr<AnswerFormat> make_completion_format() { return std::make_unique<OpenAiFormat>(false); }

}  // namespace vsr::chat
