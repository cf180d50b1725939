#include <catch2/catch.hpp>

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
