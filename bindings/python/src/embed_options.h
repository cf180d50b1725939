// The options of an embedding call, from Python to C.
#pragma once

#include "progress.h"
#include "text.h"

namespace vsr_python {

// Options of a call and what they point to. `given` is a dict with exactly the names that are read here.
class EmbedOptions {
 public:
  explicit EmbedOptions(const py::dict& given);
  EmbedOptions(const EmbedOptions&) = delete;
  EmbedOptions& operator=(const EmbedOptions&) = delete;
  const vsr_embed_options* get() const { return &options_; }

 private:
  CString task_;
  CString prompt_;
  CString instruction_;
  vsr_embed_options options_ = VSR_EMBED_OPTIONS_INIT;

 public:
  Progress progress;
};

}  // namespace vsr_python
