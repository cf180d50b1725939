// The tiny models under models/ through the C ABI, against the outputs of transformers that are beside them.
#include <vsr/vsr.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "support/data.h"

namespace {

using nlohmann::json;

const std::vector<std::string> kEmbedding{"bert-embedding",
                                          "bert-embedding-cls-no-normalize",
                                          "bert-no-pooler",
                                          "bert-odd-head-dim",
                                          "bert-embedding-prompt-left-out",
                                          "gemma3-embedding",
                                          "mmbert-embedding",
                                          "qwen3-text"};
const std::vector<std::string> kSequence{"bert-sequence",           "bert-sequence-sharded", "bert-sequence-multilabel",
                                         "bert-sequence-one-label", "modernbert-pairs",      "mmbert-sequence"};
const std::vector<std::string> kToken{"bert-token", "bert-token-bioes", "bert-token-plain"};

struct Golden {
  json values;
  std::unique_ptr<vsr_engine, void (*)(vsr_engine*)> model{nullptr, &vsr_engine_free};
  double tolerance = 0;

  explicit Golden(const std::string& name) {
    const std::string folder = vsr::test::source_path("tests/goldens/");
    std::ifstream file(folder + name + ".json");
    values = json::parse(file);
    tolerance = values.at("tolerance").get<double>();
    vsr_error error = VSR_ERROR_INIT;
    vsr_engine* made = nullptr;
    const vsr_status status = vsr_engine_open_model((folder + "models/" + name).c_str(), nullptr, &made, &error);
    model.reset(made);
    INFO(name << ": " << error.message);
    REQUIRE(status == VSR_OK);
  }
};

using Result = std::unique_ptr<vsr_result, void (*)(vsr_result*)>;

// `call` takes (vsr_result**, vsr_error*).
template <class Call>
Result run(Call&& call) {
  vsr_error error = VSR_ERROR_INIT;
  vsr_result* result = nullptr;
  const vsr_status status = call(&result, &error);
  INFO(error.message);
  REQUIRE(status == VSR_OK);
  return {result, &vsr_result_free};
}

struct Texts {
  std::vector<std::string> strings;
  std::vector<vsr_str> views;

  explicit Texts(const std::vector<json>& cases, const char* key = "text") {
    for (const json& one : cases) strings.push_back(one.at(key).get<std::string>());
    for (const std::string& text : strings) views.push_back({text.data(), text.size()});
  }
};

std::vector<json> cases_of(const Golden& golden, bool pairs = false) {
  std::vector<json> chosen;
  for (const json& one : golden.values.at("cases")) {
    if (one.contains("pair") == pairs) chosen.push_back(one);
  }
  return chosen;
}

double largest_difference(const float* made, const std::vector<double>& expected) {
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) largest = std::max(largest, std::abs(made[i] - expected[i]));
  return largest;
}

void check_rows(const Golden& golden, const vsr_result* result, const std::vector<json>& cases, const char* key) {
  REQUIRE(vsr_result_row_count(result) == cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    const auto expected = cases[i].at(key).get<std::vector<double>>();
    INFO(key << " of text " << i);
    REQUIRE(vsr_result_col_count(result) == expected.size());
    CHECK(largest_difference(vsr_result_data(result) + i * expected.size(), expected) <= golden.tolerance);
    CHECK(vsr_result_token_count(result, i) == cases[i].at("ids").size());
    CHECK(vsr_result_window_count(result, i) == cases[i].at("windows").get<size_t>());
    CHECK(vsr_result_dropped_count(result, i) == 0);
  }
}

}  // namespace

TEST_CASE("goldens: embeddings are those of transformers", "[goldens]") {
  for (const std::string& name : kEmbedding) {
    const Golden golden(name);
    const std::vector<json> cases = cases_of(golden);
    const Texts texts(cases);
    const auto check = [&](const char* key, const vsr_embed_options& options) {
      const Result result = run([&](vsr_result** out, vsr_error* error) {
        return vsr_embed(golden.model.get(), texts.views.data(), texts.views.size(), &options, out, error);
      });
      check_rows(golden, result.get(), cases, key);
    };
    vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
    check("embedding", options);
    options.no_normalize = 1;
    check("no_normalize", options);
    options = VSR_EMBED_OPTIONS_INIT;
    options.dim = 8;
    check("dim_8", options);
    options = VSR_EMBED_OPTIONS_INIT;
    options.layer = 1;
    check("layer_1", options);
  }
}

TEST_CASE("goldens: vectors of any layer and any length at once, and with prompts, are those of the reference",
          "[goldens]") {
  for (const auto& [name, layers] :
       {std::pair{"mmbert-embedding", std::vector{1, 3}}, {"qwen3-text", std::vector{1, 2}}}) {
    const Golden golden(name);
    const std::vector<json> cases = cases_of(golden);
    const Texts texts(cases);
    for (const int32_t layer : layers) {
      for (const int32_t dim : {0, 12}) {
        vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
        options.layer = layer;
        options.dim = dim;
        const Result result = run([&](vsr_result** out, vsr_error* error) {
          return vsr_embed(golden.model.get(), texts.views.data(), texts.views.size(), &options, out, error);
        });
        const std::string key = "layer_" + std::to_string(layer) + (dim == 0 ? "" : "_dim_12");
        check_rows(golden, result.get(), cases, key.c_str());
      }
    }
    vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
    options.prompt = "query";
    const Result result = run([&](vsr_result** out, vsr_error* error) {
      return vsr_embed(golden.model.get(), texts.views.data(), texts.views.size(), &options, out, error);
    });
    for (size_t i = 0; i < cases.size(); ++i) {
      const auto expected = cases[i].at("prompt_query").get<std::vector<double>>();
      INFO(name << ", prompt, text " << i);
      CHECK(largest_difference(vsr_result_data(result.get()) + i * expected.size(), expected) <= golden.tolerance);
    }
  }
}

TEST_CASE("goldens: a text alone is what it is among others", "[goldens]") {
  for (const char* name : {"mmbert-embedding", "qwen3-text", "gemma3-embedding"}) {
    const Golden golden(name);
    const std::vector<json> cases = cases_of(golden);
    const Texts texts(cases);
    const auto embed = [&](const vsr_str* first, size_t count) {
      return run([&](vsr_result** out, vsr_error* error) {
        return vsr_embed(golden.model.get(), first, count, nullptr, out, error);
      });
    };
    const Result together = embed(texts.views.data(), texts.views.size());
    const size_t cols = vsr_result_col_count(together.get());
    for (size_t i = 0; i < texts.views.size(); ++i) {
      const Result alone = embed(&texts.views[i], 1);
      const float* row = vsr_result_data(together.get()) + i * cols;
      INFO(name << ", text " << i);
      CHECK(largest_difference(vsr_result_data(alone.get()), {row, row + cols}) <= 1e-6);
    }
  }
}

TEST_CASE("goldens: probabilities of texts and pairs are those of transformers", "[goldens]") {
  for (const std::string& name : kSequence) {
    const Golden golden(name);
    for (const bool pairs : {false, true}) {
      const std::vector<json> cases = cases_of(golden, pairs);
      const Texts first(cases);
      const Texts second(cases, pairs ? "pair" : "text");
      const Result result = run([&](vsr_result** out, vsr_error* error) {
        return vsr_classify(golden.model.get(), first.views.data(), pairs ? second.views.data() : nullptr,
                            first.views.size(), nullptr, out, error);
      });
      check_rows(golden, result.get(), cases, "probs");
      for (size_t label = 0; label < vsr_result_col_count(result.get()); ++label) {
        CHECK(vsr_result_label(result.get(), label).data == golden.values.at("labels").at(label).get<std::string>());
      }
    }
  }
}

TEST_CASE("goldens: token probabilities are those of transformers", "[goldens]") {
  for (const std::string& name : kToken) {
    const Golden golden(name);
    const std::vector<json> cases = cases_of(golden);
    const Texts texts(cases);
    for (size_t i = 0; i < cases.size(); ++i) {
      const Result result = run([&](vsr_result** out, vsr_error* error) {
        return vsr_token_probs(golden.model.get(), texts.views[i], nullptr, out, error);
      });
      const json& expected = cases[i].at("token_probs");
      REQUIRE(vsr_result_row_count(result.get()) == expected.size());
      for (size_t token = 0; token < expected.size(); ++token) {
        const auto row = expected[token].get<std::vector<double>>();
        INFO(name << ", text " << i << ", token " << token);
        REQUIRE(vsr_result_col_count(result.get()) == row.size());
        CHECK(largest_difference(vsr_result_data(result.get()) + token * row.size(), row) <= golden.tolerance);
      }
    }
  }
}

TEST_CASE("goldens: entities follow the rule of infer.h", "[goldens]") {
  for (const std::string& name : kToken) {
    const Golden golden(name);
    const std::vector<json> cases = cases_of(golden);
    const Texts texts(cases);
    for (const char* threshold : {"0.5", "0.75"}) {
      vsr_classify_options options = VSR_CLASSIFY_OPTIONS_INIT;
      options.threshold = std::stof(threshold);
      const Result result = run([&](vsr_result** out, vsr_error* error) {
        return vsr_entities(golden.model.get(), texts.views.data(), texts.views.size(), &options, out, error);
      });
      size_t index = 0;
      for (size_t text = 0; text < cases.size(); ++text) {
        for (const json& expected : cases[text].at(std::string("entities_") + threshold)) {
          INFO(name << ", threshold " << threshold << ", text " << text << ", " << expected);
          REQUIRE(index < vsr_result_entity_count(result.get()));
          const vsr_entity& made = *vsr_result_entity(result.get(), index++);
          CHECK(made.text == text);
          CHECK(made.label.data == expected.at("label").get<std::string>());
          CHECK(made.start == expected.at("start").get<size_t>());
          CHECK(made.end == expected.at("end").get<size_t>());
          CHECK(std::abs(made.score - expected.at("score").get<double>()) <= golden.tolerance);
        }
      }
      CHECK(index == vsr_result_entity_count(result.get()));
    }
  }
}

TEST_CASE("goldens: ids, offsets and windows are those of tokenizers", "[goldens]") {
  for (const auto* names : {&kEmbedding, &kSequence, &kToken}) {
    for (const std::string& name : *names) {
      const Golden golden(name);
      for (const json& one : golden.values.at("cases")) {
        const auto text = one.at("text").get<std::string>();
        const auto pair = one.value("pair", std::string());
        const vsr_str pair_view{pair.data(), pair.size()};
        vsr_error error = VSR_ERROR_INIT;
        vsr_encoding* made = nullptr;
        vsr_tokenizer* loaded = nullptr;
        REQUIRE(vsr_engine_tokenizer(golden.model.get(), nullptr, &loaded, &error) == VSR_OK);
        const std::unique_ptr<vsr_tokenizer, void (*)(vsr_tokenizer*)> tokenizer(loaded, &vsr_tokenizer_free);
        const vsr_status status = vsr_tokenizer_encode(loaded, {text.data(), text.size()},
                                                       one.contains("pair") ? &pair_view : nullptr, 1, &made, &error);
        const std::unique_ptr<vsr_encoding, void (*)(vsr_encoding*)> encoding(made, &vsr_encoding_free);
        INFO(name << ": " << text << error.message);
        REQUIRE(status == VSR_OK);
        const auto ids = one.at("ids").get<std::vector<int32_t>>();
        REQUIRE(vsr_encoding_token_count(made) == ids.size());
        CHECK(std::equal(ids.begin(), ids.end(), vsr_encoding_ids(made)));
        CHECK(vsr_encoding_window_count(made) == one.at("windows").get<size_t>());
        for (size_t i = 0; i < ids.size(); ++i) {
          CHECK(vsr_encoding_offsets(made)[2 * i] == one.at("offsets")[i][0].get<size_t>());
          CHECK(vsr_encoding_offsets(made)[2 * i + 1] == one.at("offsets")[i][1].get<size_t>());
          CHECK(vsr_encoding_type_ids(made)[i] == one.at("type_ids")[i].get<int32_t>());
          CHECK(vsr_encoding_sides(made)[i] == one.at("sides")[i].get<int32_t>());
        }
      }
    }
  }
}
