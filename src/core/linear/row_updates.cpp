#include "core/linear/row_updates.h"

#include <ATen/ops/mm.h>

namespace vsr::core {
namespace {

using at::Tensor;

// output += a b; adapters are float32 whatever the base computes in.
void add_product(const Tensor& a, const Tensor& b, Tensor& output) {
  if (output.scalar_type() == at::kFloat) {
    output.addmm_(a, b);
  } else {
    output.add_(at::mm(a, b));
  }
}

void apply_update(const ModuleUpdate& update, const Tensor& input, const Tensor& base_bias, Tensor output) {
  if (update.scale.defined()) {
    if (base_bias.defined()) output.sub_(base_bias);
    output.mul_(update.scale);
    if (base_bias.defined()) output.add_(base_bias);
  }
  if (update.down.defined()) add_product(at::mm(input.to(at::kFloat), update.down.t()), update.up.t(), output);
  if (update.bias.defined()) output.add_(update.bias);
}

}  // namespace

void apply_updates(const std::vector<RowGroup>& groups, ModuleId module, const Tensor& input, const Tensor& base_bias,
                   Tensor& output) {
  for (const RowGroup& group : groups) {
    if (module >= group.updates->size() || !(*group.updates)[module]) continue;
    const int64_t rows = group.end - group.begin;
    apply_update(*(*group.updates)[module], input.narrow(0, group.begin, rows), base_bias,
                 output.narrow(0, group.begin, rows));
  }
}

}  // namespace vsr::core
