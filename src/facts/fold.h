// Text in the form in which keywords and words are compared.
#pragma once

#include <string>
#include <string_view>

namespace vsr::facts {

// Well-formed UTF-8 in, well-formed UTF-8 out: compatibility composition (NFKC), so that full-width letters and
// ligatures read as plain ones; without invisible characters (soft hyphens, zero-width spaces, variation selectors),
// which only hide words from a matcher; every run of white space one space, none at the ends; and, unless
// `case_sensitive`, lower case with full case folding of sharp s and final sigma. Of a run of more than 32 KB of
// combining marks, what is beyond is neither put in order nor composed with what is before it.
std::string fold(std::string_view text, bool case_sensitive = false);

// Whether a text has nothing but white space and invisible characters.
bool is_blank(std::string_view text);

}  // namespace vsr::facts
