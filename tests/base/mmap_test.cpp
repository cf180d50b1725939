#include "base/mmap.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "support/failure.h"
#include "support/temp_folder.h"

using namespace vsr::base;
using vsr::test::Failure;
using vsr::test::failure_of;
using vsr::test::TempFolder;

TEST_CASE("mmap: a file is seen whole, NULs included", "[base][mmap]") {
  const TempFolder folder;
  const std::string content("a\0b\n", 4);
  const MappedFile file(folder.write("f", content));
  CHECK(file.text() == content);
  CHECK(file.size() == 4);
}

TEST_CASE("mmap: an empty file is an empty view", "[base][mmap]") {
  const TempFolder folder;
  CHECK(MappedFile(folder.write("empty", "")).text().empty());
}

TEST_CASE("mmap: what cannot be read is named with its reason", "[base][mmap]") {
  const TempFolder folder;
  const auto open = [&](const std::string& path) { return failure_of([&] { const MappedFile file(path); }); };
  CHECK(open(folder / "none") == Failure{Status::kNotFound, folder / "none: No such file or directory"});
  CHECK(open(folder.write("f", "x") + "/g").status == Status::kNotFound);
  CHECK(open(folder.path().string()) == Failure{Status::kIo, folder.path().string() + ": not a regular file"});
  CHECK(open("").status == Status::kNotFound);

  std::filesystem::create_symlink("loop", folder / "loop");
  CHECK(open(folder / "loop") == Failure{Status::kIo, folder / "loop: Too many levels of symbolic links"});
  std::filesystem::create_symlink("gone", folder / "dangling");
  CHECK(open(folder / "dangling").status == Status::kNotFound);
}

TEST_CASE("mmap: a pipe is refused without waiting for its writer", "[base][mmap]") {
  const TempFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(failure_of([&] { const MappedFile file(folder / "pipe"); }).message ==
        folder / "pipe" + ": not a regular file");
}

TEST_CASE("mmap: a link that leads nowhere counts as present", "[base][mmap]") {
  const TempFolder folder;
  CHECK_FALSE(file_present(folder / "none"));
  CHECK_FALSE(file_present(folder.write("f", "x") + "/below"));
  CHECK(file_present(folder / "f"));
  std::filesystem::create_symlink("gone", folder / "dangling");
  CHECK(file_present(folder / "dangling"));
  std::filesystem::create_symlink("loop", folder / "loop");
  CHECK(file_present(folder / "loop"));
}
