#include "support/data.h"

#include <cstdlib>
#include <filesystem>

namespace vsr::test {
namespace {

// `variable` of the environment, or `fallback` inside the project.
std::string from_environment(const char* variable, const std::string& fallback) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? value : source_path(fallback);
}

std::optional<std::string> existing(const std::string& path, const char* hint) {
  if (std::filesystem::exists(path)) return path;
  skip(path + " does not exist (hint: " + hint + ")");
  return std::nullopt;
}

}  // namespace

std::string source_path(const std::string& relative) { return std::string(VSR_SOURCE_DIR "/") + relative; }

std::optional<std::string> shared_data(const std::string& relative) {
  return existing(from_environment("VSR_SHARED_DATA", "../shared/data") + "/" + relative, "set VSR_SHARED_DATA");
}

std::optional<std::string> minilm() {
  return existing(from_environment("VSR_MINILM", "build/models/all-MiniLM-L6-v2"), "run scripts/bootstrap.sh");
}

}  // namespace vsr::test
