#include "arguments.h"

#include <deque>

namespace vsr::cli {
namespace {

constexpr char kMark = '\x01';

std::string unprotected(const std::string& argument) {
  return !argument.empty() && argument.front() == kMark ? argument.substr(1) : argument;
}

// An adapter's options and what they point to.
class AdapterOptions {
 public:
  explicit AdapterOptions(const std::string& argument) {
    const size_t mark = argument.find('=');
    // Names have no slash: "runs/lr=0.1" is a folder.
    const bool named = mark != std::string::npos && argument.find('/') > mark;
    if (named) name_ = argument.substr(0, mark);
    path_ = named ? argument.substr(mark + 1) : argument;
    if (path_.empty() || (named && name_.empty())) {
      throw UsageError("--adapter is \"" + argument + "\", expected NAME=DIR");
    }
    options_.name = or_null(name_);
    options_.path = path_.c_str();
  }
  AdapterOptions(const AdapterOptions&) = delete;
  AdapterOptions& operator=(const AdapterOptions&) = delete;
  const vsr_adapter_options* get() const { return &options_; }

 private:
  std::string name_;
  std::string path_;
  vsr_adapter_options options_ = VSR_ADAPTER_OPTIONS_INIT;
};

}  // namespace

std::vector<std::string> protected_arguments(int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    const bool list_like = !argument.empty() && argument.front() == '[' && argument.back() == ']';
    const bool marked = !argument.empty() && argument.front() == kMark;
    arguments.push_back(list_like || marked ? kMark + argument : argument);
  }
  return arguments;
}

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& value, const std::string& description) {
  const auto store = [&value](const CLI::results_t& results) {
    value = unprotected(results.front());
    return true;
  };
  return app.add_option(name, store, description)->type_name("TEXT")->type_size(1)->expected(1);
}

CLI::Option* add_texts(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                       const std::string& description) {
  const auto store = [&values](const CLI::results_t& results) {
    values.clear();
    for (const std::string& result : results) values.push_back(unprotected(result));
    return true;
  };
  const bool positional = name.front() != '-';
  CLI::Option* option = app.add_option(name, store, description)->type_name("TEXT")->type_size(1)->expected(1, -1);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(positional);
  if (positional) option->option_text("...");
  return option;
}

void add_model_arguments(CLI::App& app, ModelArguments& arguments, bool with_task) {
  add_text(app, "-m,--model", arguments.model, "folder of the model (config.json, weights, tokenizer)")
      ->type_name("DIR");
  add_text(app, "--dtype", arguments.dtype, "type of the model's linear layers: float32, int8, bfloat16")
      ->type_name("TYPE");
  add_text(app, "--device", arguments.device, "where the model runs: cpu, cuda, cuda:N")->type_name("NAME");
  add_text(app, "-c,--config", arguments.config, "configuration whose vsr: section names models and tasks")
      ->type_name("FILE");
  if (with_task) {
    add_text(app, "-t,--task", arguments.task, "the task to run, where there are several")->type_name("NAME");
    add_texts(app, "--adapter", arguments.adapters, "LoRA adapter of the model, and its task's name; may be repeated")
        ->type_name("NAME=DIR");
  }
  app.add_option("--threads", arguments.threads, "threads for computing; 0: one per core")->type_name("N");
}

void add_token_limit(CLI::App& app, ModelArguments& arguments) {
  app.add_option("--max-tokens", arguments.max_tokens, "reject longer texts instead of reading them in windows")
      ->type_name("N");
}

void require_model(const ModelArguments& arguments) {
  if (arguments.model.empty() && arguments.config.empty()) throw UsageError("--model DIR or --config FILE is required");
  if (arguments.model.empty() && !arguments.dtype.empty()) throw UsageError("--dtype goes with --model DIR");
  if (arguments.model.empty() && !arguments.device.empty()) throw UsageError("--device goes with --model DIR");
}

Engine open_engine(const ModelArguments& arguments) {
  require_model(arguments);
  vsr_model_options model = VSR_MODEL_OPTIONS_INIT;
  model.path = arguments.model.c_str();
  model.dtype = or_null(arguments.dtype);
  model.device = or_null(arguments.device);
  const vsr_model_options* const models[] = {&model};
  vsr_engine_options options = VSR_ENGINE_OPTIONS_INIT;
  options.thread_count = arguments.threads;
  options.config_path = or_null(arguments.config);
  if (!arguments.model.empty()) {
    options.models = models;
    options.model_count = 1;
  }
  std::deque<AdapterOptions> adapters;
  std::vector<const vsr_adapter_options*> pointers;
  for (const std::string& argument : arguments.adapters) pointers.push_back(adapters.emplace_back(argument).get());
  options.adapters = pointers.data();
  options.adapter_count = pointers.size();
  return make<Engine>([&](vsr_engine** out, vsr_error* error) { return vsr_engine_open(&options, out, error); });
}

}  // namespace vsr::cli
