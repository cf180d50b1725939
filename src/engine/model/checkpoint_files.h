// The small files beside a checkpoint's weights, read into what the engine needs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "core/encoder.h"

namespace vsr::engine {

// Throws kNotFound, kIo, or kInvalidArgument for what is no folder.
void check_model_folder(const std::string& path);

// One entry of sentence-transformers' modules.json.
struct ModuleEntry {
  std::string type;  // "Transformer", "Pooling", "Dense", "Normalize"
  std::string folder;
};

// modules.json in order, or nothing when there is no such file. Throws kUnsupported for a module vsr does not run.
std::optional<std::vector<ModuleEntry>> read_modules(const std::string& folder);

// Where config.json, the tokenizer and the weights are: `folder`, or the folder of modules.json's Transformer.
std::string transformer_folder(const std::string& folder, const std::optional<std::vector<ModuleEntry>>& modules);

struct TokenLimit {
  size_t tokens;
  std::string source;  // "config.json: max_position_embeddings"
};
// Tokens that one window may have, special tokens included: max_seq_length of sentence_bert_config.json where present,
// else the smaller of tokenizer_config.json's model_max_length and the config's max_position_embeddings.
TokenLimit read_token_limit(const std::string& folder, const core::EncoderInfo& info);

// What a model or adapter is called when nobody names it: the last part of its path.
std::string last_part(const std::string& path);

// Whether two folders have the same files for a tokenizer, byte by byte.
bool same_tokenizer_files(const std::string& folder, const std::string& other);

struct Prompts {
  std::map<std::string, std::string> by_name;
  std::optional<std::string> default_name;
};
// config_sentence_transformers.json; empty when there is none.
Prompts read_prompts(const std::string& folder);

}  // namespace vsr::engine
