#include "core/schedule/device.h"

#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>

#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/process.h"

namespace vsr::core {
namespace {

using base::fail;
using base::Status;

// LibTorch's CUDA part registers its operators when it is loaded. Returns what went wrong; empty: nothing.
std::string load_cuda() {
  Dl_info torch;
  if (dladdr(reinterpret_cast<void*>(&at::get_num_threads), &torch) == 0) return "LibTorch's folder is unknown";
  const std::string path = std::filesystem::path(torch.dli_fname).replace_filename("libtorch_cuda.so").string();
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return {};
  const char* message = dlerror();
  return message == nullptr ? path + " does not load" : message;
}

// The number after "cuda:"; nothing for what is no number.
std::optional<at::DeviceIndex> index_of(std::string_view name) {
  constexpr std::string_view kPrefix = "cuda:";
  if (name == "cuda") return at::DeviceIndex{0};
  if (!name.starts_with(kPrefix)) return std::nullopt;
  const std::string_view digits = name.substr(kPrefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!whole || number < 0 || number > std::numeric_limits<at::DeviceIndex>::max()) return std::nullopt;
  return static_cast<at::DeviceIndex>(number);
}

void check_gpu(const std::string& name, at::DeviceIndex index) {
  static const std::string error = load_cuda();
  static const uint64_t loaded_in = base::fork_generation();
  if (loaded_in != base::fork_generation()) {
    fail(Status::kState, "device \"", name,
         "\": this process was forked from one that uses CUDA, which does not outlive ",
         "that (hint: load models after the fork)");
  }
  if (!error.empty()) {
    fail(Status::kUnsupported, "device \"", name, "\": LibTorch's CUDA part does not load: ", error,
         " (hint: a LibTorch for the CPU alone, or one without the libraries that it needs?)");
  }
  // LibTorch looks once for its CUDA part, and keeps the answer.
  const at::CUDAHooksInterface& cuda = at::detail::getCUDAHooks();
  if (!cuda.hasCUDART()) {
    fail(Status::kUnsupported, "device \"", name, "\": LibTorch was asked for CUDA before its CUDA part was loaded",
         " (hint: load this model first, or libtorch_cuda.so when the program starts)");
  }
  const int count = cuda.hasCUDA() ? cuda.deviceCount() : 0;
  if (count == 0) fail(Status::kUnsupported, "device \"", name, "\": CUDA finds no GPU on this machine");
  if (index >= count) {
    fail(Status::kUnsupported, "device \"", name, "\": CUDA finds ", count, " GPU", count == 1 ? "" : "s",
         ", numbered from 0");
  }
}

}  // namespace

at::Device device_named(const std::string& name) {
  if (name == "auto" || name == "cpu") return at::kCPU;
  const auto index = index_of(name);
  if (!index) {
    fail(Status::kUnsupported, "device \"", name, "\" is not one that this build runs (auto, cpu, cuda, cuda:N)");
  }
  check_gpu(name, *index);
  return {at::kCUDA, *index};
}

}  // namespace vsr::core
