// BERT's hidden states and heads against transformers, from the reference's own token ids: no tokenizer, no windows.
#include <ATen/ops/cat.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>
#include <c10/core/InferenceMode.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/json.h"
#include "core/nn/pooling.h"
#include "core/weights/weights.h"
#include "models/registry.h"
#include "support/encoder_pass.h"
#include "support/failure.h"
#include "support/goldens.h"
#include "support/model_copy.h"
#include "support/ragged.h"

using namespace vsr;
using nlohmann::json;
using test::distance;
using test::flat;

namespace {

constexpr double kReferenceTolerance = 1e-5;
constexpr double kBatchTolerance = 1e-6;

struct Model {
  explicit Model(const std::string& folder, int64_t labels = 1)
      : weights(core::WeightStore::open_folder(folder)),
        parts(
            models::make_model({base::read_json_file(folder + "/config.json"), core::WeightScope(*weights), labels})) {}

  at::Tensor hidden(const std::vector<text::Encoding>& encodings, int64_t layers = 0) const {
    const c10::InferenceMode inference;
    return test::run_encoder(*parts.encoder, core::pack(encodings), layers);
  }
  at::Tensor probs(const std::vector<text::Encoding>& encodings, bool sigmoid) const {
    const c10::InferenceMode inference;
    const core::PackedBatch batch = core::pack(encodings);
    const at::Tensor logits = parts.head->forward(test::run_encoder(*parts.encoder, batch), batch);
    return sigmoid ? at::sigmoid(logits) : at::softmax(logits, -1);
  }

  std::shared_ptr<core::WeightStore> weights;
  models::LoadedParts parts;
};

// The cases that the reference read in one window.
struct Cases {
  explicit Cases(const json& golden) {
    for (const json& one : golden.at("cases")) {
      if (one.at("windows") != 1) continue;
      cases.push_back(one);
      encodings.push_back(test::golden_encoding(one));
    }
    REQUIRE(cases.size() >= 10);
  }
  std::vector<json> cases;
  std::vector<text::Encoding> encodings;
};

std::vector<double> doubles(const json& values) { return values.get<std::vector<double>>(); }

void append_numbers(const json& value, std::vector<double>& all) {
  if (value.is_number()) return all.push_back(value.get<double>());
  for (const json& item : value) append_numbers(item, all);
}

// One row per text, or per token, in one flat list.
std::vector<double> joined(const std::vector<json>& cases, const char* key) {
  std::vector<double> all;
  for (const json& one : cases) append_numbers(one.at(key), all);
  return all;
}

at::Tensor unit_rows(const at::Tensor& rows) { return rows.div(rows.norm(2, -1, true)); }

bool uses_sigmoid(const std::string& name, size_t labels) {
  return labels == 1 || name.find("multilabel") != std::string::npos;
}

}  // namespace

TEST_CASE("bert: pooled hidden states are those of transformers, at full depth and after the first layer",
          "[models][bert]") {
  for (const std::string& name : test::kEmbeddingGoldens) {
    CAPTURE(name);
    const Cases cases(test::golden(name));
    const Model model(test::golden_model(name));
    CHECK_FALSE(model.parts.head);
    const auto pooling = name == "bert-embedding-cls-no-normalize" ? core::Pooling::kCls : core::Pooling::kMean;
    for (const auto& [key, layers] : {std::pair{"embedding", 0}, {"layer_1", 1}}) {
      CAPTURE(key);
      const core::PackedBatch batch = core::pack(cases.encodings);
      const at::Tensor rows = core::pool(pooling, model.hidden(cases.encodings, layers), batch);
      CHECK(distance(flat(unit_rows(rows)), joined(cases.cases, key)) <= kReferenceTolerance);
    }
    for (size_t i = 0; i < cases.cases.size(); ++i) {
      const auto first_row = flat(model.hidden({cases.encodings[i]})[0]);
      CHECK(distance(first_row, doubles(cases.cases[i].at("last_hidden_state_row_0"))) <= kReferenceTolerance);
    }
  }
}

TEST_CASE("bert: probabilities of texts and tokens are those of transformers", "[models][bert]") {
  for (const auto* names : {&test::kSequenceGoldens, &test::kTokenGoldens}) {
    for (const std::string& name : *names) {
      CAPTURE(name);
      const json golden = test::golden(name);
      const size_t labels = golden.at("labels").size();
      const Cases cases(golden);
      const Model model(test::golden_model(name), static_cast<int64_t>(labels));
      REQUIRE(model.parts.head);
      const char* key = names == &test::kSequenceGoldens ? "probs" : "token_probs";
      CHECK(distance(flat(model.probs(cases.encodings, uses_sigmoid(name, labels))), joined(cases.cases, key)) <=
            kReferenceTolerance);
    }
  }
}

TEST_CASE("bert: a sequence in a batch is what it is alone, whatever its neighbours", "[models][bert]") {
  const Cases cases(test::golden("bert-embedding"));
  const Model model(test::golden_model("bert-embedding"));
  std::vector<text::Encoding> shuffled = cases.encodings;
  std::rotate(shuffled.begin(), shuffled.begin() + 5, shuffled.end());
  for (const auto& encodings : {cases.encodings, shuffled}) {
    std::vector<at::Tensor> alone;
    for (const text::Encoding& encoding : encodings) alone.push_back(model.hidden({encoding}));
    CHECK(distance(flat(unit_rows(model.hidden(encodings))), flat(unit_rows(at::cat(alone)))) <= kBatchTolerance);
  }
}

TEST_CASE("bert: the last of its layers is the whole of it", "[models][bert]") {
  const Cases cases(test::golden("bert-embedding"));
  const Model model(test::golden_model("bert-embedding"));
  CHECK(model.parts.encoder->info().num_hidden_layers == 3);
  CHECK(distance(flat(model.hidden(cases.encodings, 3)), flat(model.hidden(cases.encodings))) == 0);
  CHECK(distance(flat(model.hidden(cases.encodings, 2)), flat(model.hidden(cases.encodings))) > 0.01);
}

TEST_CASE("bert: the encoder is found with and without the prefix of headed checkpoints", "[models][bert]") {
  const test::ModelCopy copy("bert-embedding");
  const Cases cases(test::golden("bert-embedding"));
  const auto expected = flat(Model(copy.path()).hidden(cases.encodings));
  copy.edit_tensors([](test::StoredTensors& tensors) {
    test::Json renamed = test::Json::object();
    for (const auto& [name, entry] : tensors.header.items()) {
      renamed[name == "__metadata__" ? name : "bert." + name] = entry;
    }
    tensors.header = renamed;
  });
  CHECK(flat(Model(copy.path()).hidden(cases.encodings)) == expected);
}

TEST_CASE("registry: an unknown architecture is answered with the known ones", "[models][registry]") {
  const test::ModelCopy copy("bert-embedding");
  copy.set("config.json", "model_type", "gpt2");
  const auto failure = test::failure_of([&] { Model model(copy.path()); });
  CHECK(failure.status == base::Status::kUnsupported);
  CHECK(failure.message.find("config.json: model_type \"gpt2\" is not one that vsr runs (bert") != std::string::npos);
}
