// The head of an adapter: layers that peft saved whole, and the base's where it saved none.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/nn/heads.h"
#include "lora/adapter_base.h"
#include "lora/adapter_config.h"
#include "lora/adapter_tensors.h"
#include "lora/module_update.h"

namespace vsr::lora {

class HeadLoader {
 public:
  struct Source {
    const AdapterConfig& config;
    const AdapterBase& base;
    const AdapterTensors& tensors;
    const UpdateBuilder& builder;
    const std::string& prefix;  // of encoder tensors in models with a head
  };
  explicit HeadLoader(const Source& source);

  // The head that the config's task_type asks for, and what its labels mean; none for embeddings. Tensors in `used`
  // belong to the encoder.
  std::optional<core::ClassificationHead> load(const std::string& folder, models::Labels& labels,
                                               const std::set<std::string>& used);

  // Whether the head is made of this tensor of the adapter.
  bool uses(const std::string& name) const { return own_.contains(name) && weights_->was_taken(name); }
  // All tensors of the head, under the names they have in a base without a head.
  std::map<std::string, at::Tensor> tensors() const;
  int64_t parameters() const { return parameters_; }
  int64_t bytes_in_memory() const { return parameters_ * 4; }

 private:
  std::optional<core::HeadKind> kind() const;
  models::Labels read_labels(const std::string& folder) const;
  std::optional<int64_t> saved_outputs() const;
  void fold_low_rank(const std::set<std::string>& used);

  Source source_;
  std::string classifier_;                      // "classifier", "score"
  std::shared_ptr<core::WeightStore> weights_;  // the base's tensors, and over them the adapter's
  std::set<std::string> own_;                   // names of the adapter's
  int64_t parameters_ = 0;
};

}  // namespace vsr::lora
