#include "chat/sse_reader.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using vsr::chat::SseFrame;
using vsr::chat::SseReader;

namespace {

std::vector<SseFrame> frames_of(std::string_view body, size_t piece, size_t most = 1 << 20) {
  SseReader reader(most);
  std::vector<SseFrame> frames;
  SseFrame frame;
  for (size_t i = 0; i < body.size(); i += piece) {
    std::string_view bytes = body.substr(i, piece);
    while (reader.next(bytes, frame)) frames.push_back(frame);
    CHECK(bytes.empty());
  }
  if (reader.finish(frame)) frames.push_back(frame);
  return frames;
}

std::string joined(const std::vector<SseFrame>& frames) {
  std::string body;
  for (const SseFrame& frame : frames) body += frame.raw;
  return body;
}

}  // namespace

TEST_CASE("sse: lines may end with LF, CRLF or CR, and events may be cut anywhere", "[chat]") {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const std::string body =
        "\xEF\xBB\xBF"
        "data: a" +
        end + "data:b" + end + "event: x" + end + end + ": note" + end + end + "id: 7" + end + "data" + end + end +
        "data: [DONE]" + end + end;
    for (size_t piece = 1; piece <= body.size(); ++piece) {
      const auto frames = frames_of(body, piece);
      REQUIRE(frames.size() == 4);
      CHECK(joined(frames) == body);
      CHECK(frames[0].data == "a\nb");
      CHECK(frames[0].type == "x");
      CHECK_FALSE(frames[1].has_data);
      CHECK(frames[2].has_data);
      CHECK(frames[2].data.empty());
      CHECK(frames[3].data == "[DONE]");
    }
  }
}

TEST_CASE("sse: an event is a frame with its last byte", "[chat]") {
  SseReader reader(1 << 20);
  SseFrame frame;
  std::string_view bytes = "data: 1\n\ndata: 2";
  REQUIRE(reader.next(bytes, frame));
  CHECK(frame.data == "1");
  CHECK_FALSE(reader.next(bytes, frame));
  CHECK(reader.pending() == 7);
  bytes = "\r\n\r\n";
  REQUIRE(reader.next(bytes, frame));
  CHECK(frame.raw == "data: 2\r\n\r\n");
}

TEST_CASE("sse: an event beyond the limit passes in parts and takes no memory", "[chat]") {
  const std::string body = "data: " + std::string(5000, 'x') + "\n\ndata: y\n\n";
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{1000}, body.size()}) {
    const auto frames = frames_of(body, piece, 100);
    CHECK(joined(frames) == body);
    REQUIRE(frames.size() >= 2);
    for (size_t i = 0; i + 1 < frames.size(); ++i) CHECK(frames[i].kind == SseFrame::Kind::kOversized);
    CHECK(frames.back().data == "y");
  }
}

TEST_CASE("sse: what an unfinished body ends with is read, too", "[chat]") {
  const auto frames = frames_of("data: 1\n\ndata: [DONE]", 4);
  REQUIRE(frames.size() == 2);
  CHECK(frames[1].data == "[DONE]");
  CHECK(frames_of("data: 1\r", 1).at(0).data == "1");
}
