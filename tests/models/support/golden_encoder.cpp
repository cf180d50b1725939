#include "models/support/golden_encoder.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "base/error.h"
#include "support/data.h"
#include "support/encoder_pass.h"

namespace vsr::test {
namespace {

using at::Tensor;
using nlohmann::json;

constexpr double kTolerance = 1e-5;       // of probabilities, and of hidden states against their largest
constexpr double kBatchTolerance = 1e-6;  // of one text alone against the same in a batch: probabilities, unit vectors

json read_json(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file);
  return json::parse(file);
}

Tensor tensor_of(const json& values) {
  if (!values.front().is_array()) return at::tensor(values.get<std::vector<double>>());
  std::vector<Tensor> rows;
  for (const json& row : values) rows.push_back(tensor_of(row));
  return at::stack(rows);
}

double largest_difference(const Tensor& a, const Tensor& b) {
  REQUIRE(a.sizes() == b.sizes());
  REQUIRE(a.numel() > 0);
  return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

// `expected`: some rows, and the mean of all.
void check_rows(const Tensor& actual, const json& expected, const std::vector<int64_t>& picked) {
  const Tensor rows = tensor_of(expected["rows"]);
  const double scale = std::max(rows.abs().max().item<double>(), 1.0);
  const Tensor chosen = actual.index_select(0, at::tensor(picked));
  CHECK(largest_difference(chosen, rows) < kTolerance * scale);
  CHECK(largest_difference(actual.mean(0), tensor_of(expected["mean"])) < kTolerance * scale);
}

void check_probabilities(const Tensor& logits, const Tensor& expected) {
  CHECK(largest_difference(at::softmax(logits.to(at::kDouble), -1), at::softmax(expected, -1)) < kTolerance);
}

struct Outputs {
  Tensor hidden;
  Tensor logits;  // undefined without a head
};

Outputs run(const models::LoadedParts& parts, const core::PackedBatch& batch) {
  Outputs outputs{run_encoder(*parts.encoder, batch), {}};
  if (parts.head) outputs.logits = parts.head->forward(outputs.hidden, batch);
  return outputs;
}

Outputs check_case(const models::LoadedParts& parts, const json& expected) {
  const auto ids = expected["ids"].get<std::vector<int32_t>>();
  const auto picked = expected["picked"].get<std::vector<int64_t>>();
  INFO(ids.size() << " tokens");
  const core::PackedBatch batch = pack_ids({ids});
  const Outputs outputs = run(parts, batch);
  check_rows(outputs.hidden, expected["hidden"], picked);
  if (expected.contains("layers")) {
    for (const auto& [layers, states] : expected["layers"].items()) {
      check_rows(run_encoder(*parts.encoder, batch, std::stoll(layers)), states, {picked.back()});
    }
  }
  if (!expected.contains("logits")) return outputs;
  REQUIRE(parts.head);
  if (expected["logits"].is_object()) {
    check_probabilities(outputs.logits.index_select(0, at::tensor(picked)), tensor_of(expected["logits"]["rows"]));
    check_rows(outputs.logits, expected["logits"], picked);
  } else {
    check_probabilities(outputs.logits[0], tensor_of(expected["logits"]));
  }
  return outputs;
}

Tensor unit_rows(const Tensor& rows) { return rows.div(rows.norm(2, -1, true)); }

void check_batch(const models::LoadedParts& parts, const std::vector<std::vector<int32_t>>& sequences,
                 const std::vector<Outputs>& alone) {
  const core::PackedBatch batch = pack_ids(sequences);
  const Outputs together = run(parts, batch);
  for (size_t i = 0; i < sequences.size(); ++i) {
    INFO("sequence " << i << " of a batch");
    const auto row = static_cast<int64_t>(i);
    const Tensor hidden = together.hidden.narrow(0, batch.begin(row), batch.length(row));
    CHECK(largest_difference(unit_rows(hidden), unit_rows(alone[i].hidden)) < kBatchTolerance);
    if (!parts.head) continue;
    const bool per_token = parts.head->kind == core::HeadKind::kToken;
    const Tensor logits =
        per_token ? together.logits.narrow(0, batch.begin(row), batch.length(row)) : together.logits.narrow(0, row, 1);
    CHECK(largest_difference(at::softmax(logits, -1), at::softmax(alone[i].logits, -1)) < kBatchTolerance);
  }
}

}  // namespace

LoadedGolden load_golden(const std::string& name, const ConfigEdit& edit) {
  const std::string folder = source_path("tests/goldens/models/" + name);
  json config = read_json(folder + "/config.json");
  if (edit) edit(config);
  const base::JsonObject object(base::parse_json(config.dump(), folder + "/config.json"));
  auto store = core::WeightStore::open_folder(folder);
  const int64_t labels = object.contains("id2label") ? static_cast<int64_t>(object.at("id2label").node().size()) : 2;
  models::LoadedParts parts = models::make_model({object, core::WeightScope(*store), labels});
  return {std::move(store), std::move(parts)};
}

std::string load_error(const std::string& name, const ConfigEdit& edit) {
  try {
    load_golden(name, edit);
  } catch (const base::Error& error) {
    const std::string message = error.what();
    const std::string folder = source_path("tests/goldens/models/" + name) + "/";
    CHECK(message.starts_with(folder));
    return message.substr(std::min(folder.size(), message.size()));
  }
  return "";
}

core::PackedBatch pack_ids(const std::vector<std::vector<int32_t>>& sequences) {
  std::vector<text::Encoding> encodings;
  for (const auto& ids : sequences) {
    text::Encoding encoding;
    encoding.ids = ids;
    encoding.type_ids.assign(ids.size(), 0);
    encodings.push_back(std::move(encoding));
  }
  return core::pack(encodings);
}

void check_golden(const std::string& name) {
  INFO(name);
  const c10::InferenceMode guard;
  at::set_num_threads(1);  // tiny products only wait for each other
  const LoadedGolden golden = load_golden(name);
  const json expected = read_json(source_path("tests/goldens/encoders/" + name + ".json"));
  std::vector<std::vector<int32_t>> sequences;
  std::vector<Outputs> alone;
  for (const json& one : expected["cases"]) {
    alone.push_back(check_case(golden.parts, one));
    sequences.push_back(one["ids"].get<std::vector<int32_t>>());
  }
  // Runs of one length are computed together: have some, long and short.
  for (const size_t again : {size_t{3}, sequences.size() - 3}) {
    for (int i = 0; i < 2; ++i) {
      sequences.insert(sequences.begin() + static_cast<int64_t>(again), sequences[again]);
      alone.insert(alone.begin() + static_cast<int64_t>(again), alone[again]);
    }
  }
  check_batch(golden.parts, sequences, alone);
}

}  // namespace vsr::test
