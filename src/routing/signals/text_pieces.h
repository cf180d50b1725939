// A text in pieces that one vector can represent.
#pragma once

#include <string_view>
#include <vector>

namespace vsr::routing {

// Adds the pieces of a text to `pieces`, at least one. An embedding is a mean, in which one sentence among many is
// lost: so there is every sentence, of one that is long every stretch of it, and, for what takes several sentences to
// say, blocks of about a kilobyte; stretches and blocks overlap by half. Time and number grow with the size.
void append_pieces(std::string_view text, std::vector<std::string_view>& pieces);

}  // namespace vsr::routing
