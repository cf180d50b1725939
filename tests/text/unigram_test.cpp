#include <catch2/catch.hpp>

#include "support/data.h"
#include "support/failure.h"
#include "text/inline_tokenizer.h"

using namespace vsr;
using test::cut;
using test::load_json;
using test::Strings;

TEST_CASE("unigram: the most probable cut wins, and unknown characters are one token", "[text]") {
  const std::string model = R"({"model": {"type": "Unigram", "unk_id": 0, "vocab": [["?", 0], ["a", -1], ["b", -1],
    ["ab", -1.5], ["abb", -4], ["▁", -2], ["▁a", -2.5]]}, "pre_tokenizer": {"type": "Metaspace", "replacement": "▁",
    "prepend_scheme": "always", "split": true}, "decoder": {"type": "Metaspace", "replacement": "▁",
    "prepend_scheme": "always", "split": true}})";
  const auto tokenizer = load_json(model);
  const auto found = cut(*tokenizer, "abb xyb");
  CHECK(found.tokens == Strings{"▁", "ab", "b", "▁", "?", "b"});
  CHECK(found.parts == Strings{"a", "ab", "b", " ", "xy", "b"});
  CHECK(tokenizer->decode({5, 3, 2, 6}, false) == "abb a");
}

TEST_CASE("sentencepiece: a model gives the library's tokens with byte offsets", "[text]") {
  const auto path = test::shared_data("tokenizers/sentencepiece/test_model.model");
  if (!path) return;
  const auto tokenizer = text::load_tokenizer(*path);
  CHECK(tokenizer->kind() == "SentencePiece");
  const std::string text = "Hello w\u00f6rld";
  const text::TokenSequence sequence = tokenizer->tokenize(text);
  REQUIRE_FALSE(sequence.ids.empty());
  CHECK(sequence.offsets.front().start == 0);
  CHECK(sequence.offsets.back().end == text.size());
  for (size_t i = 1; i < sequence.offsets.size(); ++i) {
    CHECK(sequence.offsets[i].start == sequence.offsets[i - 1].end);
  }
  CHECK(tokenizer->decode(tokenizer->tokenize("I saw a girl with a telescope.").ids, true) ==
        "I saw a girl with a telescope.");
  CHECK(test::failure_of([&] { tokenizer->decode({1 << 20}, true); }).status == base::Status::kInvalidArgument);
}

TEST_CASE("sentencepiece: a file that is no model is refused by name", "[text]") {
  const test::TempFolder folder;
  const std::string path = folder.write("broken.model", "no model at all");
  CHECK(test::failure_of([&] { text::load_tokenizer(path); }) ==
        test::Failure{base::Status::kParse, path + ": no sentencepiece model"});
}
