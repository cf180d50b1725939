#include "text/unicode/byte_alphabet.h"

#include <array>

#include "base/utf8.h"

namespace vsr::text {
namespace {

struct Alphabet {
  std::array<uint16_t, 256> characters{};
  std::array<int16_t, 512> bytes{};

  constexpr Alphabet() {
    bytes.fill(-1);
    uint16_t next = 256;
    for (uint16_t byte = 0; byte < 256; ++byte) {
      const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      characters[byte] = printable ? byte : next++;
      bytes[characters[byte]] = static_cast<int16_t>(byte);
    }
  }
};
constexpr Alphabet kAlphabet;

}  // namespace

std::string fallback_token(unsigned byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return std::string("<0x") + kDigits[byte >> 4] + kDigits[byte & 15] + ">";
}

char32_t character_of_byte(uint8_t byte) { return kAlphabet.characters[byte]; }

bool bytes_of_token(std::string_view token, std::string& bytes) {
  bytes.clear();
  for (size_t i = 0; i < token.size();) {
    const base::Decoded c = base::decode_utf8(token.substr(i));
    if (c.code_point >= kAlphabet.bytes.size() || kAlphabet.bytes[c.code_point] < 0) return false;
    bytes.push_back(static_cast<char>(kAlphabet.bytes[c.code_point]));
    i += c.size;
  }
  return true;
}

}  // namespace vsr::text
