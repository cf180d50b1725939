#include "lora/support/golden_adapters.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>

#include "models/labels.h"

namespace vsr::test {

using at::Tensor;

namespace {

std::shared_ptr<core::WeightStore> open_store(const std::string& folder, at::Device device, core::LinearType type) {
  auto store = core::WeightStore::open_folder(folder);
  store->set_device(device);
  store->set_linear_type(type);
  return store;
}

}  // namespace

GoldenBase::GoldenBase(const std::string& name, at::Device device, core::LinearType type)
    : path(source_path("tests/goldens/models/" + name)),
      config(base::read_json_file(path + "/config.json")),
      labels(models::read_labels(config)),
      store(open_store(path, device, type)),
      parts(models::make_model({config, core::WeightScope(*store), static_cast<int64_t>(labels.names.size())})) {}

lora::AdapterBase GoldenBase::view() const {
  return {.path = path,
          .config = config,
          .weights = *store,
          .encoder_modules = parts.encoder_modules,
          .layers = parts.encoder->info().num_hidden_layers,
          .head = parts.head ? std::optional(parts.head->kind) : std::nullopt,
          .labels = labels};
}

core::PackedBatch pack_sequences(const std::vector<std::vector<int32_t>>& sequences) {
  std::vector<text::Encoding> encodings;
  for (const auto& ids : sequences) {
    text::Encoding encoding;
    encoding.ids = ids;
    encoding.type_ids.assign(ids.size(), 0);
    encodings.push_back(encoding);
  }
  return core::pack(encodings);
}

Tensor outputs_of(const lora::Adapter& adapter, const lora::BranchStates& states) {
  if (adapter.head) return adapter.head->forward(states.hidden, states.batch);
  return core::pool(core::Pooling::kMean, states.hidden, states.batch);
}

double difference(const Tensor& outputs, const nlohmann::json& expected, bool are_logits) {
  std::vector<double> values;
  for (const auto& entry : expected) {
    if (entry.is_array()) {
      for (const auto& number : entry) values.push_back(number.get<double>());
    } else {
      values.push_back(entry.get<double>());
    }
  }
  Tensor reference = at::tensor(values).to(at::kDouble);
  if (reference.numel() != outputs.numel()) return std::numeric_limits<double>::infinity();
  reference = reference.view(outputs.sizes());
  Tensor ours = outputs.to(at::kDouble);
  if (are_logits && ours.size(-1) > 1) {
    ours = at::softmax(ours, -1);
    reference = at::softmax(reference, -1);
  }
  return (ours - reference).abs().max().item<double>();
}

}  // namespace vsr::test
