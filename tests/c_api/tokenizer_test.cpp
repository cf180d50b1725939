#include "support/handles.h"

using namespace vsr::test;

namespace {

TokenizerHandle tokenizer_of(const vsr_engine* engine) {
  vsr_tokenizer* tokenizer = nullptr;
  REQUIRE(vsr_engine_tokenizer(engine, nullptr, &tokenizer, nullptr) == VSR_OK);
  return TokenizerHandle(tokenizer);
}

EncodingHandle encode(const TokenizerHandle& tokenizer, vsr_str text, const vsr_str* pair = nullptr,
                      int32_t specials = 1) {
  vsr_encoding* encoding = nullptr;
  vsr_error error = VSR_ERROR_INIT;
  const vsr_status status = vsr_tokenizer_encode(tokenizer.get(), text, pair, specials, &encoding, &error);
  INFO(error.message);
  REQUIRE(status == VSR_OK);
  return EncodingHandle(encoding);
}

std::vector<std::string> tokens_of(const EncodingHandle& encoding) {
  std::vector<std::string> tokens;
  for (size_t i = 0; i < vsr_encoding_token_count(encoding.get()); ++i) {
    tokens.push_back(text_of(vsr_encoding_token(encoding.get(), i)));
  }
  return tokens;
}

}  // namespace

TEST_CASE("tokenizer: an encoding outlives tokenizer and engine", "[c_api]") {
  EngineHandle engine = load(tiny("bert-embedding"));
  TokenizerHandle tokenizer = tokenizer_of(engine.get());
  engine.reset();
  const EncodingHandle encoding = encode(tokenizer, str("Where is my card?"));
  tokenizer.reset();
  CHECK(tokens_of(encoding) == std::vector<std::string>{"[CLS]", "where", "is", "my", "card", "?", "[SEP]"});
  const size_t* offsets = vsr_encoding_offsets(encoding.get());
  CHECK(std::vector<size_t>(offsets, offsets + 14) ==
        std::vector<size_t>{0, 0, 0, 5, 6, 8, 9, 11, 12, 16, 16, 17, 0, 0});
  const int32_t* sides = vsr_encoding_sides(encoding.get());
  CHECK(std::vector<int32_t>(sides, sides + 7) == std::vector<int32_t>{-1, 0, 0, 0, 0, 0, -1});
  CHECK(vsr_encoding_token(encoding.get(), 7).data == nullptr);
  CHECK(vsr_encoding_token(encoding.get(), SIZE_MAX).data == nullptr);
}

TEST_CASE("tokenizer: a pair has its own offsets, sides and types", "[c_api]") {
  const TokenizerHandle tokenizer = tokenizer_of(classifier());
  const vsr_str pair = str("my card");
  const EncodingHandle encoding = encode(tokenizer, str("where"), &pair);
  CHECK(tokens_of(encoding) == std::vector<std::string>{"[CLS]", "where", "[SEP]", "my", "card", "[SEP]"});
  const int32_t* sides = vsr_encoding_sides(encoding.get());
  CHECK(std::vector<int32_t>(sides, sides + 6) == std::vector<int32_t>{-1, 0, -1, 1, 1, -1});
  const int32_t* types = vsr_encoding_type_ids(encoding.get());
  CHECK(std::vector<int32_t>(types, types + 6) == std::vector<int32_t>{0, 0, 0, 1, 1, 1});
  const EncodingHandle bare = encode(tokenizer, str("where"), &pair, 0);
  CHECK(tokens_of(bare) == std::vector<std::string>{"where", "my", "card"});
}

TEST_CASE("tokenizer: windows are those of the model it came with", "[c_api]") {
  std::string text;
  for (int i = 0; i < 23; ++i) text += "card ";
  CHECK(vsr_encoding_window_count(encode(tokenizer_of(embedder()), str(text)).get()) == 2);
  vsr_tokenizer* alone = nullptr;
  REQUIRE(vsr_tokenizer_load(tiny("bert-embedding").c_str(), &alone, nullptr) == VSR_OK);
  const TokenizerHandle owner(alone);
  CHECK(vsr_encoding_window_count(encode(owner, str(text)).get()) == 1);
}

TEST_CASE("tokenizer: bytes that are not UTF-8 are replaced and counted", "[c_api]") {
  const TokenizerHandle tokenizer = tokenizer_of(embedder());
  CHECK(vsr_encoding_replaced_size(encode(tokenizer, str("card\xFF\xE2\x82 card")).get()) == 3);
  CHECK(vsr_encoding_replaced_size(encode(tokenizer, str(std::string_view("card\0card", 9))).get()) == 0);
  CHECK(vsr_encoding_token_count(encode(tokenizer, {nullptr, 0}).get()) == 2);
  CHECK(vsr_encoding_ids(encode(tokenizer, {nullptr, 0}, nullptr, 0).get()) == nullptr);
}

TEST_CASE("tokenizer: decoding names the id that is none", "[c_api]") {
  const TokenizerHandle tokenizer = tokenizer_of(embedder());
  const EncodingHandle encoding = encode(tokenizer, str("where is my card"));
  vsr_string* text = nullptr;
  REQUIRE(vsr_tokenizer_decode(tokenizer.get(), vsr_encoding_ids(encoding.get()),
                               vsr_encoding_token_count(encoding.get()), 1, &text, nullptr) == VSR_OK);
  CHECK(vsr_string_text(text) == "where is my card");
  vsr_string_free(text);
  vsr_error error = VSR_ERROR_INIT;
  for (const int32_t bad : {-1, INT32_MIN, INT32_MAX, static_cast<int32_t>(vsr_tokenizer_id_count(tokenizer.get()))}) {
    const int32_t ids[] = {5, bad};
    CHECK(vsr_tokenizer_decode(tokenizer.get(), ids, 2, 1, &text, &error) == VSR_ERR_INVALID_ARGUMENT);
    CHECK_THAT(error.message, Catch::Contains("ids[1] is " + std::to_string(bad)));
    CHECK(text == nullptr);
  }
  CHECK(vsr_tokenizer_decode(tokenizer.get(), nullptr, 1, 1, &text, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(vsr_tokenizer_decode(tokenizer.get(), nullptr, SIZE_MAX, 1, &text, &error) == VSR_ERR_INVALID_ARGUMENT);
  REQUIRE(vsr_tokenizer_decode(tokenizer.get(), nullptr, 0, 1, &text, &error) == VSR_OK);
  CHECK(vsr_string_text(text) == "");
  vsr_string_free(text);
}

TEST_CASE("tokenizer: a missing tokenizer, model or argument is named", "[c_api]") {
  vsr_error error = VSR_ERROR_INIT;
  vsr_encoding* encoding = nullptr;
  CHECK(vsr_tokenizer_encode(nullptr, str("a"), nullptr, 1, &encoding, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("tokenizer is NULL"));
  const TokenizerHandle tokenizer = tokenizer_of(embedder());
  const vsr_str bad = {nullptr, 3};
  CHECK(vsr_tokenizer_encode(tokenizer.get(), str("a"), &bad, 1, &encoding, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("pair.data is NULL with len 3"));
  CHECK(vsr_tokenizer_encode(tokenizer.get(), str("a"), nullptr, -1, &encoding, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("add_special_tokens is -1"));
  vsr_tokenizer* other = nullptr;
  CHECK(vsr_engine_tokenizer(embedder(), "no such model", &other, &error) == VSR_ERR_NOT_FOUND);
  CHECK_THAT(error.message, Catch::Contains("no such model") && Catch::Contains("bert-embedding"));
  CHECK(other == nullptr);
}
