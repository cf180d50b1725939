// A read-only memory map of a whole file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vsr::base {

// True for whatever stands at `path`, also a link that leads nowhere: an optional file that is there and cannot be read
// must be an error, not as good as absent.
bool file_present(const std::string& path);

class MappedFile {
 public:
  // Throws kNotFound, or kIo for what exists and cannot be mapped (a folder, no permission).
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }
  const std::string& path() const { return path_; }
  // Lets go of the memory of whole pages inside a part of data(). They stay readable, and are read again when needed.
  void release(const std::byte* part, size_t size) const;

 private:
  std::string path_;
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace vsr::base
