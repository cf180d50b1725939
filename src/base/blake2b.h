// BLAKE2b (RFC 7693) with 256 bits: a digest that nobody finds a second text for, as keys that decide who gets whose
// answer need it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vsr::base {

class Blake2b {
 public:
  static constexpr size_t kDigestBytes = 32;

  Blake2b();
  void add(std::string_view bytes);
  // A text with its length before it, so that what follows is told from it.
  void add_text(std::string_view text);
  void add_number(uint64_t number);
  // The digest of all that was added, as bytes. Nothing may be added afterwards.
  std::string finish();

 private:
  static constexpr size_t kBlockBytes = 128;
  void compress(const char* block, bool last);

  std::array<uint64_t, 8> state_;
  uint64_t total_ = 0;
  std::array<char, kBlockBytes> buffer_;
  size_t filled_ = 0;
};

}  // namespace vsr::base
