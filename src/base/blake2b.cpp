#include "base/blake2b.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/checkpoint.h"

namespace vsr::base {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<uint64_t, 8> kInitial = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                              0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                              0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

// The order of the message's words in each round; rounds 10 and 11 are as 0 and 1.
constexpr uint8_t kOrder[12][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}};

inline void mix(uint64_t& a, uint64_t& b, uint64_t& c, uint64_t& d, uint64_t x, uint64_t y) {
  a += b + x;
  d = std::rotr(d ^ a, 32);
  c += d;
  b = std::rotr(b ^ c, 24);
  a += b + y;
  d = std::rotr(d ^ a, 16);
  c += d;
  b = std::rotr(b ^ c, 63);
}

}  // namespace

Blake2b::Blake2b() : state_(kInitial) {
  state_[0] ^= 0x01010000 ^ kDigestBytes;  // no key, one sequence
}

void Blake2b::compress(const char* block, bool last) {
  std::array<uint64_t, 16> m, v;
  std::memcpy(m.data(), block, kBlockBytes);
  std::copy(state_.begin(), state_.end(), v.begin());
  std::copy(kInitial.begin(), kInitial.end(), v.begin() + 8);
  v[12] ^= total_;
  if (last) v[14] = ~v[14];
  for (const auto& order : kOrder) {
    mix(v[0], v[4], v[8], v[12], m[order[0]], m[order[1]]);
    mix(v[1], v[5], v[9], v[13], m[order[2]], m[order[3]]);
    mix(v[2], v[6], v[10], v[14], m[order[4]], m[order[5]]);
    mix(v[3], v[7], v[11], v[15], m[order[6]], m[order[7]]);
    mix(v[0], v[5], v[10], v[15], m[order[8]], m[order[9]]);
    mix(v[1], v[6], v[11], v[12], m[order[10]], m[order[11]]);
    mix(v[2], v[7], v[8], v[13], m[order[12]], m[order[13]]);
    mix(v[3], v[4], v[9], v[14], m[order[14]], m[order[15]]);
  }
  for (size_t i = 0; i < state_.size(); ++i) state_[i] ^= v[i] ^ v[i + 8];
}

// A full block waits until more comes, since the last one is marked.
void Blake2b::add(std::string_view bytes) {
  Checkpoint checkpoint;
  while (!bytes.empty()) {
    checkpoint.add(kBlockBytes);
    if (filled_ == kBlockBytes) {
      total_ += kBlockBytes;
      compress(buffer_.data(), false);
      filled_ = 0;
    }
    const size_t n = std::min(kBlockBytes - filled_, bytes.size());
    std::memcpy(buffer_.data() + filled_, bytes.data(), n);
    filled_ += n;
    bytes.remove_prefix(n);
  }
}

void Blake2b::add_number(uint64_t number) { add({reinterpret_cast<const char*>(&number), sizeof number}); }

void Blake2b::add_text(std::string_view text) {
  add_number(text.size());
  add(text);
}

std::string Blake2b::finish() {
  total_ += filled_;
  std::fill(buffer_.begin() + filled_, buffer_.end(), '\0');
  compress(buffer_.data(), true);
  return {reinterpret_cast<const char*>(state_.data()), kDigestBytes};
}

}  // namespace vsr::base
