// Texts that a part brings in a form that no signal reads: as base64, or in a data: address.
#pragma once

#include <string_view>

#include "routing/request/request_json.h"

namespace vsr::routing {

// Of the characters that addresses and base64 are written in, which may be broken into lines.
bool is_address_or_base64(std::string_view text);

// A data: address (RFC 2397) of a type that is not known as that of images, sounds or files; without one it is text.
bool is_text_address(std::string_view value);

// Whether members of `object` are base64 of a text: by the media type beside it, however that is spelled; of a text and
// another type, given twice, the text counts. Bytes without a type, or of any, are looked at.
bool brings_text_as_bytes(const JsonNode& object);

}  // namespace vsr::routing
