// Writing a file in one step: whoever opens it finds the old contents or the new, never a part.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace vsr::base {

// Prompts, answers and the texts of users: for the owner alone.
constexpr mode_t kPrivateMode = 0600;

// Writes a temporary file beside `path`, flushes it to the disk and renames it. An existing file keeps its permissions,
// and its owner where the system allows that; a new one gets `mode` without what the umask takes. Where `path` is a
// link, what it leads to is written, and the link stays. Temporary files that killed writers of the same file left are
// removed. Throws kIo, or kNotFound when the folder does not exist; then nothing is left behind.
void replace_file(const std::string& path, std::string_view contents, mode_t mode = kPrivateMode);

}  // namespace vsr::base
