#include "chat/answers/answer_body.h"

#include "chat/answers/answer_openai.h"
#include "chat/answers/answer_responses.h"
#include "chat/answers/json_members.h"

namespace vsr::chat {
namespace {

void read_choices(const Json& choices, std::vector<TextDelta>& texts) {
  for (size_t i = 0; i < choices.size(); ++i) {
    const int32_t index = index_or(choices[i], "index", static_cast<int32_t>(i));
    const std::string place = "/choices/" + std::to_string(i);
    if (const Json* message = find_member(choices[i], "message")) {
      read_chat_message(*message, place + "/message", index, texts);
    } else if (const std::string* text = find_text(choices[i], "text")) {
      texts.push_back({{index, LaneField::kText, 0}, *text, place + "/text"});
    }
  }
}

void read_output(const Json& body, const Json& output, std::vector<TextDelta>& texts) {
  std::vector<TextRepeat> places;
  for (size_t i = 0; i < output.size(); ++i) {
    read_output_item(output[i], "/output/" + std::to_string(i), static_cast<int32_t>(i), places);
  }
  for (const TextRepeat& place : places) {
    texts.push_back({place.lane, body[Json::json_pointer(place.place)].get<std::string>(), place.place});
  }
}

void read_content(const Json& content, std::vector<TextDelta>& texts) {
  for (size_t i = 0; i < content.size(); ++i) {
    const std::string place = "/content/" + std::to_string(i);
    if (const std::string* text = find_text(content[i], "text")) {
      texts.push_back({{static_cast<int32_t>(i), LaneField::kText, 0}, *text, place + "/text"});
    }
    if (const std::string* text = find_text(content[i], "thinking")) {
      texts.push_back({{static_cast<int32_t>(i), LaneField::kReasoning, 0}, *text, place + "/thinking"});
    }
    if (const Json* input = find_member(content[i], "input")) {  // an object, read as it is written
      texts.push_back({{static_cast<int32_t>(i), LaneField::kTool, 0}, dump_json(*input), {}});
    }
  }
}

}  // namespace

bool read_answer_body(const Json& body, std::vector<TextDelta>& texts) {
  if (const Json* choices = find_array(body, "choices")) {
    read_choices(*choices, texts);
  } else if (const Json* output = find_array(body, "output")) {
    read_output(body, *output, texts);
  } else if (const Json* content = find_array(body, "content")) {
    read_content(*content, texts);
  } else {
    return false;
  }
  return true;
}

void mark_filtered(Json& body) {
  if (find_array(body, "choices") != nullptr) {
    for (Json& choice : body["choices"]) {
      if (choice.is_object()) choice["finish_reason"] = "content_filter";
    }
  } else if (find_array(body, "output") != nullptr) {
    body["status"] = "incomplete";
    body["incomplete_details"] = {{"reason", "content_filter"}};
  } else {
    body["stop_reason"] = "refusal";
  }
}

}  // namespace vsr::chat
