// The one exception type that vsr code throws. The C ABI turns it into a status and a message.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "base/text_stream.h"

namespace vsr::base {

// Numbers equal VSR_ERR_... of include/vsr/types.h; src/c_api/types.cpp asserts it.
enum class Status : int32_t {
  kInvalidArgument = 1,
  kNotFound = 2,
  kIo = 3,
  kParse = 4,
  kWeights = 5,
  kUnsupported = 6,
  kState = 7,
  kLimit = 8,
  kOutOfMemory = 9,
  kCancelled = 10,
  kInternal = 11,
  kDeadline = 12,
};

// Messages are one line, lower case, without "failed to": the thing, what was found, what was expected, a hint.
class Error : public std::runtime_error {
 public:
  Error(Status status, const std::string& message) : std::runtime_error(one_line(message)), status_(status) {}
  Status status() const { return status_; }

 private:
  // Messages quote names from files that others wrote, which may hold anything.
  static std::string one_line(std::string message) {
    for (char& c : message) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    return message;
  }

  Status status_;
};

// Joins the parts (base/text_stream.h) and throws them as an Error.
template <class... Parts>
[[noreturn]] void fail(Status status, const Parts&... parts) {
  throw Error(status, text_of(parts...));
}

}  // namespace vsr::base
