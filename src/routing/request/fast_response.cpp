#include "routing/request/fast_response.h"

#include <ctime>
#include <nlohmann/json.hpp>

namespace vsr::routing {
namespace {

using Json = nlohmann::ordered_json;

Json object_of(const char* kind) {
  return {{"id", "vsr-fast-response"},
          {"object", kind},
          {"created", static_cast<int64_t>(std::time(nullptr))},
          {"model", "vsr"}};
}

std::string written(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string whole(const std::string& message) {
  const Json said = {{"role", "assistant"}, {"content", message}};
  Json json = object_of("chat.completion");
  json["choices"] = {{{"index", 0}, {"message", said}, {"finish_reason", "stop"}}};
  return written(json);
}

std::string streamed(const std::string& message, bool include_usage) {
  const Json chunk = object_of("chat.completion.chunk");
  std::string events;
  const auto send = [&](Json choices, const Json& usage) {
    Json json = chunk;
    json["choices"] = std::move(choices);
    if (include_usage) json["usage"] = usage;
    events += "data: " + written(json) + "\n\n";
  };
  const auto choice = [](Json delta, Json finish_reason) {
    return Json::array({{{"index", 0}, {"delta", std::move(delta)}, {"finish_reason", std::move(finish_reason)}}});
  };
  send(choice({{"role", "assistant"}, {"content", message}}, nullptr), nullptr);
  send(choice(Json::object(), "stop"), nullptr);
  if (include_usage) send(Json::array(), {{"prompt_tokens", 0}, {"completion_tokens", 0}, {"total_tokens", 0}});
  return events + "data: [DONE]\n\n";
}

}  // namespace

std::string fast_response(const std::string& message, const ChatRequest& request) {
  return request.stream ? streamed(message, request.include_usage) : whole(message);
}

}  // namespace vsr::routing
