#include "base/mmap.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/error.h"

namespace vsr::base {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

[[noreturn]] void fail_errno(const std::string& path, int error) {
  fail(error == ENOENT || error == ENOTDIR ? Status::kNotFound : Status::kIo, path, ": ", std::strerror(error));
}

}  // namespace

bool file_present(const std::string& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

MappedFile::MappedFile(const std::string& path) : path_(path) {
  // Not to wait for the writer of a pipe that stands where a file should.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) fail_errno(path, errno);
  struct stat status;
  if (::fstat(file.fd, &status) != 0) fail_errno(path, errno);
  if (!S_ISREG(status.st_mode)) fail(Status::kIo, path, ": not a regular file");
  size_ = static_cast<size_t>(status.st_size);
  if (size_ == 0) return;  // mmap refuses empty files; an empty view is what the caller wants
  void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (mapped == MAP_FAILED) fail_errno(path, errno);
  data_ = static_cast<const std::byte*>(mapped);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::release(const std::byte* part, size_t size) const {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<uintptr_t>(part) + page - 1) / page * page;
  const auto end = (reinterpret_cast<uintptr_t>(part) + size) / page * page;
  // Advice: where it is refused the pages merely stay.
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace vsr::base
