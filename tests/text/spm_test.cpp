// Sentencepiece models against what the library made of the same texts (tests/goldens/make_spm_goldens.py), and what is
// no model. tests/text/compare_with_spm.py compares the two on much more.

#include <catch2/catch.hpp>
#include <chrono>

#include "base/json.h"
#include "support/data.h"
#include "support/failure.h"
#include "support/spm_writer.h"
#include "text/inline_tokenizer.h"

using namespace vsr;
using test::cut;
using test::spm_model;
using test::Strings;

namespace {

std::shared_ptr<const text::Tokenizer> load_model(const std::string& bytes) {
  const test::TempFolder folder;
  return text::load_tokenizer(folder.write("a.model", bytes));
}

std::string message_of(const std::string& bytes) {
  const test::Failure failure = test::failure_of([&] { load_model(bytes); });
  CHECK(failure.status == base::Status::kParse);
  return failure.message;
}

const std::vector<test::SpmPieceText> kPieces = {{"<unk>", 0, 2}, {"<s>", 0, 3}, {"▁", -2}, {"a", -1}, {"aa", -1.5}};

}  // namespace

TEST_CASE("sentencepiece: ids, offsets and texts are the library's", "[text][goldens]") {
  const std::string folder = test::source_path("tests/goldens/sentencepiece");
  const base::JsonObject goldens = base::read_json_file(folder + "/expected.json");
  for (const std::string& name : goldens.keys()) {
    const auto tokenizer = text::load_tokenizer(folder + "/" + name + ".model");
    for (const base::JsonValue& item : goldens.at(name).items()) {
      const base::JsonObject row = item.as<base::JsonObject>();
      const std::string text = row.required<std::string>("text");
      INFO(name << ": " << text);
      const text::Encoding encoding = tokenizer->encode(text, nullptr, true);
      CHECK(encoding.ids == row.required<std::vector<int32_t>>("ids"));
      std::vector<int32_t> offsets;
      for (const text::Span& span : encoding.offsets) {
        offsets.push_back(static_cast<int32_t>(span.begin));
        offsets.push_back(static_cast<int32_t>(span.end));
      }
      CHECK(offsets == row.required<std::vector<int32_t>>("offsets"));
      CHECK(tokenizer->decode(encoding.ids, false) == row.required<std::string>("decoded"));
    }
  }
}

TEST_CASE("sentencepiece: a folder with nothing but a model is a tokenizer, without special tokens", "[text]") {
  const test::TempFolder folder;
  folder.write("spiece.model", spm_model(1, kPieces));
  const auto tokenizer = text::load_tokenizer(folder.path().string());
  CHECK(tokenizer->kind() == "sentencepiece Unigram");
  CHECK(tokenizer->special_token_count(true) == 0);
  const std::string_view pair = "a";
  const text::Encoding encoding = tokenizer->encode("aaa", &pair, true);
  CHECK(encoding.ids == std::vector<int32_t>{2, 3, 4, 2, 3});
  CHECK(encoding.sides == std::vector<int32_t>{0, 0, 0, 1, 1});
}

TEST_CASE("sentencepiece: a checkpoint whose tokenizer changes the model's ids is refused by name", "[text]") {
  const test::TempFolder folder;
  folder.write("tokenizer.model", spm_model(2, kPieces));
  folder.write("config.json", R"({"model_type": "modernbert"})");
  CHECK(text::load_tokenizer(folder.path().string())->vocab_size() == kPieces.size());
  folder.write("config.json", R"({"model_type": "gemma3_text"})");
  test::Failure failure = test::failure_of([&] { text::load_tokenizer(folder.path().string()); });
  CHECK(failure.status == base::Status::kUnsupported);
  CHECK(failure.message.find("\"gemma3_text\"") != std::string::npos);
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "XLMRobertaTokenizer"})");
  failure = test::failure_of([&] { text::load_tokenizer(folder.path().string()); });
  CHECK(failure.status == base::Status::kUnsupported);
  CHECK(failure.message.find("\"XLMRobertaTokenizer\"") != std::string::npos);
  CHECK(text::load_tokenizer((folder.path() / "tokenizer.model").string())->kind() == "sentencepiece BPE");
}

TEST_CASE("sentencepiece: bytes that are not UTF-8 are one U+FFFD, and offsets point into the caller's text",
          "[text]") {
  const auto tokenizer = load_model(spm_model(1, kPieces));
  const std::string text = "a\xE2\x96 a";
  const text::TokenSequence sequence = tokenizer->tokenize(text);
  CHECK(sequence.replaced_bytes == 2);
  CHECK(cut(*tokenizer, text).tokens == Strings{"▁", "a", "<unk>", "▁", "a"});
  CHECK(sequence.offsets[2] == text::Span{1, 3});
  CHECK(sequence.offsets[4] == text::Span{4, 5});
}

TEST_CASE("sentencepiece: what is wrong with a model is said", "[text]") {
  const auto with = [](test::SpmPieceText piece) {
    std::vector<test::SpmPieceText> pieces = kPieces;
    pieces.push_back(piece);
    return message_of(spm_model(1, pieces));
  };
  CHECK_THAT(message_of(""), Catch::EndsWith("a sentencepiece model without pieces"));
  CHECK_THAT(message_of("\x0F"), Catch::EndsWith("a.model: sentencepiece model: field 1 has wire type 7"));
  CHECK_THAT(message_of(spm_model(5, kPieces)), Catch::EndsWith("model_type is 5"));
  CHECK_THAT(message_of(spm_model(1, {{"a", -1}})), Catch::EndsWith("no piece is of the type unknown"));
  CHECK_THAT(message_of(spm_model(1, {{"<unk>", 0, 2}})), Catch::EndsWith("no piece is of the type normal"));
  CHECK_THAT(with({"", -1}), Catch::EndsWith("piece: number 5 is empty"));
  CHECK_THAT(with({"a", -1}), Catch::EndsWith("pieces 3 and 5 are both \"a\""));
  CHECK_THAT(with({"b", std::numeric_limits<float>::quiet_NaN()}), Catch::EndsWith("number 5 has no finite score"));
  CHECK_THAT(with({"b", -1, 7}), Catch::EndsWith("number 5 has type 7"));
  CHECK_THAT(with({"?", 0, 2}), Catch::EndsWith("pieces 0 and 5 are both of the type unknown"));
  CHECK_THAT(with({"<0x00>", 0, 6}), Catch::Contains("with byte_fallback off"));
  CHECK_THAT(with({std::string_view("b\0", 2), 0}), Catch::EndsWith("number 5 holds a NUL"));
  CHECK_THAT(with({"\xFF", 0}), Catch::EndsWith("piece: field 1 is not UTF-8"));
  CHECK_THAT(with({std::string(8000, 'b'), 0}), Catch::Contains("has 8000 bytes, at most 7999"));
  CHECK_THAT(message_of(spm_model(1, kPieces, test::bytes_field(2, "\x40"))),
             Catch::EndsWith("normalizer_spec: precompiled_charsmap is no map: its trie does not fit"));
  const std::string whole = spm_model(1, kPieces);
  CHECK_THAT(message_of(whole.substr(0, whole.size() - 3)), Catch::Contains("are left"));
}

TEST_CASE("sentencepiece: a megabyte of one letter, of spaces, of marks costs linear time", "[text]") {
  std::vector<test::SpmPieceText> pieces = kPieces;
  const std::string letters(64, 'a'), marks = "▁▁▁▁▁▁▁▁";
  for (size_t length = 3; length <= letters.size(); ++length) {
    pieces.push_back({std::string_view(letters).substr(0, length), -static_cast<float>(length)});
  }
  pieces.push_back({marks, -3});
  const auto time_of = [&](uint64_t type, const std::string& text) {
    const auto tokenizer = load_model(spm_model(type, pieces, test::number_field(4, 0)));
    const auto begin = std::chrono::steady_clock::now();
    CHECK(tokenizer->tokenize(text).offsets.back().end == text.size());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  for (const uint64_t type : {1, 2, 3, 4}) {
    for (const std::string_view unit : {"a", " ", "\u0301", "a "}) {
      std::string text;
      while (text.size() < 1000000) text += unit;
      INFO("type " << type << ", \"" << unit << "\"");
      CHECK(time_of(type, text) < 120.0);  // quadratic time would be hours
    }
  }
}
