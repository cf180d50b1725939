#include "base/file_replace.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace vsr::base {
namespace {

[[noreturn]] void fail_errno(const std::string& path, int error) {
  fail(error == ENOENT || error == ENOTDIR ? Status::kNotFound : Status::kIo, path, ": ", std::strerror(error));
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// A file that is closed, and deleted again unless it was moved to its place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target) : target_(target) {
    static std::atomic<unsigned> count{0};
    do {
      path_ = target + ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(count++);
      fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd_ < 0 && errno == EEXIST);
    if (fd_ < 0) fail_errno(target_, errno);
  }
  ~TemporaryFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view contents) {
    while (!contents.empty()) {
      const ssize_t written = ::write(fd_, contents.data(), contents.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_errno(target_, errno);
      contents.remove_prefix(static_cast<size_t>(written));
    }
  }

  void move_to_target() {
    struct stat present;
    if (::stat(target_.c_str(), &present) == 0) {
      if (!S_ISREG(present.st_mode)) fail(Status::kIo, target_, ": not a regular file");
      if (::fchmod(fd_, present.st_mode & 07777) != 0) fail_errno(target_, errno);
    }
    if (::fsync(fd_) != 0) fail_errno(target_, errno);
    if (::close(std::exchange(fd_, -1)) != 0) fail_errno(target_, errno);
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail_errno(target_, errno);
    path_.clear();
  }

 private:
  std::string target_;
  std::string path_;
  int fd_ = -1;
};

// Makes the rename itself last. Some file systems cannot flush a folder; the file is in its place all the same.
void flush_folder(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

void replace_file(const std::string& path, std::string_view contents) {
  TemporaryFile file(path);
  file.write(contents);
  file.move_to_target();
  flush_folder(folder_of(path));
}

}  // namespace vsr::base
