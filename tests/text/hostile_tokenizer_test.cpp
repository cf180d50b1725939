// tokenizer.json files that make much of little: each is refused when it is loaded, or stops at a bound.
#include <catch2/catch.hpp>

#include <chrono>
#include <ctime>
#include <string>

#include "base/checkpoint.h"
#include "support/failure.h"
#include "text/inline_tokenizer.h"

using namespace vsr;
using base::Status;
using test::Failure;
using test::failure_of;

namespace {

std::string quoted(const std::string& text) { return '"' + text + '"'; }

// A tokenizer.json with one member more than its model.
std::string tokenizer(const std::string& member, const std::string& vocab = R"({"u": 0, "a": 1})") {
  return R"({"version": "1.0", )" + member + R"("model": {"type": "WordLevel", "unk_token": "u", "vocab": )" + vocab +
         "}}";
}

Failure load_failure(const std::string& json) {
  return failure_of([&] { test::load_json(json); });
}

std::string repeated(const std::string& part, size_t count, const std::string& between = ", ") {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += (i == 0 ? "" : between) + part;
  return all;
}

}  // namespace

TEST_CASE("hostile tokenizers: ids and tokens take no more room than their file", "[text][hostile]") {
  CHECK(load_failure(tokenizer("", R"({"u": 0, "a": 16777215})")).message.find("has id 16777215, out of range") !=
        std::string::npos);
  CHECK(load_failure(tokenizer("", R"({"u": 0, "a": 60000})")) == Failure{});
  CHECK(load_failure(tokenizer("", R"({"u": 0, )" + quoted(std::string(4000, 'a')) + ": 1}")).status == Status::kParse);
  const std::string long_piece = R"({"model": {"type": "Unigram", "unk_id": 0, "vocab": [["u", 0], [)" +
                                 quoted(std::string(4000, 'a')) + ", -1]]}}";
  CHECK(load_failure(long_piece).message.find("has a token of 4000 bytes") != std::string::npos);
}

TEST_CASE("hostile tokenizers: a template adds a bounded number of tokens", "[text][hostile]") {
  const std::string specials = R"("special_tokens": {"s": {"id": "s", "ids": [)" + repeated("1", 1000) + R"(]}})";
  const auto processor = [&](size_t count) {
    const std::string first = R"({"Sequence": {"id": "A", "type_id": 0}}, )";
    return tokenizer(R"("post_processor": {"type": "TemplateProcessing", "single": [)" + first +
                     repeated(R"({"SpecialToken": {"id": "s", "type_id": 0}})", count) + R"(], "pair": [)" + first +
                     R"({"Sequence": {"id": "B", "type_id": 1}}], )" + specials + "}, ");
  };
  CHECK(load_failure(processor(4)) == Failure{});
  CHECK(load_failure(processor(2000)).message.find("adds more than 4096 tokens") != std::string::npos);
  const Failure negative = load_failure(tokenizer(R"("post_processor": {"type": "TemplateProcessing", "single": [)"
                                                  R"({"Sequence": {"id": "A", "type_id": -1}}], "pair": [], )"
                                                  R"("special_tokens": {}}, )"));
  CHECK(negative.message.find("type_id\" is -1, expected 0 or more") != std::string::npos);
}

TEST_CASE("hostile tokenizers: rules that grow a text stop at a bound", "[text][hostile]") {
  const std::string doubles = R"({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"})";
  const auto normalizer = [](const std::string& steps) {
    return tokenizer(R"("normalizer": {"type": "Sequence", "normalizers": [)" + steps + "]}, ");
  };
  const auto grow = [&](const std::string& json, const std::string& text) {
    return failure_of([&] { test::load_json(json)->tokenize(text); }).status;
  };
  CHECK(grow(normalizer(repeated(doubles, 4)), std::string(1000, 'a')) == std::nullopt);
  CHECK(grow(normalizer(repeated(doubles, 40)), std::string(1000, 'a')) == Status::kLimit);
  CHECK(grow(normalizer(repeated(doubles, 40)), "a") == Status::kLimit);
  CHECK(grow(tokenizer(R"("normalizer": {"type": "Replace", "pattern": {"String": "a"}, "content": )" +
                       quoted(std::string(100'000, 'b')) + "}, "),
             std::string(100'000, 'a')) == Status::kLimit);
  CHECK(grow(normalizer(repeated(R"({"type": "Prepend", "prepend": )" + quoted(std::string(100'000, 'b')) + "}", 3)),
             "x") == Status::kLimit);
  const std::string bytes = R"({"type": "ByteLevel"})";  // two bytes for one beyond ASCII
  CHECK(grow(normalizer(repeated(bytes, 3)), std::string(1000, ' ')) == std::nullopt);
  CHECK(grow(normalizer(repeated(bytes, 40)), "hello world") == Status::kLimit);
  // A trie of 99 units in which "a" is replaced by 255 times "b".
  const std::string rule = "jAE" + std::string(519, 'A') + "BhDQAAAAAAAGJi" + repeated("YmJi", 84, "") + "YgA=";
  CHECK(grow(tokenizer(R"("normalizer": {"type": "Precompiled", "precompiled_charsmap": )" + quoted(rule) + "}, "),
             std::string(1000, 'a')) == Status::kLimit);
  CHECK(load_failure(normalizer(repeated(R"({"type": "NFKC"})", 1000))).message.find("more than 64 steps") !=
        std::string::npos);
  const std::string nested = R"({"type": "Sequence", "normalizers": [)" + repeated(R"({"type": "NFC"})", 30) + "]}";
  CHECK(load_failure(normalizer(repeated(nested, 10))).status == Status::kParse);
  CHECK(load_failure(tokenizer(R"("pre_tokenizer": {"type": "Sequence", "pretokenizers": [)" +
                               repeated(R"({"type": "Whitespace"})", 100) + "]}, "))
            .status == Status::kParse);
}

TEST_CASE("hostile tokenizers: a deadline holds in their expressions", "[text][hostile]") {
  const auto json = tokenizer(R"("pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(?:a|aa)+$|.| "}, )"
                              R"("behavior": "Isolated", "invert": false}, )");
  const auto loaded = test::load_json(json);
  for (const std::string& text : {repeated("a", 2'000'000, " "), std::string(20'000, 'a') + "b"}) {
    const base::CallLimits limits{base::deadline_in(5), {}};
    const base::LimitScope scope(&limits);
    const std::clock_t begin = std::clock();
    CHECK(failure_of([&] { loaded->tokenize(text); }).status == Status::kDeadline);
    CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 0.1);  // of its own time
  }
}

TEST_CASE("hostile tokenizers: decoders that grow a text stop at a bound", "[text][hostile]") {
  const auto decoder = [](const std::string& steps) {
    return tokenizer(R"("decoder": {"type": "Sequence", "decoders": [)" + steps + "]}, ");
  };
  const std::string doubles = R"({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"})";
  const auto decode = [&](const std::string& json) {
    return failure_of([&] { test::load_json(json)->decode({1, 1, 1}, false); }).status;
  };
  CHECK(decode(decoder(repeated(doubles, 4))) == std::nullopt);
  CHECK(decode(decoder(repeated(doubles, 40))) == Status::kLimit);
  const std::string nested = R"({"type": "Sequence", "decoders": [)" + repeated(doubles, 30) + "]}";
  CHECK(load_failure(decoder(repeated(nested, 3))).status == Status::kParse);
  CHECK(load_failure(decoder(R"({"type": "Replace", "pattern": {"String": "a"}, "content": )" +
                             quoted(std::string(1000, 'b')) + "}"))
            .status == Status::kParse);
}

TEST_CASE("hostile tokenizers: an added token of white space is found in linear time", "[text][hostile]") {
  const auto added = [](const std::string& strips) {
    return tokenizer(R"("added_tokens": [{"id": 2, "content": "\n", "single_word": false, )" + strips +
                     R"(, "normalized": false, "special": false}], )");
  };
  const std::string text(2'000'000, '\n');
  const auto begin = std::chrono::steady_clock::now();
  for (const char* strips : {R"("lstrip": true, "rstrip": false)", R"("lstrip": false, "rstrip": true)",
                             R"("lstrip": true, "rstrip": true)"}) {
    CHECK(test::load_json(added(strips))->tokenize(text).ids.size() == text.size());
  }
  // The square of the length took hours.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
  const auto tokens = test::cut(*test::load_json(added(R"("lstrip": true, "rstrip": true)")), "a \n \n b");
  CHECK(tokens.parts == test::Strings{"a", " \n \n ", "", "b"});
}
