// The process-wide default engine: once, replaced whole, never half there. Every case ends without one.
#include <atomic>
#include <cmath>
#include <thread>

#include "support/handles.h"

using namespace vsr::test;

namespace {

struct Session {
  Session() { vsr_shutdown(); }
  ~Session() { vsr_shutdown(); }
};

vsr_status embed_default(vsr_error* error = nullptr) {
  const vsr_str text = str("where is my card?");
  vsr_result* result = nullptr;
  const vsr_status status = vsr_embed(nullptr, &text, 1, nullptr, &result, error);
  vsr_result_free(result);
  return status;
}

}  // namespace

TEST_CASE("default engine: calls before init and after shutdown say so", "[c_api]") {
  const Session session;
  vsr_error error = VSR_ERROR_INIT;
  const auto nothing_works = [&] {
    CHECK(embed_default(&error) == VSR_ERR_STATE);
    CHECK_THAT(error.message, Catch::Contains("vsr_init"));
    vsr_string* json = nullptr;
    CHECK(vsr_engine_describe(nullptr, &json, &error) == VSR_ERR_STATE);
    vsr_tokenizer* tokenizer = nullptr;
    CHECK(vsr_engine_tokenizer(nullptr, nullptr, &tokenizer, &error) == VSR_ERR_STATE);
    vsr_intents* intents = nullptr;
    CHECK(vsr_intents_create(nullptr, nullptr, &intents, &error) == VSR_ERR_STATE);
    const OneModel options(tiny("bert-embedding"));
    CHECK(vsr_reload(options.get(), &error) == VSR_ERR_STATE);
  };
  nothing_works();
  const OneModel options(tiny("bert-embedding"));
  REQUIRE(vsr_init(options.get(), &error) == VSR_OK);
  CHECK(embed_default() == VSR_OK);
  vsr_shutdown();
  nothing_works();
  vsr_shutdown();
  REQUIRE(vsr_init(options.get(), &error) == VSR_OK);
  CHECK(embed_default() == VSR_OK);
}

TEST_CASE("default engine: a second init agrees or names both", "[c_api]") {
  const Session session;
  const OneModel first(tiny("bert-embedding"));
  const OneModel again(tiny("bert-embedding"));
  const OneModel other(tiny("bert-no-pooler"));
  vsr_error error = VSR_ERROR_INIT;
  REQUIRE(vsr_init(first.get(), &error) == VSR_OK);
  CHECK(vsr_init(again.get(), &error) == VSR_OK);
  CHECK(vsr_init(other.get(), &error) == VSR_ERR_STATE);
  CHECK_THAT(error.message, Catch::Contains("bert-embedding") && Catch::Contains("bert-no-pooler"));
  CHECK(embed_default() == VSR_OK);
}

TEST_CASE("default engine: an init that fails leaves none, a reload that fails leaves the old one", "[c_api]") {
  const Session session;
  const OneModel good(tiny("bert-embedding"));
  const OneModel bad("/nowhere/model");
  vsr_error error = VSR_ERROR_INIT;
  CHECK(vsr_init(bad.get(), &error) == VSR_ERR_NOT_FOUND);
  CHECK_THAT(error.message, Catch::Contains("/nowhere/model"));
  CHECK(embed_default() == VSR_ERR_STATE);
  REQUIRE(vsr_init(good.get(), &error) == VSR_OK);
  CHECK(vsr_reload(bad.get(), &error) == VSR_ERR_NOT_FOUND);
  CHECK(embed_default() == VSR_OK);
}

TEST_CASE("default engine: a reload takes effect, and handles made before it go on", "[c_api]") {
  const Session session;
  const OneModel embedding(tiny("bert-embedding"));
  const OneModel sequence(tiny("bert-sequence"));
  REQUIRE(vsr_init(embedding.get(), nullptr) == VSR_OK);
  vsr_tokenizer* tokenizer = nullptr;
  REQUIRE(vsr_engine_tokenizer(nullptr, nullptr, &tokenizer, nullptr) == VSR_OK);
  const TokenizerHandle owner(tokenizer);
  REQUIRE(vsr_reload(sequence.get(), nullptr) == VSR_OK);
  const vsr_str text = str("where is my card?");
  vsr_result* result = nullptr;
  REQUIRE(vsr_classify(nullptr, &text, nullptr, 1, nullptr, &result, nullptr) == VSR_OK);
  vsr_result_free(result);
  vsr_encoding* encoding = nullptr;
  REQUIRE(vsr_tokenizer_encode(tokenizer, text, nullptr, 1, &encoding, nullptr) == VSR_OK);
  CHECK(vsr_encoding_token_count(encoding) == 7);
  vsr_encoding_free(encoding);
}

// For TSan and ASan: 16 threads race through first initialisation, classification, embedding, reload and shutdown.
TEST_CASE("default engine: threads that race see one whole engine", "[c_api]") {
  const Session session;
  const OneModel sequence(tiny("bert-sequence"));
  const OneModel token(tiny("bert-token"));
  std::atomic<int> waiting{16};
  std::atomic<int> initialising{16};  // an init after a reload to the other model would be refused
  std::atomic<size_t> classified{0};
  std::atomic<size_t> tagged{0};
  std::atomic<size_t> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] {
      waiting.fetch_sub(1);
      while (waiting.load() > 0) std::this_thread::yield();
      if (vsr_init(sequence.get(), nullptr) != VSR_OK) wrong.fetch_add(1);
      initialising.fetch_sub(1);
      while (t == 0 && initialising.load() > 0) std::this_thread::yield();
      const vsr_str text = str("where is my card?");
      for (int i = 0; i < 20; ++i) {
        if (t == 0 && vsr_reload(i % 2 == 0 ? token.get() : sequence.get(), nullptr) != VSR_OK) wrong.fetch_add(1);
        vsr_result* result = nullptr;
        const vsr_status status = vsr_classify(nullptr, &text, nullptr, 1, nullptr, &result, nullptr);
        if (status == VSR_OK) {
          classified.fetch_add(1);
          const float* p = vsr_result_data(result);
          if (vsr_result_col_count(result) != 3 || std::fabs(p[0] + p[1] + p[2] - 1) > 1e-5f) wrong.fetch_add(1);
        } else if (status == VSR_ERR_UNSUPPORTED) {  // the token classifier was the default one
          tagged.fetch_add(1);
        } else {
          wrong.fetch_add(1);
        }
        vsr_result_free(result);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(classified + tagged == 16 * 20);
  CHECK(classified > 0);
}

TEST_CASE("default engine: shutdown during calls ends none of them badly", "[c_api]") {
  const Session session;
  const OneModel options(tiny("bert-embedding"));
  std::atomic<bool> stop{false};
  std::atomic<size_t> wrong{0};
  std::atomic<size_t> done{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      while (!stop.load()) {
        const vsr_status status = embed_default();
        if (status == VSR_OK) done.fetch_add(1);
        if (status != VSR_OK && status != VSR_ERR_STATE) wrong.fetch_add(1);
      }
    });
  }
  for (int i = 0; i < 10 || done == 0; ++i) {
    if (vsr_init(options.get(), nullptr) != VSR_OK) wrong.fetch_add(1);
    std::this_thread::yield();
    vsr_shutdown();
  }
  stop.store(true);
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}
