// vsr: the library from a shell. Reads texts, prints tables for people and JSON lines for programs.
#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>
#include <new>
#include <string>

#include "arguments.h"
#include "commands.h"
#include "failure.h"
#include "terminal.h"

namespace {

constexpr int kFailed = 1;
constexpr int kUsage = 2;

int fail(std::string message, int exit_code) {
  // Names in a message may hold anything; the message stays one line.
  for (char& c : message) c = std::iscntrl(static_cast<unsigned char>(c)) != 0 ? ' ' : c;
  std::fflush(stdout);
  std::fprintf(stderr, "vsr: %s\n", message.c_str());
  return exit_code;
}

// CLI11 begins its messages with a capital letter.
std::string in_house_style(std::string message) {
  if (!message.empty()) message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  return message;
}

// "a subcommand is required" does not say that the first argument was meant as one.
std::string usage_message(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv) {
  if (program.get_subcommands().empty() && argc > 1 && argv[1][0] != '-') {
    return "unknown command \"" + std::string(argv[1]) + "\"";
  }
  return in_house_style(error.what());
}

std::string help_hint(const CLI::App& program) {
  for (const CLI::App* command : program.get_subcommands()) return " (see vsr " + command->get_name() + " --help)";
  return " (see vsr --help)";
}

int run(CLI::App& program, int argc, char** argv) {
  try {
    std::vector<std::string> arguments = vsr::cli::protected_arguments(argc, argv);
    program.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    vsr::cli::flush_output();
    return 0;
  } catch (const CLI::Success& success) {
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    return fail(usage_message(program, error, argc, argv) + help_hint(program), kUsage);
  } catch (const vsr::cli::UsageError& error) {
    return fail(error.what() + help_hint(program), error.exit_code());
  } catch (const vsr::cli::Failure& error) {
    return fail(error.what(), error.exit_code());
  } catch (const std::bad_alloc&) {
    return fail("out of memory", kFailed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Semantic routing from a shell: what a text is, what it resembles, which intent it has.", "vsr");
  program.set_version_flag("--version", [] {
    return std::string("vsr ") + vsr_version().data + " (ABI " + std::to_string(vsr_abi_version()) + ", LibTorch " +
           vsr_torch_version().data + ")";
  });
  program.require_subcommand(1);
  vsr::cli::add_intents_command(program, argc > 0 ? argv[0] : "vsr");
  vsr::cli::add_classify_command(program);
  vsr::cli::add_entities_command(program);
  vsr::cli::add_embed_command(program);
  vsr::cli::add_generate_command(program);
  vsr::cli::add_moderate_command(program);
  vsr::cli::add_route_command(program);
  vsr::cli::add_compress_command(program);
  vsr::cli::add_guard_command(program);
  vsr::cli::add_tokenize_command(program);
  vsr::cli::add_inspect_command(program);
  vsr::cli::add_merge_command(program);
  vsr::cli::add_bench_command(program);
  program.footer("vsr COMMAND --help says more. Commands print tables for people, and with --json lines for programs.");
  return run(program, argc, argv);
}
