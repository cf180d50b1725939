#include <catch2/catch.hpp>

#include "support/failure.h"
#include "text/inline_tokenizer.h"

using namespace vsr;
using test::cut;
using test::load_json;
using test::Strings;

namespace {

const char* const kModel = R"("model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
  "max_input_chars_per_word": 9, "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "un": 3, "##aff": 4, "##able": 5, "!": 6,
  "caf": 7, "##e": 8, "中": 9, "[X]": 10, "a": 11}})";
const char* const kBert = R"("normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
  "strip_accents": null, "lowercase": true}, "pre_tokenizer": {"type": "BertPreTokenizer"},
  "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
  "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]})";

std::string added(const std::string& flags) {
  return R"("added_tokens": [{"id": 10, "content": "[X]", "special": true, )" + flags + "}]";
}
const std::string kPlain = R"("single_word": false, "lstrip": false, "rstrip": false, "normalized": false)";

std::string bert(const std::string& tokens) { return "{" + tokens + ", " + kBert + ", " + kModel + "}"; }

}  // namespace

TEST_CASE("wordpiece: words are cut into the longest tokens, and offsets are bytes of the caller's text", "[text]") {
  const auto tokenizer = load_json(bert(added(kPlain)));
  const auto found = cut(*tokenizer, "Unaffable! Caf\u00e9 \u4e2d\u0001a");
  CHECK(found.tokens == Strings{"un", "##aff", "##able", "!", "caf", "##e", "中", "a"});
  CHECK(found.parts == Strings{"Un", "aff", "able", "!", "Caf", "\u00e9", "中", "a"});
}

TEST_CASE("wordpiece: a word that cannot be finished or is too long is one unknown token", "[text]") {
  const auto tokenizer = load_json(bert(added(kPlain)));
  CHECK(cut(*tokenizer, "unx a").tokens == Strings{"[UNK]", "a"});
  CHECK(cut(*tokenizer, "unaffaff").tokens == Strings{"un", "##aff", "##aff"});
  CHECK(cut(*tokenizer, "unaffaffaff").tokens == Strings{"[UNK]"});
}

TEST_CASE("wordpiece: offsets of repaired texts are those of the bytes as they came", "[text]") {
  const auto tokenizer = load_json(bert(added(kPlain)));
  const text::TokenSequence sequence = tokenizer->tokenize(
      "\xff"
      "a\xf0\x9f a");
  CHECK(sequence.replaced_bytes == 3);
  REQUIRE(sequence.offsets.size() == 2);
  CHECK(sequence.offsets[0] == text::Span{1, 2});
  CHECK(sequence.offsets[1] == text::Span{5, 6});
}

TEST_CASE("added tokens: whitespace beside them is theirs where they say so", "[text]") {
  const auto strict = load_json(bert(added(kPlain)));
  CHECK(cut(*strict, "a [X] a").parts == Strings{"a", "[X]", "a"});
  const auto greedy =
      load_json(bert(added(R"("single_word": false, "lstrip": true, "rstrip": true, "normalized": false)")));
  CHECK(cut(*greedy, "a  [X]\t a").parts == Strings{"a", "  [X]\t ", "a"});
  const auto word =
      load_json(bert(added(R"("single_word": true, "lstrip": false, "rstrip": false, "normalized": false)")));
  CHECK(cut(*word, "a[X]").tokens != Strings{"a", "[X]"});
  CHECK(cut(*word, "![X]!").tokens == Strings{"!", "[X]", "!"});
}

TEST_CASE("post-processor: pairs are in the template with their types and sides", "[text]") {
  const auto tokenizer = load_json(bert(added(kPlain)));
  const std::string_view pair = "!";
  const text::Encoding encoding = tokenizer->encode("a", &pair, true);
  CHECK(encoding.ids == std::vector<int32_t>{1, 11, 2, 6, 2});
  CHECK(encoding.type_ids == std::vector<int32_t>{0, 0, 0, 1, 1});
  CHECK(encoding.sides == std::vector<int32_t>{-1, 0, -1, 1, -1});
  CHECK(encoding.offsets[3] == text::Span{0, 1});
  CHECK(tokenizer->encode("a", &pair, false).ids == std::vector<int32_t>{11, 6});
  CHECK(tokenizer->special_token_count(true) == 3);
  CHECK(tokenizer->encode("", nullptr, true).ids == std::vector<int32_t>{1, 2});
}

TEST_CASE("decoder: tokens become text again, with or without the special ones", "[text]") {
  const auto tokenizer = load_json(bert(added(kPlain)));
  CHECK(tokenizer->decode({10, 3, 4, 5, 6}, false) == "[X] unaffable!");
  CHECK(tokenizer->decode({10, 3, 4, 5, 6}, true) == "unaffable!");
  CHECK(test::failure_of([&] { tokenizer->decode({12}, false); }).message ==
        "ids: 12 is no token, the vocabulary has 12 ids");
}

TEST_CASE("tokenizer: what vsr does not implement is named at load", "[text]") {
  const auto failure = [](const std::string& json) {
    test::Failure f = test::failure_of([&] { load_json(json); });
    f.message = f.message.substr(std::min(f.message.size(), f.message.find("tokenizer.json")));
    return f;
  };
  const std::string model = std::string(", ") + kModel + "}";
  CHECK(failure(R"({"normalizer": {"type": "Magic"})" + model) ==
        test::Failure{base::Status::kUnsupported,
                      R"(tokenizer.json: "normalizer.type" is "Magic", a normalizer that vsr does not implement)"});
  CHECK(failure(R"({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a)\\1"}, "behavior": "Isolated",
                  "invert": false})" +
                model)
            .status == base::Status::kUnsupported);
  CHECK(failure(R"({"post_processor": {"type": "BertProcessing", "cls": ["x", 1], "sep": ["y", 99]})" + model) ==
        test::Failure{base::Status::kParse,
                      R"(tokenizer.json: "post_processor.sep[1]" is 99, the vocabulary has 12 ids)"});
  CHECK(failure(R"({"added_tokens": [{"id": 5000, "content": "new", "special": false, )" + kPlain + "}]" + model) ==
        test::Failure{base::Status::kParse, R"(tokenizer.json: "added_tokens[0]" gives "new" id 5000, expected 12)"});
  CHECK(failure(R"({"model": {"type": "WordLevel", "unk_token": "a", "vocab": {"a": 0, "b": 0}}})") ==
        test::Failure{base::Status::kParse, R"(tokenizer.json: "model.vocab.b" has id 0, which "a" has too)"});
  CHECK(failure(R"({"model": {"type": "WordLevel", "unk_token": "a", "vocab": {"a": 99999999}}})") ==
        test::Failure{base::Status::kParse, R"(tokenizer.json: "model.vocab.a" has id 99999999, out of range)"});
  CHECK(failure(R"({"model": {"type": "WordLevel", "unk_token": "c", "vocab": {"a": 0}}})") ==
        test::Failure{base::Status::kParse, R"(tokenizer.json: the vocabulary lacks the unknown token "c")"});
}

TEST_CASE("vocab.txt: loads with BERT's rules, or those of the tokenizer_config.json beside it", "[text]") {
  const test::TempFolder folder;
  const std::string path = folder.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhello\nHello\n");
  CHECK(text::load_tokenizer(path)->encode("Hello[MASK]", nullptr, true).ids == std::vector<int32_t>{2, 5, 4, 3});
  folder.write("tokenizer_config.json", R"({"do_lower_case": false, "cls_token": {"content": "[SEP]"}})");
  CHECK(text::load_tokenizer(folder.path().string())->encode("Hello", nullptr, true).ids ==
        std::vector<int32_t>{3, 6, 3});
}
