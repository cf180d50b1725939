// What a fuzz target is made of. It takes any bytes, lets base::Error pass as an answer, and calls demand() for what
// must hold of accepted inputs.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace vsr::fuzz {

// Good inputs, from which mutations start; each target has its own.
std::vector<std::string> seeds();

// How many inputs the run of ctest tries.
int runs();

inline void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// Runs `body`; an Error is an answer, but must be one line with something in it.
template <class Body>
void accept_errors(Body&& body) {
  try {
    body();
  } catch (const base::Error& error) {
    const std::string_view message = error.what();
    demand(!message.empty() && message.find('\n') == std::string_view::npos, "a message is one line");
    demand(error.status() != base::Status::kInternal, "bad input is no internal error");
  }
}

// A file in memory, for readers that take a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : fd_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    demand(fd_ >= 0, "memfd_create");
    demand(::write(fd_, content.data(), content.size()) == static_cast<ssize_t>(content.size()), "write");
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Numbers from the input's bytes, zeros at its end.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  size_t below(size_t limit) { return limit == 0 ? 0 : (static_cast<size_t>(next()) * 256 + next()) % limit; }
  uint8_t next() { return at_ < size_ ? data_[at_++] : 0; }
  bool done() const { return at_ >= size_; }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

}  // namespace vsr::fuzz
