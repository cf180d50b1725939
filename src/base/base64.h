// Base64, as JSON files carry binary data.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vsr::base {

// Nothing for what is no Base64 with its padding.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace vsr::base
