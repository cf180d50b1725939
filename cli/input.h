// The texts of a command: from its arguments, from files, or from standard input.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "vsr/vsr.h"

namespace vsr::cli {

struct Text {
  std::string text;
  std::optional<std::string> pair;
};

// What a file holds.
enum class FileForm {
  kTexts,     // one text per line, or JSON lines with a "text"
  kWhole,     // one text
  kRequests,  // one request per line: JSON or plain text; or one JSON document over several lines
};

struct InputArguments {
  std::vector<std::string> texts;
  std::vector<std::string> pairs;
  std::vector<std::string> files;
  bool null_separated = false;
  bool jsonl = false;
  bool takes_pairs = false;
  FileForm form = FileForm::kTexts;
  bool given() const { return !texts.empty() || !files.empty(); }
};

void add_input_arguments(CLI::App& app, InputArguments& arguments, bool takes_pairs, FileForm form = FileForm::kTexts);

// Standard input is read when neither texts nor files are given.
std::vector<Text> read_texts(const InputArguments& arguments);

// The views that a call of the library takes, of texts [begin, end). `pairs` is empty where there are none.
struct TextViews {
  std::vector<vsr_str> texts;
  std::vector<vsr_str> pairs;
};
TextViews views(const std::vector<Text>& texts, size_t begin, size_t end);

// The bytes of a file ("-": standard input).
std::string read_file(const std::string& path);

}  // namespace vsr::cli
