#include "engine/model/checkpoint_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/file.h"

namespace vsr::engine {
namespace {

namespace fs = std::filesystem;
using base::fail;
using base::JsonObject;
using base::Status;

constexpr size_t kMostModules = 100;  // each of them is loaded, and one folder may be named often

std::optional<JsonObject> read_if_present(const fs::path& path) {
  if (!base::file_present(path.string())) return std::nullopt;
  return base::read_json_file(path.string());
}

// A module's folder comes from a file: it must stay below the checkpoint's.
std::string module_folder(const std::string& folder, const base::JsonObject& entry) {
  const fs::path relative = entry.optional<std::string>("path", "");
  const bool climbs = std::any_of(relative.begin(), relative.end(), [](const fs::path& part) { return part == ".."; });
  if (relative.is_absolute() || climbs) entry.at("path").fail("leads out of the checkpoint's folder");
  return relative.empty() ? folder : (fs::path(folder) / relative).string();
}

}  // namespace

void check_model_folder(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) fail(Status::kNotFound, path, ": no such folder");
  if (error) fail(Status::kIo, path, ": ", error.message());
  if (!fs::is_directory(status)) fail(Status::kInvalidArgument, path, ": not a folder");
}

std::optional<std::vector<ModuleEntry>> read_modules(const std::string& folder) {
  const std::string path = (fs::path(folder) / "modules.json").string();
  if (!base::file_present(path)) return std::nullopt;
  const base::FileContents file(path);
  std::vector<ModuleEntry> modules;
  for (const base::JsonValue& item : base::parse_json(file.text(), path).items()) {
    const JsonObject entry(item);
    const auto type = entry.required<std::string>("type");
    const std::string name = type.substr(type.rfind('.') + 1);
    constexpr std::array<std::string_view, 4> kKnown{"Transformer", "Pooling", "Dense", "Normalize"};
    if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end()) {
      entry.at("type").fail_unsupported("is \"" + type + "\", a module that vsr does not run");
    }
    if ((name == "Transformer") != modules.empty()) {
      entry.at("type").fail_unsupported("is \"" + name + "\", expected one Transformer, and it first");
    }
    modules.push_back({name, module_folder(folder, entry)});
    if (modules.size() > kMostModules) fail(Status::kParse, path, ": lists more than ", kMostModules, " modules");
  }
  if (modules.empty()) fail(Status::kParse, path, ": lists no module");
  return modules;
}

std::string transformer_folder(const std::string& folder, const std::optional<std::vector<ModuleEntry>>& modules) {
  return modules ? modules->front().folder : folder;
}

std::string last_part(const std::string& path) {
  const fs::path whole = fs::path(path).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

bool same_tokenizer_files(const std::string& folder, const std::string& other) {
  constexpr std::array<std::string_view, 8> kFiles{
      "tokenizer.json",  "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "vocab.txt",
      "tokenizer.model", "spiece.model",          "sentencepiece.bpe.model"};
  bool any = false;
  for (const std::string_view name : kFiles) {
    const std::string own = (fs::path(folder) / name).string();
    const std::string others = (fs::path(other) / name).string();
    if (base::file_present(own) != base::file_present(others)) return false;
    if (!base::file_present(own)) continue;
    if (base::FileContents(own).text() != base::FileContents(others).text()) return false;
    any = true;
  }
  return any;
}

TokenLimit read_token_limit(const std::string& folder, const core::EncoderInfo& info) {
  const int64_t positions = info.max_position_embeddings;
  if (const auto config = read_if_present(fs::path(folder) / "sentence_bert_config.json")) {
    if (config->optional<bool>("do_lower_case", false)) {
      config->at("do_lower_case").fail_unsupported("is true, which vsr leaves to the tokenizer");
    }
    if (config->contains("max_seq_length")) {
      const auto length = config->required<int64_t>("max_seq_length");
      if (length < 1 || length > positions) {
        config->at("max_seq_length")
            .fail("is " + std::to_string(length) + ", expected 1 to max_position_embeddings " +
                  std::to_string(positions));
      }
      return {static_cast<size_t>(length), "sentence_bert_config.json: max_seq_length"};
    }
  }
  if (const auto config = read_if_present(fs::path(folder) / "tokenizer_config.json")) {
    if (config->contains("model_max_length")) {
      const auto length = config->required<double>("model_max_length");  // "no limit" is written as 1e30
      if (!(length >= 1)) config->at("model_max_length").fail("is below 1");
      if (length < static_cast<double>(positions)) {
        return {static_cast<size_t>(length), "tokenizer_config.json: model_max_length"};
      }
    }
  }
  return {static_cast<size_t>(positions), "config.json: max_position_embeddings"};
}

Prompts read_prompts(const std::string& folder) {
  Prompts prompts;
  const auto config = read_if_present(fs::path(folder) / "config_sentence_transformers.json");
  if (!config) return prompts;
  prompts.by_name = config->optional<std::map<std::string, std::string>>("prompts", {});
  const auto name = config->optional<std::string>("default_prompt_name", "");
  if (!name.empty()) {
    if (!prompts.by_name.contains(name))
      config->at("default_prompt_name").fail("is \"" + name + "\", no prompt's name");
    prompts.default_name = name;
  }
  return prompts;
}

}  // namespace vsr::engine
