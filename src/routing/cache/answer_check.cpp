#include "routing/cache/answer_check.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "facts/fold.h"

namespace vsr::routing {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view without_leading_space(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text;
}

const Json* member(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

// Whether a message, or a part of one, has something that a client would show or do.
bool says_something(const Json& message) {
  for (const char* name : {"content", "refusal", "tool_calls", "function_call", "audio"}) {
    const Json* value = member(message, name);
    if (value == nullptr) continue;
    if (!value->is_string() ? !value->empty() : !facts::is_blank(value->get_ref<const std::string&>())) return true;
  }
  return false;
}

// The choices of an answer, over all of its chunks.
class Choices {
 public:
  // What is wrong with the chunk; empty: nothing. `part`: the name of what a choice says in it.
  std::string add(const Json& chunk, const char* part) {
    const Json* object = member(chunk, "object");
    if (member(chunk, "error") != nullptr || (object != nullptr && *object == "error")) return "it is an error";
    const Json* choices = member(chunk, "choices");
    if (choices == nullptr || !choices->is_array()) return "it has no choices";
    for (const Json& choice : *choices) {
      const Json* index = member(choice, "index");
      const int64_t number = index != nullptr && index->is_number_integer() ? index->get<int64_t>() : 0;
      bool& done = done_[number];
      if (const Json* reason = member(choice, "finish_reason")) {
        if (*reason == "error" || *reason == "abort" || *reason == "content_filter" || *reason == "length") {
          return "a choice ends with \"" + reason->get<std::string>() + "\"";
        }
        done = true;
      }
      // A body may leave the reason out, and then it is whole all the same; null says that there is more to come.
      if (part == kWhole && choice.is_object() && !choice.contains("finish_reason")) done = true;
      const Json* said = member(choice, part);
      says_something_ = says_something_ || (said != nullptr && says_something(*said));
    }
    return {};
  }

  std::string verdict() const {
    if (done_.empty()) return "it has no choices";
    for (const auto& [index, done] : done_) {
      if (!done) return "a choice has no finish_reason";
    }
    return says_something_ ? "" : "it says nothing";
  }

  static constexpr const char* kWhole = "message";
  static constexpr const char* kPart = "delta";

 private:
  std::map<int64_t, bool> done_;
  bool says_something_ = false;
};

// What begins so was meant to be JSON, whole or not; gateways' own texts may begin with a quotation mark.
bool begins_as_json(std::string_view answer) { return answer.front() == '{' || answer.front() == '['; }

std::string why_not_body(const Json& json) {
  if (json.is_discarded()) return "it is JSON that is cut or broken";
  if (!json.is_object()) return "it is JSON and no chat completion";
  Choices choices;
  const std::string wrong = choices.add(json, Choices::kWhole);
  return wrong.empty() ? choices.verdict() : wrong;
}

std::string_view next_line(std::string_view& text) {
  const size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  const bool pair = text.substr(end).starts_with("\r\n");
  text.remove_prefix(std::min(text.size(), end + (pair ? 2 : 1)));
  return line;
}

bool is_event_field(std::string_view line) {
  const std::string_view name = line.substr(0, line.find(':'));
  return line.starts_with(':') || name == "data" || name == "event" || name == "id" || name == "retry";
}

class Stream {
 public:
  std::string check(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = next_line(text);
      if (line.empty()) {
        if (std::string wrong = end_event(); !wrong.empty()) return wrong;
        continue;
      }
      if (!is_event_field(line)) return "it is no stream of events";
      if (line.starts_with("event:") && line.find("error") != line.npos) return "it is an error";
      if (!line.starts_with("data:")) continue;
      if (!data_.empty()) data_ += '\n';
      data_ += line.substr(line.starts_with("data: ") ? 6 : 5);
    }
    // Many servers leave out the last blank line.
    if (std::string wrong = end_event(); !wrong.empty()) return wrong;
    return done_ ? choices_.verdict() : "it ends without [DONE]";
  }

 private:
  std::string end_event() {
    if (data_.empty()) return {};
    const std::string data = std::exchange(data_, {});
    if (done_) return "it goes on after [DONE]";
    done_ = data == "[DONE]";
    if (done_) return {};
    const Json json = Json::parse(data, nullptr, false);
    return json.is_discarded() ? "a chunk is no JSON" : choices_.add(json, Choices::kPart);
  }

  Choices choices_;
  std::string data_;
  bool done_ = false;
};

}  // namespace

std::string why_not_kept(std::string_view answer, bool stream) {
  answer = without_leading_space(answer);
  if (answer.starts_with(kByteOrderMark)) answer = without_leading_space(answer.substr(kByteOrderMark.size()));
  if (answer.empty()) return "it is empty";
  if (stream) return Stream().check(answer);
  if (answer.front() == '<') return "it is markup";
  // The parser takes a NUL for the end of what it reads.
  const bool has_nul = answer.find('\0') != answer.npos;
  const Json json = has_nul ? Json(Json::value_t::discarded) : Json::parse(answer, nullptr, false);
  if (!json.is_discarded() || begins_as_json(answer)) return why_not_body(json);
  std::string_view rest = answer;
  const std::string_view line = next_line(rest);
  const bool event = line.find(':') != line.npos && is_event_field(line);
  return event ? "it is a stream, and the request asked for none" : "";
}

}  // namespace vsr::routing
