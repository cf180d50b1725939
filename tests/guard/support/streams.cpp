#include "guard/support/streams.h"

#include "chat/sse_reader.h"

namespace vsr::test {
namespace {

using nlohmann::json;

std::string event(const std::string& type, const json& data, std::string_view end = "\n") {
  std::string text;
  if (!type.empty()) text.append("event: ").append(type).append(end);
  return text.append("data: ").append(data.dump()).append(end).append(end);
}

json chat_chunk(const json& choices) {
  return {{"id", "chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG"},
          {"object", "chat.completion.chunk"},
          {"created", 1741569952},
          {"model", "gpt-4o-mini-2024-07-18"},
          {"service_tier", "default"},
          {"choices", choices},
          {"usage", nullptr},
          {"obfuscation", "k3J"}};
}

json chat_delta(const json& delta, const json& finish_reason = nullptr) {
  return json::array({{{"index", 0}, {"delta", delta}, {"logprobs", nullptr}, {"finish_reason", finish_reason}}});
}

}  // namespace

std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find(' ', i + 1), text.size());
    pieces.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return pieces;
}

std::string chat_stream(std::string_view text, std::string_view end) {
  std::string body = ": keepalive" + std::string(end) + std::string(end);
  body += event("", chat_chunk(chat_delta({{"role", "assistant"}, {"content", ""}, {"refusal", nullptr}})), end);
  for (const std::string& piece : pieces_of(text)) body += event("", chat_chunk(chat_delta({{"content", piece}})), end);
  body += event("", chat_chunk(chat_delta(json::object(), "stop")), end);
  json usage = chat_chunk(json::array());
  usage["usage"] = {{"prompt_tokens", 21}, {"completion_tokens", 30}, {"total_tokens", 51}};
  return body + event("", usage, end) + "data: [DONE]" + std::string(end) + std::string(end);
}

std::string completion_stream(std::string_view text) {
  std::string body;
  const auto chunk = [](const std::string& piece, const json& reason) {
    return json{{"id", "cmpl-7"},
                {"object", "text_completion"},
                {"created", 1741569952},
                {"model", "gpt-3.5-turbo-instruct"},
                {"choices", {{{"index", 0}, {"text", piece}, {"logprobs", nullptr}, {"finish_reason", reason}}}}};
  };
  for (const std::string& piece : pieces_of(text)) body += event("", chunk(piece, nullptr));
  return body + event("", chunk("", "stop")) + "data: [DONE]\n\n";
}

std::string responses_stream(std::string_view text) {
  int number = 0;
  std::string body;
  const auto send = [&](json data) {
    data["sequence_number"] = number++;
    body += event(data["type"], data);
  };
  json response{{"id", "resp_1"},
                {"object", "response"},
                {"status", "in_progress"},
                {"model", "gpt-4o"},
                {"output", json::array()}};
  send({{"type", "response.created"}, {"response", response}});
  send({{"type", "response.in_progress"}, {"response", response}});
  json item{{"id", "msg_1"},
            {"type", "message"},
            {"status", "in_progress"},
            {"role", "assistant"},
            {"content", json::array()}};
  send({{"type", "response.output_item.added"}, {"output_index", 0}, {"item", item}});
  json part{{"type", "output_text"}, {"text", ""}, {"annotations", json::array()}};
  const json place{{"item_id", "msg_1"}, {"output_index", 0}, {"content_index", 0}};
  const auto at_place = [&](json data) {
    data.update(place);
    send(data);
  };
  at_place({{"type", "response.content_part.added"}, {"part", part}});
  for (const std::string& piece : pieces_of(text)) {
    at_place({{"type", "response.output_text.delta"}, {"delta", piece}, {"logprobs", json::array()}});
  }
  at_place({{"type", "response.output_text.done"}, {"text", text}, {"logprobs", json::array()}});
  part["text"] = text;
  at_place({{"type", "response.content_part.done"}, {"part", part}});
  item["content"] = json::array({part});
  item["status"] = "completed";
  send({{"type", "response.output_item.done"}, {"output_index", 0}, {"item", item}});
  response["output"] = json::array({item});
  response["status"] = "completed";
  send({{"type", "response.completed"}, {"response", response}});
  return body;
}

std::string anthropic_stream(std::string_view text) {
  std::string body;
  const auto send = [&](const json& data) { body += event(data["type"], data); };
  send({{"type", "message_start"},
        {"message",
         {{"id", "msg_1"},
          {"type", "message"},
          {"role", "assistant"},
          {"model", "claude"},
          {"content", json::array()},
          {"stop_reason", nullptr},
          {"usage", {{"input_tokens", 25}, {"output_tokens", 1}}}}}});
  send({{"type", "content_block_start"}, {"index", 0}, {"content_block", {{"type", "text"}, {"text", ""}}}});
  send({{"type", "ping"}});
  for (const std::string& piece : pieces_of(text)) {
    send({{"type", "content_block_delta"}, {"index", 0}, {"delta", {{"type", "text_delta"}, {"text", piece}}}});
  }
  send({{"type", "content_block_stop"}, {"index", 0}});
  send({{"type", "content_block_start"},
        {"index", 1},
        {"content_block", {{"type", "tool_use"}, {"id", "t"}, {"name", "pay"}, {"input", json::object()}}}});
  send({{"type", "content_block_delta"},
        {"index", 1},
        {"delta", {{"type", "input_json_delta"}, {"partial_json", "{\"amount\": 77"}}}});
  send({{"type", "content_block_delta"},
        {"index", 1},
        {"delta", {{"type", "input_json_delta"}, {"partial_json", "7}"}}}});
  send({{"type", "content_block_stop"}, {"index", 1}});
  send({{"type", "message_delta"},
        {"delta", {{"stop_reason", "tool_use"}, {"stop_sequence", nullptr}}},
        {"usage", {{"output_tokens", 42}}}});
  send({{"type", "message_stop"}});
  return body;
}

std::vector<ReadEvent> events_of(std::string_view body) {
  chat::SseReader reader(1 << 24);
  chat::SseFrame frame;
  std::vector<ReadEvent> events;
  const auto add = [&] {
    if (frame.has_data)
      events.push_back({frame.type, frame.data == "[DONE]" ? json("[DONE]") : json::parse(frame.data)});
  };
  while (reader.next(body, frame)) add();
  if (reader.finish(frame)) add();
  return events;
}

std::string text_of(std::string_view body) {
  std::string text;
  for (const ReadEvent& read : events_of(body)) {
    const json& data = read.data;
    if (!data.is_object()) continue;
    if (data.contains("choices")) {
      for (const json& choice : data["choices"]) {
        if (choice.value("index", 0) != 0) continue;
        if (choice.contains("text")) text += choice["text"].get<std::string>();
        if (choice.contains("delta") && choice["delta"].contains("content") && choice["delta"]["content"].is_string()) {
          text += choice["delta"]["content"].get<std::string>();
        }
      }
    } else if (data.value("type", "") == "content_block_delta" && data["delta"].contains("text")) {
      text += data["delta"]["text"].get<std::string>();
    } else if (data.value("type", "") == "response.output_text.delta") {
      text += data["delta"].get<std::string>();
    }
  }
  return text;
}

}  // namespace vsr::test
