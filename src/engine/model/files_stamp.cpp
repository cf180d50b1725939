#include "engine/model/files_stamp.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/blake2b.h"

namespace vsr::engine {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 4096;
constexpr int kMostDepth = 4;

}  // namespace

std::string files_stamp(const std::string& folder) {
  std::vector<std::string> lines;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::follow_directory_symlink, error), end;
       !error && at != end; at.increment(error)) {
    if (at.depth() >= kMostDepth) at.disable_recursion_pending();
    if (!at->is_regular_file(error) || error) continue;
    if (lines.size() >= kMostFiles) return {};
    const uintmax_t size = at->file_size(error);
    const auto time = at->last_write_time(error).time_since_epoch().count();
    lines.push_back(at->path().string() + '\0' + std::to_string(size) + '\0' + std::to_string(time));
  }
  if (error || lines.empty()) return {};
  std::sort(lines.begin(), lines.end());
  base::Blake2b digest;
  for (const std::string& line : lines) digest.add_text(line);
  return digest.finish();
}

}  // namespace vsr::engine
