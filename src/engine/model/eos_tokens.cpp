#include "engine/model/eos_tokens.h"

#include <filesystem>

#include "base/file.h"

namespace vsr::engine {
namespace {

std::vector<int32_t> read_ids(const base::JsonObject& json, int64_t vocab_size) {
  const base::JsonValue value = json.at("eos_token_id");
  std::vector<int32_t> ids;
  if (value.is_array()) {
    ids = value.as<std::vector<int32_t>>();
  } else {
    ids.push_back(value.as<int32_t>());
  }
  for (const int32_t id : ids) {
    if (id < 0 || id >= vocab_size) {
      value.fail("has " + std::to_string(id) + ", vocab_size is " + std::to_string(vocab_size));
    }
  }
  return ids;
}

}  // namespace

std::vector<int32_t> read_eos_tokens(const std::string& folder, const base::JsonObject& config, int64_t vocab_size) {
  const std::string path = (std::filesystem::path(folder) / "generation_config.json").string();
  if (base::file_present(path)) {
    const base::JsonObject generation = base::read_json_file(path);
    if (generation.contains("eos_token_id")) return read_ids(generation, vocab_size);
  }
  return config.contains("eos_token_id") ? read_ids(config, vocab_size) : std::vector<int32_t>{};
}

}  // namespace vsr::engine
