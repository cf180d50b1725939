#include "base/file_replace.h"

#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"

using vsr::base::Error;
using vsr::base::replace_file;
using vsr::base::Status;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("vsr-replace-" + std::to_string(::getpid()))) {
    fs::create_directory(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  size_t files() const { return std::distance(fs::directory_iterator(path_), {}); }

 private:
  fs::path path_;
};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Status status_of_replacing(const std::string& path) {
  try {
    replace_file(path, "x");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).rfind(path + ": ", 0) == 0);
    return error.status();
  }
  FAIL(path << " was written");
  return Status::kInternal;
}

}  // namespace

TEST_CASE("file replace: a file is made, then replaced, whatever its contents", "[base][file_replace]") {
  const Folder folder;
  const std::string path = folder.file("a"), large(3 << 20, '\0');
  for (const std::string& contents : {std::string("one\n"), std::string(), large}) {
    replace_file(path, contents);
    CHECK(read(path) == contents);
    CHECK(folder.files() == 1);
  }
}

TEST_CASE("file replace: a failure names the file and leaves nothing behind", "[base][file_replace]") {
  const Folder folder;
  fs::create_directory(folder.file("folder"));
  CHECK(status_of_replacing(folder.file("none/a")) == Status::kNotFound);
  CHECK(status_of_replacing(folder.file("folder")) == Status::kIo);
  CHECK(folder.files() == 1);
}

TEST_CASE("file replace: readers see one whole version while several writers race", "[base][file_replace][threads]") {
  const Folder folder;
  const std::string path = folder.file("a");
  replace_file(path, std::string(5000, 'a'));
  std::vector<std::thread> writers;
  std::atomic<int> writing{3}, torn{0};
  for (const char letter : {'b', 'c', 'd'}) {
    writers.emplace_back([&, letter] {
      for (int i = 0; i < 20; ++i) replace_file(path, std::string(5000, letter));
      --writing;
    });
  }
  do {
    const std::string seen = read(path);
    if (seen.size() != 5000 || seen.find_first_not_of(seen[0]) != std::string::npos) ++torn;
  } while (writing != 0);
  for (auto& writer : writers) writer.join();
  CHECK(torn == 0);
  CHECK(folder.files() == 1);
}
