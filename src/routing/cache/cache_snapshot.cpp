#include "routing/cache/cache_snapshot.h"

#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace vsr::routing {
namespace {

namespace fs = std::filesystem;
using base::LogLevel;
using base::Status;

// Of the file itself, not of a moment's trouble with reading it.
bool does_not_fit(Status status) {
  return status == Status::kParse || status == Status::kUnsupported || status == Status::kInvalidArgument ||
         status == Status::kLimit;
}

std::string free_name(const std::string& path) {
  std::string name = path + ".bad";
  std::error_code ignored;
  for (int i = 1; fs::exists(fs::symlink_status(name, ignored)); ++i) name = path + ".bad." + std::to_string(i);
  return name;
}

bool set_aside(const std::string& path, const std::string& why, const base::LogSink& log) {
  std::error_code error;
  const fs::path file = fs::canonical(path, error);  // a link stays, and what it leads to goes
  const std::string name = free_name(error ? path : file.string());
  if (!error) fs::rename(file, name, error);
  if (error) {
    base::log(log, LogLevel::kError, "response cache: ", why, "; begins empty and is not saved, as the file cannot be ",
              "renamed: ", error.message());
    return false;
  }
  base::log(log, LogLevel::kError, "response cache: ", why, "; begins empty, the file is kept as ", name);
  return true;
}

}  // namespace

bool load_snapshot(SemanticCache& cache, const std::string& path, const base::LogSink& log) {
  try {
    const size_t entries = cache.load(path);
    base::log(log, LogLevel::kInfo, "response cache: ", entries, " entries from ", path);
    return true;
  } catch (const base::Error& error) {
    if (error.status() == Status::kNotFound) return true;
    if (does_not_fit(error.status())) return set_aside(path, error.what(), log);
    base::log(log, LogLevel::kError, "response cache: ", error.what(), "; begins empty and is not saved");
    return false;
  }
}

}  // namespace vsr::routing
