// Small numbers written one after the other and read back in order: what is kept of each word and each sentence of a long
// text, in a byte or two.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace vsr::routing {

class NumberLog {
 public:
  void add(uint64_t value) {
    for (; value >= 0x80; value >>= 7) put(static_cast<uint8_t>(value | 0x80));
    put(static_cast<uint8_t>(value));
  }
  size_t size() const { return size_; }  // bytes

  class Reader {
   public:
    explicit Reader(const NumberLog& log, size_t at = 0) : log_(&log), at_(at) {}
    size_t at() const { return at_; }
    bool done() const { return at_ == log_->size_; }
    uint64_t next() {
      uint64_t value = 0;
      for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = (*log_->parts_[at_ / kPart])[at_ % kPart];
        ++at_;
        value |= uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) return value;
      }
    }

   private:
    const NumberLog* log_;
    size_t at_;
  };

 private:
  static constexpr size_t kPart = size_t{64} << 10;
  using Part = std::array<uint8_t, kPart>;

  void put(uint8_t byte) {
    if (size_ % kPart == 0) parts_.push_back(std::make_unique_for_overwrite<Part>());
    (*parts_.back())[size_++ % kPart] = byte;
  }

  std::vector<std::unique_ptr<Part>> parts_;
  size_t size_ = 0;
};

}  // namespace vsr::routing
