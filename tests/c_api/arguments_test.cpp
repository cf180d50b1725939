// NULL, absurd and contradicting arguments: each a status and a sentence that names the argument.
#include "support/handles.h"

using namespace vsr::test;

namespace {

constexpr size_t kHuge = SIZE_MAX / sizeof(vsr_str) + 1;  // its size in bytes wraps around to almost nothing

struct Outcome {
  vsr_error error = VSR_ERROR_INIT;
  vsr_result* result = reinterpret_cast<vsr_result*>(1);

  void check(vsr_status status, const std::string& part) {
    CHECK(status == VSR_ERR_INVALID_ARGUMENT);
    CHECK(error.code == status);
    CHECK_THAT(error.message, Catch::Contains(part));
    CHECK(result == nullptr);
    result = reinterpret_cast<vsr_result*>(1);
  }
};

}  // namespace

TEST_CASE("arguments: texts that are not there are named", "[c_api]") {
  Outcome out;
  const vsr_engine* engine = embedder();
  out.check(vsr_embed(engine, nullptr, 3, nullptr, &out.result, &out.error), "texts is NULL with text_count 3");
  const std::vector<vsr_str> texts = {str("a"), str(""), {nullptr, 0}, {nullptr, 5}};
  out.check(vsr_embed(engine, texts.data(), 4, nullptr, &out.result, &out.error), "texts[3].data is NULL with len 5");
  const vsr_str endless = {"a", SIZE_MAX};
  out.check(vsr_embed(engine, &endless, 1, nullptr, &out.result, &out.error), "texts[0].size is 18446744073709551615");
  out.check(vsr_token_probs(tagger(), {nullptr, 1}, nullptr, &out.result, &out.error), "text.data is NULL with len 1");
  out.check(vsr_classify(classifier(), texts.data(), texts.data(), 4, nullptr, &out.result, &out.error),
            "texts[3].data is NULL");
  const vsr_str good[] = {str("a"), str("b")};
  const vsr_str bad[] = {str("a"), {nullptr, 7}};
  out.check(vsr_classify(classifier(), good, bad, 2, nullptr, &out.result, &out.error),
            "pairs[1].data is NULL with len 7");
}

TEST_CASE("arguments: a count that no memory holds is rejected before anything is read", "[c_api]") {
  Outcome out;
  const vsr_str text = str("a");
  float score = 0;
  size_t index = 0;
  size_t count = 9;
  for (const size_t n : {SIZE_MAX, kHuge, kHuge + 1, size_t{1} << 40, size_t{1} << 31}) {
    const std::string found = " is " + std::to_string(n);
    out.check(vsr_embed(embedder(), &text, n, nullptr, &out.result, &out.error), "text_count" + found);
    out.check(vsr_classify(classifier(), &text, nullptr, n, nullptr, &out.result, &out.error), "text_count" + found);
    out.check(vsr_entities(tagger(), &text, n, nullptr, &out.result, &out.error), "text_count" + found);
    CHECK(vsr_similarity(embedder(), &text, &text, n, nullptr, &score, nullptr) == VSR_ERR_INVALID_ARGUMENT);
    CHECK(vsr_similarity_matrix(embedder(), &text, 1, &text, n, nullptr, &score, nullptr) == VSR_ERR_INVALID_ARGUMENT);
    CHECK(vsr_nearest(embedder(), text, &text, n, 1, nullptr, &index, &score, &count, nullptr) ==
          VSR_ERR_INVALID_ARGUMENT);
    CHECK(count == 0);
  }
}

TEST_CASE("arguments: room for the outcome is needed", "[c_api]") {
  const vsr_str text = str("a");
  vsr_error error = VSR_ERROR_INIT;
  const auto check = [&](vsr_status status, const char* part) {
    CHECK(status == VSR_ERR_INVALID_ARGUMENT);
    CHECK_THAT(error.message, Catch::Contains(part));
  };
  check(vsr_engine_open_model(tiny("bert-embedding").c_str(), nullptr, nullptr, &error), "out_engine is NULL");
  check(vsr_engine_open(nullptr, nullptr, &error), "out_engine is NULL");
  check(vsr_engine_describe(embedder(), nullptr, &error), "out_json is NULL");
  check(vsr_embed(embedder(), &text, 1, nullptr, nullptr, &error), "out_result is NULL");
  check(vsr_classify(classifier(), &text, nullptr, 1, nullptr, nullptr, &error), "out_result is NULL");
  check(vsr_token_probs(tagger(), text, nullptr, nullptr, &error), "out_result is NULL");
  check(vsr_entities(tagger(), &text, 1, nullptr, nullptr, &error), "out_result is NULL");
  check(vsr_similarity(embedder(), &text, &text, 1, nullptr, nullptr, &error), "out_scores is NULL");
  check(vsr_similarity_matrix(embedder(), &text, 1, &text, 1, nullptr, nullptr, &error), "out_scores is NULL");
  size_t index = 0;
  check(vsr_nearest(embedder(), text, &text, 1, 1, nullptr, &index, nullptr, nullptr, &error), "out_count is NULL");
  size_t count = 9;
  check(vsr_nearest(embedder(), text, &text, 1, 1, nullptr, nullptr, nullptr, &count, &error), "out_indices is NULL");
  CHECK(count == 0);
  check(vsr_tokenizer_load(tiny("bert-embedding").c_str(), nullptr, &error), "out_tokenizer is NULL");
  check(vsr_engine_tokenizer(embedder(), nullptr, nullptr, &error), "out_tokenizer is NULL");
  check(vsr_intents_create(embedder(), nullptr, nullptr, &error), "out_intents is NULL");
}

TEST_CASE("arguments: memory of the caller is checked before the work and never overrun", "[c_api]") {
  const vsr_str texts[] = {str("a"), str("b")};
  vsr_error error = VSR_ERROR_INIT;
  std::vector<float> vectors(65, -7.0f);
  size_t dim = 9;
  CHECK(vsr_embed_into(embedder(), texts, 2, nullptr, vectors.data(), 63, &dim, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("capacity is 63 floats, 2 texts of 32 dimensions need 64"));
  CHECK(dim == 0);
  CHECK(vectors == std::vector<float>(65, -7.0f));
  CHECK(vsr_embed_into(embedder(), texts, 2, nullptr, nullptr, 64, &dim, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("out_vectors is NULL"));
  CHECK(vsr_embed_into(embedder(), texts, 2, nullptr, vectors.data(), 64, &dim, &error) == VSR_OK);
  CHECK(dim == 32);
  CHECK(vectors[64] == -7.0f);
  const ResultHandle result = embed(embedder(), {texts[0], texts[1]});
  for (size_t i = 0; i < 64; ++i) CHECK(vectors[i] == Approx(vsr_result_data(result.get())[i]).margin(1e-6));
  CHECK(vsr_embed_into(embedder(), texts, 2, nullptr, vectors.data(), 64, nullptr, nullptr) == VSR_OK);
  CHECK(vsr_embed_into(embedder(), nullptr, 0, nullptr, nullptr, 0, &dim, nullptr) == VSR_OK);
  CHECK(dim == 32);
}

TEST_CASE("arguments: a path must be given", "[c_api]") {
  vsr_error error = VSR_ERROR_INIT;
  vsr_engine* model = nullptr;
  CHECK(vsr_engine_open_model(nullptr, nullptr, &model, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("path is NULL"));
  CHECK(vsr_engine_open_model("", nullptr, &model, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK_THAT(error.message, Catch::Contains("path is empty"));
  CHECK(vsr_engine_open_model("/nowhere/model", nullptr, &model, &error) == VSR_ERR_NOT_FOUND);
  CHECK_THAT(error.message, Catch::Contains("/nowhere/model"));
  CHECK(model == nullptr);
  vsr_tokenizer* tokenizer = nullptr;
  CHECK(vsr_tokenizer_load(nullptr, &tokenizer, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(vsr_tokenizer_load("", &tokenizer, &error) == VSR_ERR_INVALID_ARGUMENT);
}

TEST_CASE("arguments: freeing nothing does nothing, and reading nothing gives nothing", "[c_api]") {
  vsr_engine_free(nullptr);
  vsr_result_free(nullptr);
  vsr_tokenizer_free(nullptr);
  vsr_encoding_free(nullptr);
  vsr_intents_free(nullptr);
  vsr_matches_free(nullptr);
  CHECK(vsr_result_row_count(nullptr) == 0);
  CHECK(vsr_result_data(nullptr) == nullptr);
  CHECK(vsr_result_label(nullptr, 0).data == nullptr);
  CHECK(vsr_result_best(nullptr, 0) == 0);
  CHECK(vsr_result_token_count(nullptr, 0) == 0);
  CHECK(vsr_result_entity(nullptr, 0) == nullptr);
  CHECK(vsr_encoding_token_count(nullptr) == 0);
  CHECK(vsr_encoding_ids(nullptr) == nullptr);
  CHECK(vsr_encoding_token(nullptr, 0).data == nullptr);
  CHECK(vsr_tokenizer_id_count(nullptr) == 0);
}

TEST_CASE("arguments: a task that does not exist or does not fit is named", "[c_api]") {
  const vsr_str text = str("a");
  vsr_error error = VSR_ERROR_INIT;
  vsr_result* result = nullptr;
  vsr_classify_options options = VSR_CLASSIFY_OPTIONS_INIT;
  options.task = "no such task";
  CHECK(vsr_classify(classifier(), &text, nullptr, 1, &options, &result, &error) == VSR_ERR_NOT_FOUND);
  CHECK_THAT(error.message, Catch::Contains("no such task"));
  CHECK(vsr_classify(embedder(), &text, nullptr, 1, nullptr, &result, &error) == VSR_ERR_UNSUPPORTED);
  CHECK(vsr_entities(classifier(), &text, 1, nullptr, &result, &error) == VSR_ERR_UNSUPPORTED);
  CHECK(vsr_token_probs(classifier(), text, nullptr, &result, &error) == VSR_ERR_UNSUPPORTED);
  CHECK(result == nullptr);
}
