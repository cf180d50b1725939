// Written by tests/abi/generate.py from include/vsr; do not edit.
// Options of calls and what they point to. `given` is a dict with exactly the names that are read here.
#pragma once

#include "limits.h"
#include "names.h"
#include "numbers.h"
#include "progress.h"
#include "text.h"

namespace vsr_python {

class EmbedOptions {
 public:
  explicit EmbedOptions(const py::dict& given)
      : task_(given["task"], "task"),
        prompt_(given["prompt"], "prompt"),
        instruction_(given["instruction"], "instruction"),
        progress(given["progress"]) {
    options_.dim = small_number(given["dim"], "dim");
    options_.layer = small_number(given["layer"], "layer");
    options_.no_normalize = flag(given["normalize"], "normalize") ? 0 : 1;
    options_.task = task_.get();
    options_.prompt = prompt_.get();
    options_.instruction = instruction_.get();
    options_.max_tokens = static_cast<size_t>(small_number(given["max_tokens"], "max_tokens"));
    options_.progress = progress.callback();
    options_.user_data = &progress;
    read_limits(given, options_);
  }
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

class ClassifyOptions {
 public:
  explicit ClassifyOptions(const py::dict& given)
      : task_(given["task"], "task"),
        progress(given["progress"]) {
    options_.threshold = threshold_of(given["threshold"]);
    options_.task = task_.get();
    options_.max_tokens = static_cast<size_t>(small_number(given["max_tokens"], "max_tokens"));
    options_.progress = progress.callback();
    options_.user_data = &progress;
    read_limits(given, options_);
  }
  ClassifyOptions(const ClassifyOptions&) = delete;
  ClassifyOptions& operator=(const ClassifyOptions&) = delete;
  const vsr_classify_options* get() const { return &options_; }

 private:
  CString task_;
  vsr_classify_options options_ = VSR_CLASSIFY_OPTIONS_INIT;

 public:
  Progress progress;
};

class RouteOptions {
 public:
  explicit RouteOptions(const py::dict& given)
      : user_(given["user"], "user"),
        tenant_(given["tenant"], "tenant"),
        groups_(given["groups"], "groups"),
        headers_(given["headers"], "headers"),
        metadata_(given["metadata"], "metadata") {
    options_.explain = flag(given["explain"], "explain") ? 1 : 0;
    options_.evaluate_all = flag(given["evaluate_all"], "evaluate_all") ? 1 : 0;
    options_.user = user_.get();
    options_.tenant = tenant_.get();
    options_.groups = groups_.data();
    options_.group_count = groups_.size();
    options_.header_names = headers_.names();
    options_.header_values = headers_.values();
    options_.header_count = headers_.size();
    options_.metadata_names = metadata_.names();
    options_.metadata_values = metadata_.values();
    options_.metadata_count = metadata_.size();
    read_limits(given, options_);
  }
  RouteOptions(const RouteOptions&) = delete;
  RouteOptions& operator=(const RouteOptions&) = delete;
  const vsr_route_options* get() const { return &options_; }

 private:
  CString user_;
  CString tenant_;
  Names groups_;
  NamedTexts headers_;
  NamedTexts metadata_;
  vsr_route_options options_ = VSR_ROUTE_OPTIONS_INIT;
};

}  // namespace vsr_python
