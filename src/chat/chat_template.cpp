#include "chat/chat_template.h"

#include <array>
#include <filesystem>

#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"

namespace vsr::chat {
namespace {

namespace fs = std::filesystem;
using base::fail;
using base::JsonObject;
using base::JsonValue;
using base::Status;
using jinja::Dict;
using jinja::List;
using jinja::None;
using jinja::Value;

constexpr size_t kMaxBytes = size_t{1} << 20;

std::optional<JsonObject> find_json(const std::string& folder, const char* name) {
  const std::string path = (fs::path(folder) / name).string();
  if (!base::file_present(path)) return std::nullopt;
  return base::read_json_file(path);
}

// A token as tokenizer_config.json writes it: its text, or an object that has it as "content".
std::optional<std::string> token_text(const JsonObject& config, const char* key) {
  if (!config.contains(key)) return std::nullopt;
  const JsonValue value = config.at(key);
  return value.is_object() ? JsonObject(value).required<std::string>("content") : value.as<std::string>();
}

Dict read_special_tokens(const std::string& folder) {
  constexpr std::array<const char*, 7> kNames{"bos_token", "eos_token", "unk_token", "sep_token",
                                              "pad_token", "cls_token", "mask_token"};
  Dict tokens;
  for (const char* file : {"tokenizer_config.json", "special_tokens_map.json"}) {
    const auto config = find_json(folder, file);
    for (const char* name : kNames) {
      if (!config || jinja::find(tokens, name) != nullptr) continue;
      if (auto text = token_text(*config, name)) tokens.emplace_back(name, Value(std::move(*text)));
    }
  }
  return tokens;
}

// "chat_template" is the template, or a list of named ones, of which "default" is meant.
std::optional<std::string> configured_template(const JsonObject& config) {
  if (!config.contains("chat_template")) return std::nullopt;
  const JsonValue value = config.at("chat_template");
  if (!value.is_array()) return value.as<std::string>();
  for (const JsonValue& item : value.items()) {
    const JsonObject named(item);
    if (named.required<std::string>("name") == "default") return named.required<std::string>("template");
  }
  value.fail("has no template named \"default\"");
}

}  // namespace

ChatTemplate::ChatTemplate(const std::string& folder, std::string_view source, const std::string& path)
    : special_tokens_(read_special_tokens(folder)) {
  try {
    if (source.size() > kMaxBytes) fail(Status::kLimit, path, ": the template has more than ", kMaxBytes, " bytes");
    template_ = std::make_unique<jinja::Template>(base::CleanText(source).view(), path);
  } catch (const base::Error& error) {
    error_ = error;
  }
}

std::optional<ChatTemplate> ChatTemplate::load(const std::string& folder) {
  const std::string file = (fs::path(folder) / "chat_template.jinja").string();
  if (base::file_present(file)) return ChatTemplate(folder, base::FileContents(file).text(), file);
  const auto config = find_json(folder, "tokenizer_config.json");
  const auto source = config ? configured_template(*config) : std::nullopt;
  if (!source) return std::nullopt;
  return ChatTemplate(folder, *source, config->path() + ": \"chat_template\"");
}

std::string ChatTemplate::render(const std::vector<ChatMessage>& messages, const base::CallLimits& limits) const {
  if (error_) throw *error_;
  List list;
  for (const ChatMessage& message : messages) {
    list.emplace_back(Dict{{"role", Value(message.role)}, {"content", Value(message.content)}});
  }
  Dict variables{{"messages", Value(std::move(list))},
                 {"tools", Value(None{})},
                 {"documents", Value(None{})},
                 {"add_generation_prompt", Value(true)}};
  variables.insert(variables.end(), special_tokens_.begin(), special_tokens_.end());
  return template_->render(variables, limits);
}

}  // namespace vsr::chat
