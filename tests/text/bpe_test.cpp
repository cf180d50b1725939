#include <catch2/catch.hpp>

#include "support/failure.h"
#include "text/inline_tokenizer.h"

using namespace vsr;
using test::cut;
using test::load_json;
using test::Strings;

namespace {

std::string bpe(const std::string& options, const std::string& vocab, const std::string& merges,
                const std::string& rest = "") {
  return R"({"model": {"type": "BPE", )" + options + R"("vocab": )" + vocab + R"(, "merges": )" + merges + "}" + rest +
         "}";
}

// Letters a to d and what merges make of them.
const std::string kVocab = R"({"a": 0, "b": 1, "c": 2, "d": 3, "ab": 4, "bc": 5, "abc": 6, "aa": 7, "aaaa": 8})";
const std::string kMerges = R"(["b c", ["a", "b"], "a bc", "a a", "aa aa"])";

}  // namespace

TEST_CASE("bpe: merges go by rank, the leftmost first", "[text]") {
  const auto tokenizer = load_json(bpe("", kVocab, kMerges));
  CHECK(cut(*tokenizer, "abc").tokens == Strings{"abc"});
  CHECK(cut(*tokenizer, "abd").tokens == Strings{"ab", "d"});
  CHECK(cut(*tokenizer, "aaaaa").tokens == Strings{"aaaa", "a"});
  CHECK(cut(*tokenizer, "abbc").parts == Strings{"ab", "bc"});
}

TEST_CASE("bpe: long words merge as short ones do", "[text]") {
  const auto tokenizer = load_json(bpe("", kVocab, kMerges));
  // The words end at the d, which merges with nothing, so that a long word is its short ones side by side.
  std::string words;
  Strings expected;
  uint32_t state = 1;
  for (int n = 0; n < 200; ++n) {
    std::string word;
    for (int i = 0; i < 9; ++i) word += "abc"[(state = state * 1664525 + 1013904223) >> 24 & 1 ? state >> 30 & 1 : 2];
    const auto part = cut(*tokenizer, word + "d").tokens;
    expected.insert(expected.end(), part.begin(), part.end());
    words += word + "d";
  }
  CHECK(cut(*tokenizer, words).tokens == expected);
}

TEST_CASE("bpe: characters that are no tokens are bytes, unknown, or left out", "[text]") {
  const auto fallback =
      load_json(bpe(R"("byte_fallback": true, "unk_token": "a", )", R"({"a": 0, "<0xC3>": 1, "<0xA9>": 2})", "[]"));
  CHECK(cut(*fallback, "a\u00e9").tokens == Strings{"a", "<0xC3>", "<0xA9>"});
  CHECK(cut(*fallback, "zz").tokens == Strings{"a", "a"});
  const auto fused = load_json(bpe(R"("fuse_unk": true, "unk_token": "?", )", R"({"a": 0, "?": 1})", "[]"));
  CHECK(cut(*fused, "zza").parts == Strings{"zz", "a"});
  const auto without = load_json(bpe("", kVocab, kMerges));
  CHECK(cut(*without, "xa").tokens == Strings{"a"});
}

TEST_CASE("bpe: a vocabulary in the byte alphabet reads bytes, and offsets are whole characters", "[text]") {
  const auto tokenizer = load_json(bpe("", R"({"a": 0, "Ġ": 1, "Ã": 2, "©": 3, "Ġa": 4, "!": 5})", R"(["Ġ a"])",
                                       R"(, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false,
                                           "trim_offsets": true, "use_regex": true},
                                          "decoder": {"type": "ByteLevel"})"));
  const auto found = cut(*tokenizer, "a a\u00e9!");
  CHECK(found.tokens == Strings{"a", "Ġa", "Ã", "©", "!"});
  CHECK(found.parts == Strings{"a", " a", "\u00e9", "\u00e9", "!"});
  CHECK(tokenizer->decode({0, 4, 2, 3, 5}, false) == "a a\u00e9!");
  CHECK(tokenizer->decode({2}, false) == "\ufffd");
}

TEST_CASE("bpe: text with marks for spaces is cut at the marks without changing what is merged", "[text]") {
  const std::string rest = R"(, "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
    {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]})";
  const std::string vocab = R"({"?": 0, "▁": 1, "a": 2, "▁a": 3, "▁▁": 4, "aa": 5, "▁aa": 6)";
  const std::string merges = R"(["▁ ▁", "▁ a", "a a", "▁ aa")";
  const auto cuttable = load_json(bpe(R"("unk_token": "?", )", vocab + "}", merges + "]", rest));
  CHECK(cut(*cuttable, "aa  a").tokens == Strings{"▁a", "a", "▁▁", "a"});
  CHECK(cut(*cuttable, "aa  a").parts == Strings{"a", "a", "  ", "a"});
  // Here a token goes across the mark, so that there is nowhere to cut.
  const auto crossing = load_json(bpe(R"("unk_token": "?", )", vocab + R"(, "a▁": 7})", merges + R"(, "a ▁"])", rest));
  CHECK(cut(*crossing, "aa ").tokens == Strings{"▁a", "a▁"});
}

TEST_CASE("bpe: a megabyte of one letter, of spaces or of marks takes no more than linear work", "[text]") {
  const auto tokenizer = load_json(bpe("", kVocab, kMerges, R"(, "normalizer": {"type": "NFC"},
    "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "\\s+(?!\\S)|\\s+|\\S+"}, "behavior": "Isolated",
    "invert": false})"));
  const size_t size = 1 << 20;
  CHECK(tokenizer->tokenize(std::string(size, 'a')).ids.size() == size / 4);
  CHECK(tokenizer->tokenize(std::string(size, ' ') + "a").ids.size() == 1);
  std::string marks;
  for (size_t i = 0; i < size / 4; ++i) marks += i % 2 == 0 ? "\u0301" : "\u0323";
  CHECK(tokenizer->tokenize(marks + "a").ids.size() == 1);
}

TEST_CASE("bpe: broken merges and random ones are refused", "[text]") {
  const auto message = [](const std::string& json) {
    const std::string text = test::failure_of([&] { load_json(json); }).message;
    return text.substr(std::min(text.size(), text.find("tokenizer.json")));
  };
  CHECK(message(bpe("", kVocab, R"(["a b", "a z"])")) ==
        R"(tokenizer.json: "model.merges[1]" needs the token "z", which the vocabulary lacks)");
  CHECK(message(bpe("", kVocab, R"(["ab"])")) == R"(tokenizer.json: "model.merges[0]" is no pair of tokens)");
  CHECK(message(bpe(R"("dropout": 0.1, )", kVocab, kMerges)) ==
        R"(tokenizer.json: "model.dropout" is not 0: vsr does not drop merges at random)");
  CHECK(message(bpe(R"("unk_token": "z", )", kVocab, kMerges)) ==
        R"(tokenizer.json: "model.unk_token" is "z", which the vocabulary lacks)");
}
