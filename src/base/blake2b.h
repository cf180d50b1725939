// BLAKE2b (RFC 7693) with 256 bits, by libsodium: a digest that nobody finds a second text for, as keys that decide who
// gets whose answer need it.
#pragma once

#include <sodium/crypto_generichash.h>

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
  crypto_generichash_state state_;
};

}  // namespace vsr::base
