// The options that commands share, and arguments that reach a command byte for byte.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "handles.h"

namespace vsr::cli {

// CLI11 reads "[a, b]" as a list of two values. protect() marks such an argument so that it stays one text; every
// option that takes text is declared with add_text() or add_texts(), which take the mark off again.
std::vector<std::string> protected_arguments(int argc, const char* const* argv);

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& value, const std::string& description);
// A positional (any number) or an option that may be given several times, with one value each.
CLI::Option* add_texts(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                       const std::string& description);

struct ModelArguments {
  std::string model;
  std::string dtype;
  std::string device;
  std::string config;
  std::string task;
  std::vector<std::string> adapters;  // "NAME=DIR", or a folder alone
  unsigned threads = 0;
  size_t max_tokens = 0;
};

void add_model_arguments(CLI::App& app, ModelArguments& arguments, bool with_task = true);
void add_token_limit(CLI::App& app, ModelArguments& arguments);
void require_model(const ModelArguments& arguments);
Engine open_engine(const ModelArguments& arguments);

// NULL for an empty string, as the library's options want it.
inline const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

}  // namespace vsr::cli
