// Options of adapters, which engines are opened with too.
#pragma once

#include <deque>
#include <vector>

#include "text.h"

namespace vsr_python {

// One adapter's options and the strings that they point to.
class AdapterOptions {
 public:
  AdapterOptions(py::handle name, py::handle path, py::handle model);
  AdapterOptions(const AdapterOptions&) = delete;
  AdapterOptions& operator=(const AdapterOptions&) = delete;
  const vsr_adapter_options* get() const { return &options_; }

 private:
  CString name_;
  Path path_;
  CString model_;
  vsr_adapter_options options_ = VSR_ADAPTER_OPTIONS_INIT;
};

class AdapterList {
 public:
  // A list of (name, path, model or None).
  explicit AdapterList(const py::list& adapters);
  const vsr_adapter_options* const* data() const { return pointers_.data(); }
  size_t size() const { return pointers_.size(); }

 private:
  std::deque<AdapterOptions> adapters_;  // whose addresses stay as it grows
  std::vector<const vsr_adapter_options*> pointers_;
};

}  // namespace vsr_python
