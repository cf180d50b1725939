#include <cmath>
#include <cstring>

#include "support/handles.h"

using namespace vsr::test;

namespace {

const char kInvalid[] = "where \xFF\xFE is my card\xE2\x82";

}  // namespace

TEST_CASE("result: embeddings are unit vectors, one row per text", "[c_api]") {
  const ResultHandle result = embed(embedder(), {str("where is my card?"), str(""), {nullptr, 0}});
  REQUIRE(vsr_result_row_count(result.get()) == 3);
  REQUIRE(vsr_result_col_count(result.get()) == 32);
  CHECK(vsr_result_text_count(result.get()) == 3);
  CHECK(vsr_result_label(result.get(), 0).data == nullptr);
  CHECK(vsr_result_token_count(result.get(), 0) == 7);
  CHECK(vsr_result_window_count(result.get(), 0) == 1);
  CHECK(vsr_result_token_count(result.get(), 1) == 2);
  const float* data = vsr_result_data(result.get());
  for (size_t row = 0; row < 3; ++row) {
    double squares = 0;
    for (size_t i = 0; i < 32; ++i) squares += double(data[row * 32 + i]) * data[row * 32 + i];
    CHECK(squares == Approx(1.0).margin(1e-5));
  }
  // A row's place in its batch may change its last bit.
  for (size_t i = 0; i < 32; ++i) CHECK(data[32 + i] == Approx(data[64 + i]).margin(1e-6));
}

TEST_CASE("result: no texts give a result without rows", "[c_api]") {
  const ResultHandle result = embed(embedder(), {});
  CHECK(vsr_result_row_count(result.get()) == 0);
  CHECK(vsr_result_text_count(result.get()) == 0);
  vsr_result* none = nullptr;
  REQUIRE(vsr_classify(classifier(), nullptr, nullptr, 0, nullptr, &none, nullptr) == VSR_OK);
  const ResultHandle owner(none);
  CHECK(vsr_result_row_count(none) == 0);
  CHECK(vsr_result_best(none, 0) == 0);
  CHECK(vsr_result_entity_count(none) == 0);
}

TEST_CASE("result: an index out of range gives nothing", "[c_api]") {
  const ResultHandle result = embed(embedder(), {str("a")});
  for (const size_t index : {size_t{1}, size_t{1} << 40, SIZE_MAX}) {
    CHECK(vsr_result_token_count(result.get(), index) == 0);
    CHECK(vsr_result_replaced_size(result.get(), index) == 0);
    CHECK(vsr_result_best(result.get(), index) == 0);
    CHECK(vsr_result_label(result.get(), index).data == nullptr);
    CHECK(vsr_result_entity(result.get(), index) == nullptr);
  }
}

TEST_CASE("result: classification has the checkpoint's labels in the order of their ids", "[c_api]") {
  const vsr_str texts[] = {str("where is my card?"), str("book a flight to Paris")};
  vsr_result* result = nullptr;
  REQUIRE(vsr_classify(classifier(), texts, nullptr, 2, nullptr, &result, nullptr) == VSR_OK);
  const ResultHandle owner(result);
  REQUIRE(vsr_result_col_count(result) == 3);
  CHECK(vsr_result_label(result, 0) == std::string("banking"));
  CHECK(vsr_result_label(result, 1) == std::string("travel"));
  CHECK(vsr_result_label(result, 2) == std::string("chit_chat"));
  for (size_t row = 0; row < 2; ++row) {
    const float* probs = vsr_result_data(result) + 3 * row;
    CHECK(probs[0] + probs[1] + probs[2] == Approx(1.0f));
    CHECK(probs[vsr_result_best(result, row)] == *std::max_element(probs, probs + 3));
  }
}

TEST_CASE("result: a NUL is part of a text", "[c_api]") {
  const std::string with_nul("card\0travel", 11);
  const ResultHandle result = embed(embedder(), {str(with_nul), str("card")});
  CHECK(vsr_result_replaced_size(result.get(), 0) == 0);
  const float* data = vsr_result_data(result.get());
  CHECK(std::memcmp(data, data + 32, 32 * sizeof(float)) != 0);
}

TEST_CASE("result: bytes that are not UTF-8 are replaced and counted", "[c_api]") {
  const ResultHandle result =
      embed(embedder(), {str(kInvalid), str("where \xEF\xBF\xBD\xEF\xBF\xBD is my card\xEF\xBF\xBD"), str("fine")});
  CHECK(vsr_result_replaced_size(result.get(), 0) == 4);
  CHECK(vsr_result_replaced_size(result.get(), 1) == 0);
  CHECK(vsr_result_replaced_size(result.get(), 2) == 0);
  const float* data = vsr_result_data(result.get());
  for (size_t i = 0; i < 32; ++i) CHECK(data[i] == Approx(data[32 + i]).margin(1e-6));
}

TEST_CASE("result: it outlives its engine and does not depend on the caller's texts", "[c_api]") {
  EngineHandle engine = load(tiny("bert-token"));
  std::string text = "Maria lives in Paris";
  const vsr_str borrowed = str(text);
  vsr_result* result = nullptr;
  REQUIRE(vsr_entities(engine.get(), &borrowed, 1, nullptr, &result, nullptr) == VSR_OK);
  const ResultHandle owner(result);
  std::vector<std::string> labels;
  for (size_t i = 0; i < vsr_result_entity_count(result); ++i) {
    labels.push_back(text_of(vsr_result_entity(result, i)->label));
  }
  engine.reset();
  text.assign(text.size(), 'x');
  for (size_t i = 0; i < labels.size(); ++i) {
    const vsr_entity& entity = *vsr_result_entity(result, i);
    CHECK(entity.label == labels[i]);
    CHECK(entity.start < entity.end);
    CHECK(entity.end <= text.size());
    CHECK(entity.score >= 0.5f);
  }
  CHECK(vsr_result_row_count(result) * vsr_result_col_count(result) == 0);
}

TEST_CASE("result: token probabilities have a row per token", "[c_api]") {
  const vsr_str text = str("where is my card?");
  vsr_result* result = nullptr;
  REQUIRE(vsr_token_probs(tagger(), text, nullptr, &result, nullptr) == VSR_OK);
  const ResultHandle owner(result);
  CHECK(vsr_result_row_count(result) == 7);
  CHECK(vsr_result_col_count(result) == 5);
  CHECK(vsr_result_text_count(result) == 1);
  CHECK(vsr_result_token_count(result, 0) == 7);
  CHECK(vsr_result_label(result, 3) == std::string("B-city"));
}

TEST_CASE("result: a long text is read in windows, or refused where the caller says so", "[c_api]") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "where is my card? ";
  const ResultHandle result = embed(embedder(), {str(text)});
  CHECK(vsr_result_token_count(result.get(), 0) == 5002);
  CHECK(vsr_result_window_count(result.get(), 0) == 454);  // 22 tokens each, every 11: 1 + ceil((5000 - 22) / 11)
  CHECK(vsr_result_dropped_count(result.get(), 0) == 0);
  vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
  options.max_tokens = 5001;
  const vsr_str texts[] = {str(text)};
  vsr_result* refused = nullptr;
  vsr_error error = VSR_ERROR_INIT;
  CHECK(vsr_embed(embedder(), texts, 1, &options, &refused, &error) == VSR_ERR_LIMIT);
  CHECK_THAT(error.message, Catch::Contains("5002") && Catch::Contains("5001"));
  CHECK(refused == nullptr);
}

TEST_CASE("result: a text of ten megabytes is read to its end", "[c_api]") {
  std::string text(10'000'000, ' ');
  for (size_t i = 0; i < 200; ++i) text.replace(50'000 * i, 5, " card");
  const ResultHandle spaced = embed(embedder(), {str(text)});
  CHECK(vsr_result_token_count(spaced.get(), 0) == 202);
  CHECK(vsr_result_window_count(spaced.get(), 0) == 18);  // 1 + ceil((200 - 22) / 11)
  text.assign(text.size(), '\xFF');
  const ResultHandle broken = embed(embedder(), {str(text)});
  CHECK(vsr_result_replaced_size(broken.get(), 0) == text.size());
  text.assign(text.size(), 'a');
  const ResultHandle word = embed(embedder(), {str(text)});
  CHECK(vsr_result_token_count(word.get(), 0) == 3);
}

TEST_CASE("result: a progress callback sees the work and can stop it", "[c_api]") {
  struct Seen {
    size_t calls = 0;
    size_t last = 0;
    size_t total = 0;
    bool stop = false;
  } seen;
  vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
  options.user_data = &seen;
  options.progress = [](size_t done, size_t total, void* user_data) -> int32_t {
    auto& s = *static_cast<Seen*>(user_data);
    ++s.calls;
    s.last = done;
    s.total = total;
    return s.stop ? 1 : 0;
  };
  const std::vector<vsr_str> texts(300, str("where is my card?"));
  const ResultHandle result = embed(embedder(), texts, &options);
  CHECK(seen.calls > 0);
  CHECK(seen.last == 300);
  CHECK(seen.total == 300);
  seen.stop = true;
  vsr_result* stopped = nullptr;
  CHECK(vsr_embed(embedder(), texts.data(), texts.size(), &options, &stopped, nullptr) == VSR_ERR_CANCELLED);
  CHECK(stopped == nullptr);
}

TEST_CASE("result: similarity, its matrix and the nearest agree with the embeddings", "[c_api]") {
  const std::vector<vsr_str> texts = {str("where is my card?"), str("book a flight"), str("where is my card?")};
  const ResultHandle result = embed(embedder(), texts);
  const float* rows = vsr_result_data(result.get());
  float matrix[9];
  REQUIRE(vsr_similarity_matrix(embedder(), texts.data(), 3, texts.data(), 3, nullptr, matrix, nullptr) == VSR_OK);
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      double dot = 0;
      for (size_t k = 0; k < 32; ++k) dot += double(rows[32 * i + k]) * rows[32 * j + k];
      CHECK(matrix[3 * i + j] == Approx(dot).margin(1e-5));
      CHECK(std::abs(matrix[3 * i + j]) <= 1.0f);
    }
  }
  float scores[3];
  const vsr_str other[] = {texts[1], texts[1], texts[1]};
  REQUIRE(vsr_similarity(embedder(), texts.data(), other, 3, nullptr, scores, nullptr) == VSR_OK);
  for (size_t i = 0; i < 3; ++i) CHECK(scores[i] == Approx(matrix[3 * i + 1]).margin(1e-6));
  size_t indices[5] = {99, 99, 99, 99, 99};
  size_t count = 0;
  REQUIRE(vsr_nearest(embedder(), texts[0], texts.data(), 3, 5, nullptr, indices, nullptr, &count, nullptr) == VSR_OK);
  CHECK(count == 3);
  CHECK(indices[0] == 0);
  CHECK(indices[1] == 2);  // equal scores in the candidates' order
  CHECK(indices[2] == 1);
  CHECK(indices[3] == 99);
  REQUIRE(vsr_nearest(embedder(), texts[0], nullptr, 0, SIZE_MAX, nullptr, nullptr, nullptr, &count, nullptr) ==
          VSR_OK);
  CHECK(count == 0);
}
