// Streams of a table of words, in each of the formats, as their servers send them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::test {

// Words with the white space before them.
std::vector<std::string> pieces_of(std::string_view text);

std::string chat_stream(std::string_view text, std::string_view line_end = "\n");
std::string completion_stream(std::string_view text);
std::string responses_stream(std::string_view text);
std::string anthropic_stream(std::string_view text);

// What a client reads.
struct ReadEvent {
  std::string type;
  nlohmann::json data;
};
std::vector<ReadEvent> events_of(std::string_view body);
// The text of the first choice, block or output.
std::string text_of(std::string_view body);

}  // namespace vsr::test
