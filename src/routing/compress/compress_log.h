// Small numbers written one after the other and read back in order, in a byte or two each: what is kept of the
// sentences of a long text.
#pragma once

#include <cstddef>
#include <cstdint>

#include "routing/compress/chunked_vector.h"

namespace vsr::routing {

class NumberLog {
 public:
  void add(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<uint8_t>(value | 0x80));
    bytes_.push_back(static_cast<uint8_t>(value));
  }

  class Reader {
   public:
    explicit Reader(const NumberLog& log) : bytes_(log.bytes_) {}
    bool done() const { return at_ == bytes_.size(); }
    uint64_t next() {
      uint64_t value = 0;
      for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = bytes_[at_++];
        value |= uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) return value;
      }
    }

   private:
    const ChunkedVector<uint8_t>& bytes_;
    size_t at_ = 0;
  };

 private:
  ChunkedVector<uint8_t> bytes_;
};

}  // namespace vsr::routing
