// vsr merge: an adapter and its base, written as one standard checkpoint.
#include <memory>

#include "arguments.h"
#include "commands.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

struct MergeArguments {
  std::string adapter;
  std::string model;
  std::string output;
};

void merge(const MergeArguments& arguments) {
  ModelArguments model;
  model.model = arguments.model;
  const Engine engine = open_engine(model);
  vsr_adapter_options options = VSR_ADAPTER_OPTIONS_INIT;
  options.path = arguments.adapter.c_str();
  check([&](vsr_error* error) {
    return vsr_engine_merge_adapter(engine.get(), &options, arguments.output.c_str(), error);
  });
  print_line(for_display(arguments.output, 4096));
}

}  // namespace

void add_merge_command(CLI::App& program) {
  CLI::App& app = *program.add_subcommand("merge", "write an adapter and its base as one standard checkpoint");
  const auto arguments = std::make_shared<MergeArguments>();
  add_text(app, "adapter", arguments->adapter, "folder of the adapter")->required()->type_name("ADAPTER");
  add_text(app, "--model", arguments->model, "folder of the model that it adapts")->required()->type_name("DIR");
  add_text(app, "--output", arguments->output, "the folder to write, which must not exist yet")
      ->required()
      ->type_name("DIR");
  app.callback([arguments] { merge(*arguments); });
}

}  // namespace vsr::cli
