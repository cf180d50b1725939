#include "input.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "arguments.h"
#include "failure.h"
#include "json.h"

namespace vsr::cli {
namespace {

std::string shown(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_all(std::FILE* file, const std::string& name) {
  std::string bytes;
  char buffer[1 << 16];
  while (const size_t n = std::fread(buffer, 1, sizeof buffer, file)) bytes.append(buffer, n);
  if (std::ferror(file) != 0) throw Failure(name + ": " + std::strerror(errno));
  return bytes;
}

// What ends each part; a separator at the end begins no part of its own.
std::vector<std::string_view> split(std::string_view bytes, char separator) {
  std::vector<std::string_view> parts;
  while (!bytes.empty()) {
    const size_t end = bytes.find(separator);
    parts.push_back(bytes.substr(0, end));
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
  }
  return parts;
}

std::string string_member(const Json& object, const char* key, const std::string& place) {
  const Json& value = object.at(key);
  if (!value.is_string()) throw Failure(place + ": \"" + key + "\" is " + value.type_name() + ", expected a string");
  return value.get<std::string>();
}

Json parse_json(std::string_view line, const std::string& place) {
  try {
    return Json::parse(line);
  } catch (const Json::parse_error& error) {
    throw Failure(place + ":" + std::to_string(error.byte) + ": not valid JSON");
  }
}

Text parse_json_line(std::string_view line, bool takes_pairs, const std::string& place) {
  const Json object = parse_json(line, place);
  if (!object.is_object()) throw Failure(place + ": expected an object with a \"text\", found " + object.type_name());
  if (!object.contains("text")) throw Failure(place + ": \"text\" is missing");
  Text text{string_member(object, "text", place), std::nullopt};
  if (object.contains("pair")) {
    if (!takes_pairs) throw Failure(place + ": \"pair\" is given, and this command reads single texts");
    text.pair = string_member(object, "pair", place);
  }
  return text;
}

bool is_json_lines(const InputArguments& arguments, const std::string& path) {
  return arguments.form == FileForm::kTexts &&
         (arguments.jsonl || path.ends_with(".jsonl") || path.ends_with(".ndjson"));
}

// A JSON document that does not end with its first line.
bool is_one_document(std::string_view bytes) {
  const size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || bytes[begin] != '{') return false;
  bytes.remove_prefix(begin);
  return !Json::accept(bytes.substr(0, bytes.find('\n')));
}

bool is_one_text(const InputArguments& arguments, std::string_view bytes) {
  if (arguments.null_separated) return false;
  return arguments.form == FileForm::kWhole || (arguments.form == FileForm::kRequests && is_one_document(bytes));
}

void append_file(const InputArguments& arguments, const std::string& path, std::vector<Text>& texts) {
  const std::string bytes = read_file(path);
  if (is_one_text(arguments, bytes)) {
    texts.push_back({bytes, std::nullopt});
    return;
  }
  const bool json_lines = is_json_lines(arguments, path);
  const bool lines = !arguments.null_separated;
  size_t number = 0;
  for (std::string_view part : split(bytes, lines ? '\n' : '\0')) {
    ++number;
    if (lines && part.ends_with('\r')) part.remove_suffix(1);
    if (json_lines) {
      if (part.find_first_not_of(" \t") == std::string_view::npos) continue;
      const std::string place = shown(path) + ":" + std::to_string(number);
      texts.push_back(parse_json_line(part, arguments.takes_pairs, place));
    } else {
      texts.push_back({std::string(part), std::nullopt});
    }
  }
}

// A row of the library's matrix of pairs is either there for all texts or for none.
void check_pairs(const std::vector<Text>& texts) {
  for (size_t i = 1; i < texts.size(); ++i) {
    if (texts[i].pair.has_value() != texts[0].pair.has_value()) {
      throw Failure("text " + std::to_string(i + 1) + (texts[i].pair ? " has a pair" : " has no pair") +
                    ", unlike the texts before it");
    }
  }
}

}  // namespace

void add_input_arguments(CLI::App& app, InputArguments& arguments, bool takes_pairs, FileForm form) {
  arguments.takes_pairs = takes_pairs;
  arguments.form = form;
  add_texts(app, "texts", arguments.texts, "texts; standard input is read when there are none and no --file");
  if (takes_pairs) {
    add_texts(app, "--pair", arguments.pairs, "second side of a text: one for each text, in their order");
  }
  const char* const forms[] = {"file with one text per line, or .jsonl with a \"text\"; ", "file with one text; ",
                               "file with one request per line, or one JSON document; "};
  add_texts(app, "-f,--file", arguments.files,
            std::string(forms[static_cast<int>(form)]) + "- is standard input; may be repeated")
      ->type_name("FILE");
  app.add_flag("-0,--null", arguments.null_separated, "texts in files end with a NUL");
  if (form == FileForm::kTexts) {
    app.add_flag("--jsonl", arguments.jsonl, "files hold one JSON object per line, whatever their names");
  }
  app.footer(
      "Texts come from arguments, from --file, or from standard input. A text that begins with - goes after --.");
}

std::string read_file(const std::string& path) {
  if (path.empty()) throw UsageError("the name of a file is empty");
  if (path == "-") return read_all(stdin, shown(path));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) throw Failure(path + ": " + std::strerror(errno));
  return read_all(file.get(), path);
}

std::vector<Text> read_texts(const InputArguments& arguments) {
  if (arguments.null_separated && arguments.jsonl) throw UsageError("--null and --jsonl exclude each other");
  std::vector<Text> texts;
  for (const std::string& text : arguments.texts) texts.push_back({text, std::nullopt});
  if (!arguments.pairs.empty()) {
    if (arguments.pairs.size() != arguments.texts.size()) {
      throw UsageError("--pair is given " + std::to_string(arguments.pairs.size()) + " times for " +
                       std::to_string(arguments.texts.size()) + " texts");
    }
    for (size_t i = 0; i < texts.size(); ++i) texts[i].pair = arguments.pairs[i];
  }
  for (const std::string& path : arguments.files) append_file(arguments, path, texts);
  if (!arguments.given()) {
    if (isatty(STDIN_FILENO) != 0) std::fputs("reading standard input; Ctrl-D ends it\n", stderr);
    append_file(arguments, "-", texts);
  }
  check_pairs(texts);
  return texts;
}

TextViews views(const std::vector<Text>& texts, size_t begin, size_t end) {
  TextViews result;
  for (size_t i = begin; i < end; ++i) {
    result.texts.push_back({texts[i].text.data(), texts[i].text.size()});
    if (texts[i].pair) result.pairs.push_back({texts[i].pair->data(), texts[i].pair->size()});
  }
  return result;
}

}  // namespace vsr::cli
