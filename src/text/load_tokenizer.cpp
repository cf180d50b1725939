// Finds out what a path holds and loads it.
#include "text/load_tokenizer.h"

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "text/hf/tokenizer_json.h"
#include "text/hf/vocab_txt.h"
#include "text/sentencepiece/spm_checkpoint.h"
#include "text/sentencepiece/spm_tokenizer.h"

namespace vsr::text {
namespace {

namespace fs = std::filesystem;

std::string find_in_folder(const fs::path& folder) {
  constexpr const char* kNames[] = {"tokenizer.json", "vocab.txt", "tokenizer.model", "spiece.model",
                                    "sentencepiece.bpe.model"};
  for (const char* name : kNames) {
    if (base::file_present((folder / name).string())) return (folder / name).string();
  }
  base::fail(base::Status::kNotFound, folder.string(), ": no tokenizer.json, vocab.txt or sentencepiece model");
}

}  // namespace

std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  const std::string file = is_folder ? find_in_folder(path) : path;
  if (file.ends_with(".txt")) return load_vocab_txt(file);
  if (file.ends_with(".model") || file.ends_with(".spm")) {
    if (is_folder) check_spm_checkpoint(path, file);
    return load_spm(file);
  }
  return load_tokenizer_json(base::read_json_file(file));
}

}  // namespace vsr::text
