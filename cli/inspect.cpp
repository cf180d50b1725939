// vsr inspect: what the library understood of the folder of a model or an adapter.
#include <cmath>
#include <filesystem>
#include <memory>

#include "arguments.h"
#include "commands.h"
#include "report.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

struct InspectArguments {
  std::string folder;
  ModelArguments model;
  bool json = false;
};

std::string scalar(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_unsigned()) return format_count(value.get<size_t>());
  return value.dump();
}

void print_line_of(const std::string& name, const std::string& value) {
  if (value.empty()) return;
  // Values come from files: nothing of them reaches the terminal unchecked.
  print_line("  " + styled(padded(name, 18), Style::kDim) + for_display(value, 4096));
}

void print_member(const Json& object, const char* key, const std::string& name) {
  if (object.contains(key) && !object.at(key).is_null()) print_line_of(name, scalar(object.at(key)));
}

std::string joined(const Json& list, size_t most) {
  std::string text;
  for (size_t i = 0; i < std::min(list.size(), most); ++i) text += (i == 0 ? "" : ", ") + scalar(list.at(i));
  return list.size() > most ? text + ", \u2026 (" + format_count(list.size()) + ")" : text;
}

std::string joined_keys(const Json& object) {
  std::string text;
  for (const auto& [key, value] : object.items()) text += (text.empty() ? "" : ", ") + key;
  return text;
}

std::string megabytes(const Json& bytes) {
  const auto value = bytes.get<size_t>();
  return format_count(value) + " (" + format_number(static_cast<double>(value) / 1e6, 1) + " MB)";
}

// Bases and factors of rope, which are whole as a rule.
std::string plain(const Json& number) {
  const auto value = number.get<double>();
  return format_number(value, value == std::floor(value) ? 0 : 3);
}

// "15 layers sliding, 64 tokens to both sides, rope theta 10000"
void print_attention(const Json& kind) {
  const auto type = kind.at("type").get<std::string>();
  std::string text = format_count(kind.at("layers").get<size_t>(), "layer") + " " + type.substr(0, type.find('_'));
  const std::string sides = kind.at("causal").get<bool>() ? "back" : "to both sides";
  text += kind.contains("window") ? ", " + format_count(kind.at("window").get<size_t>(), "token") + " " + sides
                                  : ", all " + sides;
  if (kind.contains("rope")) {
    const Json& rope = kind.at("rope");
    text += ", rope theta " + plain(rope.at("theta"));
    if (rope.at("type") != "default") text += ", " + scalar(rope.at("type")) + " by " + plain(rope.at("factor"));
  } else {
    text += ", learned positions";
  }
  print_line_of("attention", text);
}

void print_embedding(const Json& embedding) {
  print_member(embedding, "dim", "embedding size");
  print_member(embedding, "pooling", "pooling");
  print_member(embedding, "normalize", "normalised");
  print_line_of("modules", joined(embedding.at("modules"), 24));
  print_line_of("matryoshka dims", joined(embedding.at("matryoshka_dims"), 24));
  print_line_of("languages", joined(embedding.at("languages"), 24));
  if (embedding.contains("prompts")) print_line_of("prompts", joined_keys(embedding.at("prompts")));
  print_member(embedding, "default_prompt", "default prompt");
  if (!embedding.at("include_prompt").get<bool>()) print_line_of("prompt tokens", "left out of the pooling");
}

void print_head(const Json& head) {
  print_line_of("task", scalar(head.at("task")) + " (" + scalar(head.at("kind")) + ")");
  if (!head.contains("labels") || head.at("labels").empty()) return;
  print_line_of("labels", joined(head.at("labels"), 24));
  if (head.value("multi_label", false)) print_line_of("multi-label", "yes");
}

void print_model(const Json& model) {
  print_line(styled(for_display(scalar(model.at("name")), 200), Style::kBold));
  print_member(model, "path", "path");
  print_member(model, "architecture", "architecture");
  print_member(model, "layers", "layers");
  print_member(model, "attention_heads", "attention heads");
  print_member(model, "key_value_heads", "key/value heads");
  print_member(model, "head_dim", "head dimension");
  for (const Json& kind : model.at("attention")) print_attention(kind);
  print_member(model, "hidden_size", "hidden size");
  print_member(model, "intermediate_size", "intermediate size");
  print_line_of("max tokens", scalar(model.at("max_tokens")) + " (" + scalar(model.at("max_tokens_source")) + ")");
  if (model.contains("max_tokens")) print_line_of("longer texts", "windows of max tokens, each half a window on");
  print_member(model, "tokenizer", "tokenizer");
  print_member(model, "vocab_size", "vocabulary");
  if (model.contains("embedding") && model.at("embedding").is_object()) print_embedding(model.at("embedding"));
  for (const Json& head : model.value("heads", Json::array())) print_head(head);
  print_member(model, "dtype", "dtype");
  print_member(model, "device", "device");
  print_member(model, "parameters", "parameters");
  if (model.contains("bytes_in_memory")) print_line_of("bytes in memory", megabytes(model.at("bytes_in_memory")));
}

void print_adapter(const Json& adapter) {
  print_line(styled(for_display(scalar(adapter.at("name")), 200), Style::kBold));
  print_member(adapter, "path", "path");
  print_member(adapter, "model", "adapter of");
  print_member(adapter, "kind", "task");
  if (!adapter.at("labels").empty()) print_line_of("labels", joined(adapter.at("labels"), 24));
  if (adapter.value("multi_label", false)) print_line_of("multi-label", "yes");
  print_member(adapter, "rank", "rank");
  print_member(adapter, "first_layer", "layers unchanged");
  print_member(adapter, "parameters", "parameters");
  print_member(adapter, "head_parameters", "of them, head");
  print_line_of("bytes in memory", megabytes(adapter.at("bytes_in_memory")));
}

// A folder with adapter_config.json is an adapter, any other a model.
ModelArguments what_to_open(const InspectArguments& arguments) {
  ModelArguments model = arguments.model;
  if (arguments.folder.empty()) return model;
  if (std::filesystem::exists(std::filesystem::path(arguments.folder) / "adapter_config.json")) {
    if (model.model.empty() && model.config.empty()) {
      throw UsageError(arguments.folder + " is an adapter: --model DIR of its base is required");
    }
    // A folder whose name holds a '=' is no NAME=DIR.
    const bool plain = arguments.folder.find('=') == std::string::npos || arguments.folder.front() == '/';
    model.adapters.push_back(plain ? arguments.folder : "./" + arguments.folder);
    return model;
  }
  if (!model.model.empty()) throw UsageError(arguments.folder + " and --model are two models, expected one");
  model.model = arguments.folder;
  return model;
}

void inspect(const InspectArguments& arguments) {
  const Engine engine = open_engine(what_to_open(arguments));
  const String json =
      make<String>([&](vsr_string** out, vsr_error* error) { return vsr_engine_describe(engine.get(), out, error); });
  const Json description = Json::parse(text_of(json));
  if (arguments.json) {
    print_json(description);
    return;
  }
  bool first = true;
  for (const Json& model : description.at("models")) {
    if (!first) print_line("");
    first = false;
    print_model(model);
  }
  for (const Json& adapter : description.at("adapters")) {
    print_line("");
    print_adapter(adapter);
  }
}

}  // namespace

void add_inspect_command(CLI::App& program) {
  CLI::App& app =
      *program.add_subcommand("inspect", "say what the folder of a model or an adapter holds, as vsr sees it");
  const auto arguments = std::make_shared<InspectArguments>();
  add_text(app, "dir", arguments->folder, "folder of a model; or of an adapter, with --model")->type_name("DIR");
  add_text(app, "-m,--model", arguments->model.model, "folder of the model")->type_name("DIR");
  add_texts(app, "--adapter", arguments->model.adapters, "adapter of the model; may be repeated")
      ->type_name("NAME=DIR");
  add_text(app, "-c,--config", arguments->model.config, "configuration whose vsr: section names models")
      ->type_name("FILE");
  app.add_flag("--json", arguments->json, "the description as one JSON object");
  app.callback([arguments] { inspect(*arguments); });
}

}  // namespace vsr::cli
