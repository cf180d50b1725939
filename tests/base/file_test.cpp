#include "base/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "support/failure.h"
#include "support/temp_folder.h"

using namespace vsr::base;
using vsr::test::Failure;
using vsr::test::failure_of;
using vsr::test::TempFolder;

TEST_CASE("file: a file is seen whole, NULs included", "[base][file]") {
  const TempFolder folder;
  const std::string content("a\0b\n", 4);
  const FileContents file(folder.write("f", content));
  CHECK(file.text() == content);
}

TEST_CASE("file: an empty file is an empty text", "[base][file]") {
  const TempFolder folder;
  CHECK(FileContents(folder.write("empty", "")).text().empty());
}

TEST_CASE("file: what cannot be read is named with its reason", "[base][file]") {
  const TempFolder folder;
  const auto open = [&](const std::string& path) { return failure_of([&] { const FileContents file(path); }); };
  CHECK(open(folder / "none") == Failure{Status::kNotFound, folder / "none: No such file or directory"});
  CHECK(open(folder.write("f", "x") + "/g").status == Status::kNotFound);
  CHECK(open(folder.path().string()) == Failure{Status::kIo, folder.path().string() + ": not a regular file"});
  CHECK(open("").status == Status::kNotFound);

  std::filesystem::create_symlink("loop", folder / "loop");
  CHECK(open(folder / "loop") == Failure{Status::kIo, folder / "loop: Too many levels of symbolic links"});
  std::filesystem::create_symlink("gone", folder / "dangling");
  CHECK(open(folder / "dangling").status == Status::kNotFound);
}

TEST_CASE("file: a pipe is refused without waiting for its writer", "[base][file]") {
  const TempFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(failure_of([&] { const FileContents file(folder / "pipe"); }).message ==
        folder / "pipe" + ": not a regular file");
}

TEST_CASE("file: a link that leads nowhere counts as present", "[base][file]") {
  const TempFolder folder;
  CHECK_FALSE(file_present(folder / "none"));
  CHECK_FALSE(file_present(folder.write("f", "x") + "/below"));
  CHECK(file_present(folder / "f"));
  std::filesystem::create_symlink("gone", folder / "dangling");
  CHECK(file_present(folder / "dangling"));
  std::filesystem::create_symlink("loop", folder / "loop");
  CHECK(file_present(folder / "loop"));
}

TEST_CASE("file: an open file that was truncated or written over is an error, and one that was replaced is not",
          "[base][file]") {
  const TempFolder folder;
  const std::string path = folder.write("f", std::string(10000, 'a'));
  char read[4] = {};
  {
    const OpenFile file(path);
    std::filesystem::rename(folder.write("new", "b"), path);
    file.read(5000, read, 4);
    CHECK(std::string(read, 4) == "aaaa");
  }
  folder.write("f", std::string(10000, 'a'));
  const OpenFile file(path);
  std::filesystem::resize_file(path, 100);
  const Failure gone = failure_of([&] { file.read(5000, read, 4); });
  CHECK(gone.status == Status::kIo);
  CHECK(gone.message.rfind(path + ": was changed since it was opened", 0) == 0);
  CHECK(failure_of([&] { file.read(0, read, 4); }).status == Status::kIo);
}
