#include "base/blake2b.h"

#include "base/checkpoint.h"

namespace vsr::base {
namespace {

// libsodium's functions take any bytes; what they return only says that the arguments were wrong.
const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

Blake2b::Blake2b() { crypto_generichash_init(&state_, nullptr, 0, kDigestBytes); }

void Blake2b::add(std::string_view bytes) {
  constexpr size_t kPiece = size_t{64} << 10;
  Checkpoint checkpoint;
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPiece);
    crypto_generichash_update(&state_, bytes_of(piece), piece.size());
    bytes.remove_prefix(piece.size());
    checkpoint.add(piece.size());
  }
}

void Blake2b::add_number(uint64_t number) { add({reinterpret_cast<const char*>(&number), sizeof number}); }

void Blake2b::add_text(std::string_view text) {
  add_number(text.size());
  add(text);
}

std::string Blake2b::finish() {
  std::string digest(kDigestBytes, '\0');
  crypto_generichash_final(&state_, reinterpret_cast<unsigned char*>(digest.data()), digest.size());
  return digest;
}

}  // namespace vsr::base
