#include "text/sentencepiece/spm_checkpoint.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "base/file.h"
#include "base/json.h"

namespace vsr::text {
namespace {

// Model types whose tokenizers transformers builds from a sentencepiece model.
constexpr std::array<std::string_view, 28> kConvertedTypes = {
    "albert", "barthez", "big_bird", "camembert",   "code_llama", "deberta-v2",  "fnet",
    "gemma",  "gemma2",  "gemma3",   "gemma3_text", "llama",      "m2m_100",     "marian",
    "mbart",  "mistral", "mixtral",  "moonshine",   "mt5",        "nllb-moe",    "pegasus",
    "plbart", "rembert", "speecht5", "t5",          "umt5",       "xlm-roberta", "xlnet"};

constexpr const char* kHint =
    " (hint: save the tokenizer as tokenizer.json, or load the file itself for its plain ids)";

}  // namespace

void check_spm_checkpoint(const std::string& folder, const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  const std::string tokenizer_config = (std::filesystem::path(folder) / "tokenizer_config.json").string();
  if (base::file_present(tokenizer_config)) {
    const base::JsonObject json = base::read_json_file(tokenizer_config);
    if (json.contains("tokenizer_class")) {
      json.at("tokenizer_class")
          .fail_unsupported("is \"" + json.required<std::string>("tokenizer_class") + "\", which changes what " + name +
                            " gives" + kHint);
    }
  }
  const std::string config = (std::filesystem::path(folder) / "config.json").string();
  if (!base::file_present(config)) return;
  const base::JsonObject json = base::read_json_file(config);
  if (!json.contains("model_type")) return;
  const std::string type = json.required<std::string>("model_type");
  if (std::find(kConvertedTypes.begin(), kConvertedTypes.end(), type) == kConvertedTypes.end()) return;
  json.at("model_type")
      .fail_unsupported("is \"" + type + "\", whose tokenizer changes what " + name + " gives" + kHint);
}

}  // namespace vsr::text
