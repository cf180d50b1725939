// Text that is written in Unicode's tag characters (U+E0020..U+E007E, a second ASCII): nobody sees it and tokenizers of
// classifiers drop it, but models that answer read it.
#pragma once

#include <string>
#include <string_view>

namespace vsr::routing {

// What tag characters say, in ASCII, with up to a kilobyte before and after each run of them, so that a sentence that
// is partly hidden is read whole; stretches that do not meet are on lines of their own. Empty where there are none.
// `text` is well-formed UTF-8.
std::string read_tag_text(std::string_view text);

}  // namespace vsr::routing
