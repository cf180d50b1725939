#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace vsr::base {
namespace {

[[noreturn]] void fail_errno(const std::string& path, int error) {
  fail(error == ENOENT || error == ENOTDIR ? Status::kNotFound : Status::kIo, path, ": ", std::strerror(error));
}

[[noreturn]] void fail_changed(const std::string& path) {
  fail(Status::kIo, path, ": was changed since it was opened (hint: put new files in place by renaming them)");
}

}  // namespace

bool file_present(const std::string& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

// O_NONBLOCK: not to wait for the writer of a pipe that is where a file should be.
OpenFile::OpenFile(const std::string& path)
    : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (fd_ < 0) fail_errno(path, errno);
  struct stat status;
  const int error = ::fstat(fd_, &status) == 0 ? 0 : errno;
  if (error != 0 || !S_ISREG(status.st_mode)) {
    ::close(fd_);
    if (error != 0) fail_errno(path, error);
    fail(Status::kIo, path, ": not a regular file");
  }
  size_ = static_cast<size_t>(status.st_size);
  changed_ = status.st_mtim;
}

OpenFile::~OpenFile() { ::close(fd_); }

void OpenFile::read(size_t offset, void* to, size_t size) const {
  auto* next = static_cast<std::byte*>(to);
  while (size > 0) {
    const ssize_t count = ::pread(fd_, next, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(path_, errno);
    if (count == 0) fail_changed(path_);
    next += count;
    offset += static_cast<size_t>(count);
    size -= static_cast<size_t>(count);
  }
  // After the bytes were read: what they were read from had not changed.
  struct stat status;
  if (::fstat(fd_, &status) != 0) fail_errno(path_, errno);
  const bool same = static_cast<size_t>(status.st_size) == size_ && status.st_mtim.tv_sec == changed_.tv_sec &&
                    status.st_mtim.tv_nsec == changed_.tv_nsec;
  if (!same) fail_changed(path_);
}

FileContents::FileContents(const std::string& path) {
  const OpenFile file(path);
  size_ = file.size();
  data_ = std::make_unique_for_overwrite<char[]>(size_);
  file.read(0, data_.get(), size_);
}

}  // namespace vsr::base
