// Writing a file in one step: whoever opens it finds the old contents or the new, never a part.
#pragma once

#include <string>
#include <string_view>

namespace vsr::base {

// Writes a temporary file beside `path`, flushes it to the disk and renames it. An existing file keeps its permissions.
// Throws kIo, or kNotFound when the folder does not exist; then nothing is left behind.
void replace_file(const std::string& path, std::string_view contents);

}  // namespace vsr::base
