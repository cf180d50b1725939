// The subcommands. Each adds itself to the program and runs while the arguments are parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vsr::cli {

void add_embed_command(CLI::App& program);
void add_classify_command(CLI::App& program);
void add_entities_command(CLI::App& program);
void add_tokenize_command(CLI::App& program);
void add_route_command(CLI::App& program);
void add_compress_command(CLI::App& program);
void add_generate_command(CLI::App& program);
void add_guard_command(CLI::App& program);
void add_moderate_command(CLI::App& program);
void add_intents_command(CLI::App& program, const std::string& program_path);
void add_inspect_command(CLI::App& program);
void add_merge_command(CLI::App& program);
void add_bench_command(CLI::App& program);

}  // namespace vsr::cli
