// Written by tests/abi/generate.py from include/vsr; do not edit.
// Options of calls and what they point to. `given` is a dict with exactly the names that are read here.
#pragma once

#include <memory>

#include "callbacks.h"
#include "engine.h"
#include "limits.h"
#include "names.h"
#include "numbers.h"
#include "text.h"
#include "tokenizer.h"

namespace vsr_python {

inline constexpr Word kPathWords[] = {
    {"auto", VSR_PATH_AUTO},
    {"standard", VSR_PATH_STANDARD},
    {"lora", VSR_PATH_LORA},
};
inline constexpr Word kRuleWords[] = {
    {"vote", VSR_RULE_VOTE},
    {"best", VSR_RULE_BEST},
    {"blend", VSR_RULE_BLEND},
};

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
    options_.user_data = progress.user_data();
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
    options_.user_data = progress.user_data();
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

class MultiOptions {
 public:
  explicit MultiOptions(const py::dict& given)
      : wanted(given["wanted"]),
        progress(given["progress"]) {
    options_.path = number_of_word(given["path"], "path", kPathWords);
    options_.threshold = threshold_of(given["threshold"]);
    options_.wanted = wanted.data();
    options_.max_tokens = static_cast<size_t>(small_number(given["max_tokens"], "max_tokens"));
    options_.progress = progress.callback();
    options_.user_data = progress.user_data();
    read_limits(given, options_);
  }
  MultiOptions(const MultiOptions&) = delete;
  MultiOptions& operator=(const MultiOptions&) = delete;
  const vsr_multi_options* get() const { return &options_; }

 private:
  vsr_multi_options options_ = VSR_MULTI_OPTIONS_INIT;

 public:
  Mask wanted;
  Progress progress;
};

class IntentsOptions {
 public:
  explicit IntentsOptions(const py::dict& given)
      : task_(given["task"], "task") {
    options_.rule = number_of_word(given["rule"], "rule", kRuleWords);
    options_.top_k = small_number(given["top_k"], "top_k");
    options_.threshold = static_cast<float>(real_number(given["threshold"], "threshold"));
    options_.task = task_.get();
  }
  IntentsOptions(const IntentsOptions&) = delete;
  IntentsOptions& operator=(const IntentsOptions&) = delete;
  const vsr_intents_options* get() const { return &options_; }

 private:
  CString task_;
  vsr_intents_options options_ = VSR_INTENTS_OPTIONS_INIT;
};

class IntentsAddOptions {
 public:
  explicit IntentsAddOptions(const py::dict& given)
      : threshold_(given["threshold"], "threshold") {
    options_.threshold = threshold_.get();
    read_limits(given, options_);
  }
  IntentsAddOptions(const IntentsAddOptions&) = delete;
  IntentsAddOptions& operator=(const IntentsAddOptions&) = delete;
  const vsr_intents_add_options* get() const { return &options_; }

 private:
  OptionalFloat threshold_;
  vsr_intents_add_options options_ = VSR_INTENTS_ADD_OPTIONS_INIT;
};

class IntentsReadFileOptions {
 public:
  explicit IntentsReadFileOptions(const py::dict& given)
      : threshold_(given["threshold"], "threshold"),
        task_(given["task"], "task") {
    options_.rule = number_of_word(given["rule"], "rule", kRuleWords);
    options_.top_k = small_number(given["top_k"], "top_k");
    options_.threshold = threshold_.get();
    options_.task = task_.get();
    read_limits(given, options_);
  }
  IntentsReadFileOptions(const IntentsReadFileOptions&) = delete;
  IntentsReadFileOptions& operator=(const IntentsReadFileOptions&) = delete;
  const vsr_intents_read_file_options* get() const { return &options_; }

 private:
  OptionalFloat threshold_;
  CString task_;
  vsr_intents_read_file_options options_ = VSR_INTENTS_READ_FILE_OPTIONS_INIT;
};

class IntentsRouteOptions {
 public:
  explicit IntentsRouteOptions(const py::dict& given) {
    read_limits(given, options_);
  }
  IntentsRouteOptions(const IntentsRouteOptions&) = delete;
  IntentsRouteOptions& operator=(const IntentsRouteOptions&) = delete;
  const vsr_intents_route_options* get() const { return &options_; }

 private:
  vsr_intents_route_options options_ = VSR_INTENTS_ROUTE_OPTIONS_INIT;
};

class CompressOptions {
 public:
  explicit CompressOptions(const py::dict& given)
      : language_(given["language"], "language"),
        tokenizer_(held<Tokenizer>(given["tokenizer"])) {
    options_.language = language_.get();
    options_.tokenizer = tokenizer_.get();
    read_limits(given, options_);
  }
  CompressOptions(const CompressOptions&) = delete;
  CompressOptions& operator=(const CompressOptions&) = delete;
  const vsr_compress_options* get() const { return &options_; }

 private:
  CString language_;
  std::shared_ptr<vsr_tokenizer> tokenizer_;
  vsr_compress_options options_ = VSR_COMPRESS_OPTIONS_INIT;
};

class GenerateOptions {
 public:
  explicit GenerateOptions(const py::dict& given)
      : task_(given["task"], "task"),
        on_token(given["on_token"]) {
    options_.no_eos = flag(given["stop_at_eos"], "stop_at_eos") ? 0 : 1;
    options_.max_new_tokens = static_cast<size_t>(small_number(given["max_new_tokens"], "max_new_tokens"));
    options_.task = task_.get();
    options_.temperature = static_cast<float>(real_number(given["temperature"], "temperature"));
    options_.top_k = int32_number(given["top_k"], "top_k");
    options_.top_p = not_zero(given["top_p"], "top_p", "above 0 and at most 1");
    options_.seed = unsigned_number(given["seed"], "seed");
    options_.on_token = on_token.callback();
    options_.user_data = on_token.user_data();
    read_limits(given, options_);
  }
  GenerateOptions(const GenerateOptions&) = delete;
  GenerateOptions& operator=(const GenerateOptions&) = delete;
  const vsr_generate_options* get() const { return &options_; }

 private:
  CString task_;
  vsr_generate_options options_ = VSR_GENERATE_OPTIONS_INIT;

 public:
  TokenCall on_token;
};

class ModerateOptions {
 public:
  explicit ModerateOptions(const py::dict& given)
      : task_(given["task"], "task") {
    options_.task = task_.get();
    options_.max_new_tokens = static_cast<size_t>(small_number(given["max_new_tokens"], "max_new_tokens"));
    read_limits(given, options_);
  }
  ModerateOptions(const ModerateOptions&) = delete;
  ModerateOptions& operator=(const ModerateOptions&) = delete;
  const vsr_moderate_options* get() const { return &options_; }

 private:
  CString task_;
  vsr_moderate_options options_ = VSR_MODERATE_OPTIONS_INIT;
};

class RouterOptions {
 public:
  explicit RouterOptions(const py::dict& given)
      : engine_(held<Engine>(given["engine"])),
        log(given["log"]) {
    options_.lenient = flag(given["lenient"], "lenient") ? 1 : 0;
    options_.own_models = flag(given["own_models"], "own_models") ? 1 : 0;
    options_.validate_models = flag(given["validate_models"], "validate_models") ? 1 : 0;
    options_.engine = engine_.get();
    options_.log = log.callback();
    options_.user_data = log.user_data();
  }
  RouterOptions(const RouterOptions&) = delete;
  RouterOptions& operator=(const RouterOptions&) = delete;
  const vsr_router_options* get() const { return &options_; }

 private:
  std::shared_ptr<vsr_engine> engine_;
  vsr_router_options options_ = VSR_ROUTER_OPTIONS_INIT;

 public:
  Log log;
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
