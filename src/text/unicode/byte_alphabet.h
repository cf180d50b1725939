// GPT-2's alphabet: one printable character for each of the 256 bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vsr::text {

char32_t character_of_byte(uint8_t byte);

// The bytes that a token represents; false when one of its characters is none of the alphabet.
bool bytes_of_token(std::string_view token, std::string& bytes);

// How byte fallback writes a byte: "<0x0A>".
std::string fallback_token(unsigned byte);

}  // namespace vsr::text
