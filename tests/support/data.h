// Where tests find files: in the project, in the shared data beside it, and the real model that bootstrap.sh fetches.
// What is not there makes a test case skip, which is counted and printed.
#pragma once

#include <optional>
#include <string>

namespace vsr::test {

// A path inside the project, such as "tests/data/tiny_bert".
std::string source_path(const std::string& relative);

// A file or folder of the shared data, $VSR_SHARED_DATA or ../shared/data; nothing, and a skip, when it is not there.
std::optional<std::string> shared_data(const std::string& relative);

// The folder of all-MiniLM-L6-v2, $VSR_MINILM or build/models/all-MiniLM-L6-v2; nothing, and a skip, without one.
std::optional<std::string> minilm();

// Counts the running test case as skipped; the case should return.
void skip(const std::string& reason);

}  // namespace vsr::test
