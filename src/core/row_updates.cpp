#include "core/row_updates.h"

#include <ATen/ops/mm.h>

namespace vsr::core {
namespace {

using at::Tensor;

void apply_update(const ModuleUpdate& update, const Tensor& input, const Tensor& base_bias, Tensor output) {
  if (update.scale.defined()) {
    if (base_bias.defined()) output.sub_(base_bias);
    output.mul_(update.scale);
    if (base_bias.defined()) output.add_(base_bias);
  }
  if (update.down.defined()) output.addmm_(at::mm(input, update.down.t()), update.up.t());
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
