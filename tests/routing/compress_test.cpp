#include "routing/compress/compress.h"
#include "routing/compress/token_estimate.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "base/error.h"
#include "support/data.h"
#include "support/failure.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::failure_of;

namespace {

const std::string kProse =
    "The old house stood at the end of the road. Nobody had lived in it for years, and the garden was wild. In the "
    "evening the children came and looked through the windows. They saw nothing but dust and an old chair.\n\n"
    "In spring the birds came back to the trees. The children came too, and they sat under the trees and looked at the "
    "house. They told one another what they had heard of it.\n\n";
const std::string kQuestion = "Calculate the enthalpy of combustion of methane at 298 K.";

std::string repeated(const std::string& text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; ++i) result += text;
  return result;
}

Compressed reduce(const std::string& text, size_t max_tokens) { return compress(text, {.max_tokens = max_tokens}); }

size_t bytes(std::string_view text) { return text.size(); }

// What holds of every result.
void check_contract(const std::string& text, const CompressOptions& options) {
  const Compressed result = compress(text, options);
  std::string joined;
  size_t end = 0;
  for (const auto& [first, last] : result.kept) {
    REQUIRE(first >= end);
    REQUIRE(last > first);
    REQUIRE(last <= text.size());
    if (!joined.empty()) joined += '\n';
    joined += text.substr(first, last - first);
    end = last;
  }
  REQUIRE(result.text == joined);
  const size_t tokens = options.count_tokens ? options.count_tokens(result.text) : estimate_tokens(result.text);
  REQUIRE(result.tokens_after == tokens);
  REQUIRE((result.text.empty() || tokens <= options.max_tokens));
  const Compressed again = compress(result.text, options);
  REQUIRE(again.text == result.text);
}

// Text of pieces that structure, sentences and words are made of.
std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> kPieces{"The ",
                                                "cat ",
                                                "sat. ",
                                                "Why? ",
                                                "\n",
                                                "\n\n",
                                                "# Head\n",
                                                "```\n",
                                                "{\"a\": [1]}\n",
                                                "[",
                                                "你好。",
                                                "ภาษาไทย ",
                                                "\xFF",
                                                "\xF0\x9F\x98\x80",
                                                "e\xCC\x81",
                                                "42 ",
                                                "supercalifragilistic",
                                                "Mr. ",
                                                "- item\n",
                                                "\xE2\x80\x9C",
                                                "\t",
                                                "привет "};
  std::string text;
  for (size_t n = random() % 200; n > 0; --n) text += kPieces[random() % kPieces.size()];
  return text;
}

}  // namespace

TEST_CASE("compress: a text that fits comes back as it is", "[routing][compress]") {
  const Compressed result = reduce(kProse, 512);
  CHECK(result.text == kProse);
  CHECK(result.kept == ByteRanges{{0, kProse.size()}});
  CHECK(result.tokens_before == result.tokens_after);
  CHECK(result.estimated);
  CHECK(reduce("", 5).kept.empty());
}

TEST_CASE("compress: ranges, text, budget and repetition agree for random texts", "[routing][compress]") {
  std::mt19937 random(5);
  for (int i = 0; i < 400; ++i) {
    const std::string text = random_text(random);
    CompressOptions options{.max_tokens = 1 + random() % 60};
    check_contract(text, options);
    options.focus = 0.7;
    check_contract(text, options);
    options.count_tokens = bytes;
    check_contract(text, options);
  }
}

TEST_CASE("compress: a question in the middle of prose survives", "[routing][compress]") {
  const std::string text = repeated(kProse, 10) + kQuestion + "\n\n" + repeated(kProse, 10);
  const Compressed result = reduce(text, 64);
  CHECK(result.text.find(kQuestion) != std::string::npos);
  CHECK(result.tokens_after <= 64);
  CHECK(result.tokens_before > 1500);
  const Compressed focused = compress(text, {.max_tokens = 64, .focus = 0.7});
  CHECK(focused.text == kQuestion);
}

TEST_CASE("compress: protected ranges come first, whatever they say", "[routing][compress]") {
  const std::string plain = "They saw nothing but dust and an old chair, as they had before.";
  const std::string text = repeated(kProse, 5) + plain + "\n\n" + kQuestion + "\n\n" + repeated(kProse, 5);
  const size_t at = text.find(plain);
  CompressOptions options{.max_tokens = 20, .protected_ranges = {{at + 3, at + 9}}};
  CHECK(compress(text, options).kept == ByteRanges{{at, at + plain.size()}});
  options.max_tokens = 64;
  const std::string both = compress(text, options).text;
  CHECK(both.find(plain) != std::string::npos);
  CHECK(both.find(kQuestion) != std::string::npos);
  options.protected_ranges = {{5, text.size() + 1}};
  CHECK(failure_of([&] { compress(text, options); }).status == Status::kInvalidArgument);
}

TEST_CASE("compress: code and JSON are kept whole or dropped whole", "[routing][compress]") {
  const std::string code = "```python\nfor i in range(10):\n    print(i)\n\nprint('done.')\n```";
  const std::string json = "{\"name\": \"valve\",\n \"parts\": [1, 2, {\"size\": \"}\"}]}";
  const std::string text = repeated(kProse, 3) + code + "\n\n" + json + "\n\n" + repeated(kProse, 3);
  for (size_t budget = 4; budget < 300; budget += 7) {
    const std::string kept = reduce(text, budget).text;
    CHECK((kept.find("```python") != std::string::npos) == (kept.find("print('done.')\n```") != std::string::npos));
    CHECK((kept.find("{\"name\"") != std::string::npos) == (kept.find("\"}\"}]}") != std::string::npos));
  }
  const size_t at = text.find(code);
  const CompressOptions options{.max_tokens = 60, .protected_ranges = {{at, at + 1}}};
  CHECK(compress(text, options).text.find(code) != std::string::npos);
}

TEST_CASE("compress: what is one block larger than the budget is cut rather than lost", "[routing][compress]") {
  const std::string json = "{\"list\": [" + repeated("\"valve\", ", 300) + "0]}";
  const Compressed result = reduce(json, 50);
  CHECK(result.tokens_after <= 50);
  CHECK(result.tokens_after > 30);
}

TEST_CASE("compress: a sentence without an end is cut between words, a word between characters",
          "[routing][compress]") {
  const std::string words = repeated("river stone ", 500);
  for (const auto& [first, last] : reduce(words, 40).kept) {
    CHECK((first == 0 || words[first - 1] == ' '));
    CHECK((last == words.size() || words[last] == ' '));
  }
  const std::string accent = "e\xCC\x81";  // one grapheme cluster
  const Compressed result = reduce(repeated(accent, 1000), 40);
  CHECK_FALSE(result.text.empty());
  for (const auto& [first, last] : result.kept) {
    CHECK(first % accent.size() == 0);
    CHECK(last % accent.size() == 0);
  }
  CHECK_FALSE(reduce("a" + repeated("\xCC\x81", 5000), 3).text.empty());
}

TEST_CASE("compress: a counter's limit holds however wrong the estimate is", "[routing][compress]") {
  const std::string text = repeated(kProse, 10) + kQuestion + "\n\n" + repeated(kProse, 10);
  for (const size_t per_token : {1, 2, 4, 8, 20}) {
    size_t calls = 0;
    const auto count = [&](std::string_view part) {
      ++calls;
      return 2 + part.size() / per_token;  // with special tokens
    };
    const Compressed result = compress(text, {.max_tokens = 120, .count_tokens = count});
    CHECK(result.tokens_after <= 120);
    CHECK(result.tokens_after == 2 + result.text.size() / per_token);
    CHECK(result.tokens_after > 80);
    CHECK(calls <= 14);
  }
  const auto always_more = [](std::string_view) { return size_t{9}; };
  CHECK(compress(text, {.max_tokens = 8, .count_tokens = always_more}).text.empty());
}

TEST_CASE("compress: a short text is counted exactly, a long one is not counted whole", "[routing][compress]") {
  const std::string text = repeated(kProse, 50);
  size_t longest = 0;
  const auto count = [&](std::string_view part) {
    longest = std::max(longest, part.size());
    return part.size() / 4;
  };
  const Compressed large = compress(text, {.max_tokens = 64, .count_tokens = count});
  CHECK(large.estimated);
  CHECK(longest < text.size() / 4);
  const Compressed small = compress(kProse, {.max_tokens = 64, .count_tokens = count});
  CHECK_FALSE(small.estimated);
  CHECK(small.tokens_before == kProse.size() / 4);
}

TEST_CASE("compress: works in scripts without spaces", "[routing][compress]") {
  const std::string prose = "他们在花园里坐着，看着那所老房子。孩子们也来了，他们说了很多话。";
  const std::string question = "请计算甲烷在标准状态下的燃烧焓？";
  const std::string text = repeated(prose, 20) + question + repeated(prose, 20);
  CHECK(reduce(text, 60).text.find(question) != std::string::npos);
}

TEST_CASE("compress: a limit of nothing and a focus that is no share are refused", "[routing][compress]") {
  CHECK(failure_of([] { compress("text", {.max_tokens = 0}); }).status == Status::kInvalidArgument);
  CHECK(failure_of([] { compress("text", {.focus = 1.5}); }).status == Status::kInvalidArgument);
  CHECK(failure_of([] { compress("text", {.focus = std::stod("nan")}); }).status == Status::kInvalidArgument);
}

TEST_CASE("compress: hostile megabytes end", "[routing][compress]") {
  for (const std::string piece :
       {"[\n", "{\"\n", "```\n", "a", "\xCC\x81", ". ", "\n", "[\"\\", "\xFF", "#", "e.g. ", "(", "?!"}) {
    const std::string text = repeated(piece, (1 << 20) / piece.size());
    const Compressed result = reduce(text, 32);
    CHECK(result.tokens_after <= 32);
  }
}

TEST_CASE("compress: a book comes down to the budget", "[routing][compress]") {
  const auto path = vsr::test::shared_data("texts/war_and_peace.txt");
  if (!path) return;
  std::ifstream file(*path, std::ios::binary);
  const std::string book{std::istreambuf_iterator<char>(file), {}};
  const std::string text = book.substr(0, book.size() / 2) + "\n\n" + kQuestion + "\n\n" + book.substr(book.size() / 2);
  const Compressed result = reduce(text, 512);
  CHECK(result.tokens_after <= 512);
  CHECK(result.tokens_after > 500);
}
