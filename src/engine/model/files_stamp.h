// What tells the files of a folder from what they are after a change, without reading them.
#pragma once

#include <string>

namespace vsr::engine {

// Of the names, sizes and times of the regular files in the folder and below it, at most 4,096 of them; empty
// where they cannot be listed. Two stamps that are equal and not empty mean that nothing was written between them.
std::string files_stamp(const std::string& folder);

}  // namespace vsr::engine
