// Reading files. Not by memory map: a mapped file that another process truncates kills this one (SIGBUS), and one that
// is written over changes under its reader.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

namespace vsr::base {

// True for whatever is at `path`, also a link that leads nowhere: an optional file that is there and cannot be read
// must be an error, not as good as absent.
bool file_present(const std::string& path);

// A regular file that stays as it was when it was opened, or cannot be read any more. Thread-safe.
class OpenFile {
 public:
  // Throws kNotFound, or kIo for what exists and cannot be read (a folder, no permission).
  explicit OpenFile(const std::string& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  const std::string& path() const { return path_; }
  size_t size() const { return size_; }
  // Fills `to` with the bytes from `offset` on, which the file has to have. Throws kIo, also when the file was changed
  // since it was opened.
  void read(size_t offset, void* to, size_t size) const;

 private:
  std::string path_;
  int fd_;
  size_t size_ = 0;
  timespec changed_{};
};

// A whole file, in memory.
class FileContents {
 public:
  explicit FileContents(const std::string& path);  // throws as OpenFile does
  std::string_view text() const { return {data_.get(), size_}; }

 private:
  size_t size_;
  std::unique_ptr<char[]> data_;
};

}  // namespace vsr::base
