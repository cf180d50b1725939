#include "base/file_replace.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "base/error.h"

namespace vsr::base {
namespace {

constexpr int kMaxLinks = 40;

[[noreturn]] void fail_errno(const std::string& path, int error) {
  fail(error == ENOENT || error == ENOTDIR ? Status::kNotFound : Status::kIo, path, ": ", std::strerror(error));
}

// With the slash; empty for the current folder.
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }
std::string folder_to_open(const std::string& path) { return folder_of(path).empty() ? "." : folder_of(path); }

// In a folder like /tmp anyone can have put a link; Linux does not follow such ones either.
void refuse_planted_link(const std::string& given, const std::string& link, const struct stat& status) {
  struct stat folder;
  if (::stat(folder_to_open(link).c_str(), &folder) != 0) fail_errno(given, errno);
  const bool anyones = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  if (anyones && status.st_uid != ::geteuid() && status.st_uid != folder.st_uid) {
    fail(Status::kIo, given, ": is a link that another user put into a folder where all may write");
  }
}

// Where a path leads when the links that it is are followed; the last one may lead to nothing.
std::string target_of(const std::string& given) {
  std::string path = given;
  for (int links = 0;; ++links) {
    struct stat status;
    if (::lstat(path.c_str(), &status) != 0) {
      if (errno == ENOENT) return path;
      fail_errno(given, errno);
    }
    if (!S_ISLNK(status.st_mode)) return path;
    if (links == kMaxLinks) fail_errno(given, ELOOP);
    refuse_planted_link(given, path, status);
    char target[PATH_MAX];
    const ssize_t size = ::readlink(path.c_str(), target, sizeof target);
    if (size < 0) fail_errno(given, errno);
    if (size == sizeof target) fail_errno(given, ENAMETOOLONG);
    const std::string next(target, static_cast<size_t>(size));
    path = next.starts_with('/') ? next : folder_of(path) + next;
  }
}

// Temporary files of a target are called ".<its name>.vsr-tmp-...". Their writers hold a lock on them while they live.
std::string temporary_prefix(const std::string& target) {
  return "." + target.substr(folder_of(target).size()) + ".vsr-tmp-";
}

bool lock(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) == 0; }

void remove_left_ones(const std::string& target) noexcept {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(folder_to_open(target).c_str()), &::closedir);
  if (!folder) return;
  const std::string prefix = temporary_prefix(target);
  const int at = ::dirfd(folder.get());
  while (const dirent* entry = ::readdir(folder.get())) {
    if (std::string_view(entry->d_name).substr(0, prefix.size()) != prefix) continue;
    const int fd = ::openat(at, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) continue;
    if (lock(fd)) ::unlinkat(at, entry->d_name, 0);
    ::close(fd);
  }
}

// A file that is closed, and deleted again unless it was moved to its place.
class TemporaryFile {
 public:
  // `given` is what errors call the target.
  TemporaryFile(std::string target, const std::string& given, mode_t mode) : target_(std::move(target)), given_(given) {
    while (!make(mode)) {
    }
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
      if (written < 0) fail_errno(given_, errno);
      contents.remove_prefix(static_cast<size_t>(written));
    }
  }

  void move_to_target() {
    take_over_permissions();
    if (::fsync(fd_) != 0) fail_errno(given_, errno);
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail_errno(given_, errno);
    path_.clear();
    if (::close(std::exchange(fd_, -1)) != 0) fail_errno(given_, errno);
  }

 private:
  // False: another one has the name, or took this file for one that was left.
  bool make(mode_t mode) {
    static std::atomic<unsigned> count{0};
    std::string path =
        folder_of(target_) + temporary_prefix(target_) + std::to_string(::getpid()) + "-" + std::to_string(count++);
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0 && errno == EEXIST) return false;
    if (fd < 0) fail_errno(given_, errno);
    struct stat made;
    const bool locked = lock(fd) || errno != EWOULDBLOCK;  // some file systems have no locks, and none is taken there
    if (!locked || ::fstat(fd, &made) != 0 || made.st_nlink == 0) {
      ::close(fd);
      return false;
    }
    fd_ = fd;
    path_ = std::move(path);
    return true;
  }

  void take_over_permissions() const {
    struct stat present, own;
    if (::stat(target_.c_str(), &present) != 0) return;
    if (!S_ISREG(present.st_mode)) fail(Status::kIo, given_, ": not a regular file");
    if (::fstat(fd_, &own) != 0) fail_errno(given_, errno);
    mode_t mode = present.st_mode & 07777;
    const bool same = own.st_uid == present.st_uid && own.st_gid == present.st_gid;
    // What another group was allowed, this process's group is not.
    if (!same && ::fchown(fd_, present.st_uid, present.st_gid) != 0 && own.st_gid != present.st_gid) mode &= ~070U;
    if (::fchmod(fd_, mode) != 0) fail_errno(given_, errno);
  }

  std::string target_;
  std::string given_;
  std::string path_;
  int fd_ = -1;
};

// Makes the rename itself last. Some file systems cannot flush a folder; the file is in its place all the same.
void flush_folder(const std::string& path) {
  const int fd = ::open(folder_to_open(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

void replace_file(const std::string& path, std::string_view contents, mode_t mode) {
  const std::string target = target_of(path);
  remove_left_ones(target);
  TemporaryFile file(target, path, mode);
  file.write(contents);
  file.move_to_target();
  flush_folder(target);
}

}  // namespace vsr::base
