// Words as they are compared across sentences.
#pragma once

#include <string>
#include <string_view>

namespace vsr::guard {

// A word in lower case without accents and without the commonest endings of English, German and French: "released" and
// "release", "Kosten" and "Kost", "coûté" and "coûtent" are one. Coarse: only overlap is measured with it.
std::string light_stem(std::string_view lower);

}  // namespace vsr::guard
