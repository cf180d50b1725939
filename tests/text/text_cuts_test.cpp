// Texts are tokenized in pieces: the same tokens as of the whole, in little memory, and a call may end in between.
#include "text/parts/text_cuts.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/checkpoint.h"
#include "inline_tokenizer.h"
#include "support/allocations.h"
#include "support/data.h"
#include "support/failure.h"
#include "text/hf/pipeline.h"

using namespace vsr;
using vsr::test::failure_of;

namespace {

std::string random_text(std::mt19937& random, size_t pieces) {
  static const std::vector<std::string> kPieces{"a",
                                                "the",
                                                "Word",
                                                " ",
                                                " ",
                                                "  ",
                                                ".",
                                                ". ",
                                                ",",
                                                "'s",
                                                "'",
                                                "\n",
                                                "\t",
                                                "42",
                                                "1",
                                                "é",
                                                "e\u0301",
                                                "\u0301",
                                                "\u200D",
                                                "\u00AD",
                                                "\u0130",
                                                "ﬁ",
                                                "，",
                                                "。",
                                                "你好",
                                                "漢",
                                                "\uAC00",
                                                "\u1100",
                                                "ß",
                                                "|||",
                                                "EMAIL",
                                                "--",
                                                "\xF0\x9F\x98\x80",
                                                "\x01",
                                                "ﷺ",
                                                "\u0345",
                                                "\u3000",
                                                "_",
                                                "\u2581",
                                                "zyx",
                                                "don't",
                                                "\r\n",
                                                "\xF0\x9F\x87\xA6",
                                                "ᾳ",
                                                "K",
                                                "re",
                                                "ll",
                                                "x",
                                                "\u0E01",
                                                "\uFF9E",
                                                "\u064E",
                                                "...",
                                                "!?",
                                                "\u00A0"};
  std::string text;
  for (; pieces > 0; --pieces) text += kPieces[random() % kPieces.size()];
  return text;
}

// Tokenizes each piece by itself; of texts without added tokens that are sought first, within which nothing is cut.
text::TokenSequence in_pieces(const text::Pipeline& tokenizer, std::string_view text, size_t size, size_t& pieces) {
  text::TokenSequence all;
  for (size_t begin = 0; begin < text.size(); ++pieces) {
    const size_t end = tokenizer.cuts().next(text, begin, size);
    const text::TokenSequence part = tokenizer.tokenize(text.substr(begin, end - begin));
    all.ids.insert(all.ids.end(), part.ids.begin(), part.ids.end());
    for (const text::Span span : part.offsets) {
      all.offsets.push_back({static_cast<uint32_t>(begin + span.begin), static_cast<uint32_t>(begin + span.end)});
    }
    begin = end;
  }
  return all;
}

void check_pieces(const text::Tokenizer& tokenizer, unsigned seed) {
  const auto& pipeline = dynamic_cast<const text::Pipeline&>(tokenizer);
  std::mt19937 random(seed);
  size_t pieces = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random_text(random, 1 + random() % 60);
    const text::TokenSequence whole = pipeline.tokenize(text);
    const text::TokenSequence cut = in_pieces(pipeline, text, 1 + random() % 20, pieces);
    INFO(text);
    REQUIRE(cut.ids == whole.ids);
    REQUIRE(cut.offsets == whole.offsets);
    REQUIRE(pipeline.count_tokens(text) == whole.ids.size());
  }
  CHECK(pieces > 4000);
}

}  // namespace

TEST_CASE("text cuts: the tokens of pieces are those of the whole", "[text][cuts]") {
  for (const std::string name : {"bert-base-uncased", "modernbert", "qwen3", "gemma2"}) {
    const auto folder = test::shared_data("tokenizers/" + name);
    if (!folder) continue;
    INFO(name);
    check_pieces(*text::load_tokenizer(*folder), 16);
  }
}

TEST_CASE("text cuts: long texts give the same tokens however they are cut", "[text][cuts]") {
  for (const std::string name : {"bert-base-uncased", "modernbert", "qwen3", "gemma2"}) {
    const auto folder = test::shared_data("tokenizers/" + name);
    if (!folder) continue;
    INFO(name);
    const auto tokenizer = text::load_tokenizer(*folder);
    const auto& pipeline = dynamic_cast<const text::Pipeline&>(*tokenizer);
    std::mt19937 random(3);
    const std::string text = random_text(random, 100'000);
    const text::TokenSequence long_pieces = pipeline.tokenize(text);
    size_t pieces = 0;
    const text::TokenSequence short_pieces = in_pieces(pipeline, text, 100, pieces);
    CHECK(pieces > text.size() / 400);
    CHECK((long_pieces.ids == short_pieces.ids));
    CHECK((long_pieces.offsets == short_pieces.offsets));
  }
}

TEST_CASE("text cuts: counting tokens takes little memory whatever the text", "[text][cuts]") {
  const auto folder = test::shared_data("tokenizers/bert-base-uncased");
  if (!folder) return;
  const auto tokenizer = text::load_tokenizer(*folder);
  constexpr size_t kSize = 1 << 20;
  for (const std::string unit : {". ", "a", ".", "\xF0\x9F\x98\x80", "\xFF", "你", "word "}) {
    std::string text;
    while (text.size() < kSize) text += unit;
    INFO(unit);
    static_cast<void>(tokenizer->count_tokens(unit));
    const test::AllocationPeak peak;
    static_cast<void>(tokenizer->count_tokens(text));
    CHECK(peak.bytes() < 8 * kSize + (1 << 20));  // of bad bytes 3 are made each, twice
  }
}

TEST_CASE("text cuts: tokenizing ends with its call", "[text][cuts]") {
  for (const std::string name : {"bert-base-uncased", "qwen3", "gemma2", "phi-3-mini", "t5-small"}) {
    const auto folder = test::shared_data("tokenizers/" + name);
    if (!folder) continue;
    const auto tokenizer = text::load_tokenizer(*folder);
    const base::CallLimits late{base::deadline_in(-1), {}};
    const base::LimitScope scope(&late);
    for (const std::string unit : {". ", "a", ".", "\xF0\x9F\x98\x80", "\xFF"}) {
      std::string text;
      while (text.size() < (1 << 18)) text += unit;
      INFO(name << ": " << unit);
      CHECK(failure_of([&] { static_cast<void>(tokenizer->tokenize(text)); }).status == base::Status::kDeadline);
    }
  }
}
