// Tables of added tokens that contradict the vocabulary, or are enormous.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/failure.h"
#include "text/inline_tokenizer.h"

using namespace vsr;

namespace {

std::string entry(int64_t id, const std::string& content) {
  return R"({"id": )" + std::to_string(id) + R"(, "content": ")" + content +
         R"(", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true})";
}

// A vocabulary of "a" and "b", and these added tokens.
std::string with_added(const std::vector<std::string>& entries) {
  std::string list;
  for (const std::string& one : entries) list += (list.empty() ? "" : ", ") + one;
  return R"({"version": "1.0", "added_tokens": [)" + list +
         R"(], "normalizer": null, "pre_tokenizer": null, "post_processor": null, "decoder": null,
          "model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"}})";
}

std::string load_error(const std::vector<std::string>& entries) {
  const test::Failure failure = test::failure_of([&] { test::load_json(with_added(entries)); });
  if (!failure.status) return "";
  CHECK(failure.status == base::Status::kParse);
  return failure.message.substr(failure.message.find(": ") + 2);
}

}  // namespace

TEST_CASE("added tokens: ids that go in a circle, twice or too far are named", "[text][added]") {
  CHECK(load_error({entry(0, "a"), entry(1, "b"), entry(2, "<x>")}).empty());
  CHECK(load_error({entry(0, "b"), entry(1, "a")}) == "\"added_tokens[0]\" gives \"b\" id 0, expected 1");
  CHECK(load_error({entry(2, "<x>"), entry(2, "<y>")}) == "\"added_tokens[1]\" gives \"<y>\" id 2, expected 3");
  CHECK(load_error({entry(2, "<x>"), entry(3, "<x>")}) == "\"added_tokens[1]\" gives \"<x>\" id 3, expected 2");
  CHECK(load_error({entry(1'000'000'000, "<x>")}) == "\"added_tokens[0]\" gives \"<x>\" id 1000000000, expected 2");
  CHECK(load_error({entry(2, std::string(5000, 'z'))}) ==
        "\"added_tokens[0].content\" has 5000 bytes, at most 4096 are allowed");
}

TEST_CASE("added tokens: a table of fifty thousand loads, and tokens inside one another cost linear time",
          "[text][added]") {
  std::vector<std::string> entries;
  for (int i = 0; i < 50'000; ++i) entries.push_back(entry(2 + i, "<t" + std::to_string(i) + ">"));
  const auto many = test::load_json(with_added(entries));
  CHECK(many->tokenize("<t49999><t7>").ids == std::vector<int32_t>{50'001, 9});
  entries.clear();
  for (int i = 1; i <= 1000; ++i) entries.push_back(entry(1 + i, std::string(static_cast<size_t>(i), 'z')));
  const auto nested = test::load_json(with_added(entries));
  CHECK(nested->tokenize(std::string(1'000'500, 'z')).ids.size() == 1001);  // a thousand of the longest, and one of 500
}
