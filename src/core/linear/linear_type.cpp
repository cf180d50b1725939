#include "core/linear/linear_type.h"

#include "base/error.h"
#include "core/schedule/machine.h"

namespace vsr::core {
namespace {

void check_runs_on(LinearType type, at::Device device) {
  if (type == LinearType::kInt8 && !device.is_cpu()) {
    base::fail(base::Status::kUnsupported, "dtype \"int8\" runs on the processor alone, not on ", device.str());
  }
  if (type == LinearType::kBFloat16 && device.is_cpu() && !machine().bfloat16) {
    base::fail(base::Status::kUnsupported,
               "dtype \"bfloat16\" needs a processor with AVX512_BF16 or AMX, which this machine's lacks");
  }
}

}  // namespace

std::string_view linear_type_name(LinearType type) {
  switch (type) {
    case LinearType::kFloat32:
      return "float32";
    case LinearType::kBFloat16:
      return "bfloat16";
    case LinearType::kInt8:
      return "int8";
  }
  return "";
}

LinearType linear_type_named(const std::string& dtype, at::Device device) {
  if (dtype == "auto") return LinearType::kFloat32;
  for (const LinearType type : {LinearType::kFloat32, LinearType::kBFloat16, LinearType::kInt8}) {
    if (dtype != linear_type_name(type)) continue;
    check_runs_on(type, device);
    return type;
  }
  base::fail(base::Status::kUnsupported, "dtype \"", dtype,
             "\" is not one that this build runs (auto, float32, bfloat16, int8)");
}

}  // namespace vsr::core
