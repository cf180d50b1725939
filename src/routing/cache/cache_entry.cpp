#include "routing/cache/cache_entry.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <charconv>
#include <random>

#include "base/bytes.h"

namespace vsr::routing {

std::string PartitionKey::encoded() const {
  base::ByteWriter out;
  for (const std::string* part : {&tenant, &model, &policy}) out.text(*part);
  return out.take();
}

CacheKey CacheKey::of(std::string_view encoded_partition, std::string_view text) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  const uint64_t size = encoded_partition.size();
  XXH3_128bits_update(&state, &size, sizeof size);
  XXH3_128bits_update(&state, encoded_partition.data(), encoded_partition.size());
  XXH3_128bits_update(&state, text.data(), text.size());
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return {hash.high64, hash.low64};
}

std::optional<CacheKey> CacheKey::parse(std::string_view hex) {
  if (hex.size() != 32 || hex.find_first_not_of("0123456789abcdef") != hex.npos) return std::nullopt;
  CacheKey key;
  std::from_chars(hex.data(), hex.data() + 16, key.high, 16);
  std::from_chars(hex.data() + 16, hex.data() + 32, key.low, 16);
  return key;
}

std::string CacheKey::hex() const {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint64_t half : {high, low}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[half >> shift & 15];
  }
  return text;
}

size_t CacheKeyHash::operator()(const CacheKey& key) const {
  static const uint64_t seed = [] {
    std::random_device random;
    return uint64_t{random()} << 32 | random();
  }();
  return XXH3_64bits_withSeed(&key, sizeof key, seed);
}

size_t CacheEntry::bytes() const {
  // Nodes of the six tables that an entry is in, with what the allocator adds to each; measured with glibc.
  constexpr size_t kTables = 576;
  return sizeof *this + kTables + text.capacity() + route.capacity() + response->capacity() + terms.bytes();
}

}  // namespace vsr::routing
