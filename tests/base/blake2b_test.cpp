#include "base/blake2b.h"

#include <catch2/catch.hpp>

using vsr::base::Blake2b;

namespace {

std::string hex(const std::string& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string of(std::string_view text, size_t piece) {
  Blake2b digest;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) digest.add(text.substr(0, piece));
  return hex(digest.finish());
}

}  // namespace

// Digests of Python's hashlib.blake2b(text, digest_size=32).
TEST_CASE("blake2b: digests are those of the standard, in whatever pieces the text comes", "[base]") {
  std::string bytes;
  for (int i = 0; i < 768; ++i) bytes += static_cast<char>(i);
  for (const size_t piece : {1, 7, 127, 128, 129, 1000}) {
    CHECK(of("", piece) == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
    CHECK(of("abc", piece) == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
    CHECK(of(bytes, piece) == "b8007121274217790e2923e0ad7027986e5a99d5531ef6ae7d294140fc81615d");
    CHECK(of(std::string(128, 'x'), piece) == "164ffb7089bae6f5a62fb0795e751dc9e88eac92e1a5b2fafe93a25abf2d9c3b");
    CHECK(of(std::string(129, 'x'), piece) == "03b0758fa71d249c846c2304a2b9996e6ae66ffa7e5528f9e612e089a360fc8d");
  }
}

TEST_CASE("blake2b: texts are told from what follows them", "[base]") {
  Blake2b one, other;
  one.add_text("ab");
  one.add_text("c");
  other.add_text("a");
  other.add_text("bc");
  CHECK(one.finish() != other.finish());
}
