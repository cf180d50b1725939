#include "base/file_replace.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
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

mode_t mode_of(const std::string& path) {
  struct stat status;
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

// Restores the umask, which belongs to the process.
class Umask {
 public:
  explicit Umask(mode_t mask) : before_(::umask(mask)) {}
  ~Umask() { ::umask(before_); }

 private:
  mode_t before_;
};

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

TEST_CASE("file replace: a new file is its owner's alone, and an existing one keeps its permissions",
          "[base][file_replace]") {
  const Folder folder;
  const std::string path = folder.file("a"), shared = folder.file("b");
  {
    const Umask none(0);
    replace_file(path, "x");
    replace_file(shared, "x", 0666);
  }
  CHECK(mode_of(path) == 0600);
  CHECK(mode_of(shared) == 0666);
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  replace_file(path, "y");
  CHECK(mode_of(path) == 0640);
  const Umask all(0277);
  replace_file(folder.file("c"), "x");
  CHECK(mode_of(folder.file("c")) == 0400);
}

TEST_CASE("file replace: a link stays, and what it leads to is written", "[base][file_replace]") {
  const Folder folder;
  fs::create_directory(folder.file("deep"));
  replace_file(folder.file("deep/target"), "old");
  fs::create_symlink("deep/target", folder.file("link"));
  fs::create_symlink(folder.file("link"), folder.file("link of link"));
  fs::create_symlink("deep/new", folder.file("dangling"));
  fs::create_symlink("loop", folder.file("loop"));
  replace_file(folder.file("link of link"), "new");
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(fs::is_symlink(folder.file("link of link")));
  CHECK(read(folder.file("deep/target")) == "new");
  replace_file(folder.file("dangling"), "made");
  CHECK(fs::is_symlink(folder.file("dangling")));
  CHECK(read(folder.file("deep/new")) == "made");
  CHECK(status_of_replacing(folder.file("loop")) == Status::kIo);
}

TEST_CASE("file replace: a link that another user put into a folder of all is refused", "[base][file_replace]") {
  if (::geteuid() != 0) return;  // only root can make such a link
  const Folder folder;
  const std::string shared = folder.file("shared"), link = shared + "/link";
  fs::create_directory(shared);
  REQUIRE(::chmod(shared.c_str(), 01777) == 0);
  fs::create_symlink(folder.file("target"), link);
  REQUIRE(::lchown(link.c_str(), 12345, 12345) == 0);
  CHECK(status_of_replacing(link) == Status::kIo);
  CHECK_FALSE(fs::exists(folder.file("target")));
}

TEST_CASE("file replace: what a killed writer left is removed by the next, and what a live one writes is not",
          "[base][file_replace]") {
  const Folder folder;
  const std::string path = folder.file("a"), left = folder.file(".a.vsr-tmp-1-0"), live = folder.file(".a.vsr-tmp-2-0"),
                    of_another = folder.file(".ab.vsr-tmp-1-0");
  for (const std::string& file : {left, live, of_another}) std::ofstream(file) << "part";
  const int fd = ::open(live.c_str(), O_RDONLY);
  REQUIRE(::flock(fd, LOCK_EX) == 0);
  replace_file(path, "x");
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(live));
  CHECK(fs::exists(of_another));
  ::close(fd);
  replace_file(path, "x");
  CHECK_FALSE(fs::exists(live));
}
