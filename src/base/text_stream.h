// Text made of parts. A host may set a locale in which numbers have a comma or grouped digits (std::locale::global,
// setlocale); what vsr writes and reads never depends on it.
#pragma once

#include <charconv>
#include <locale>
#include <sstream>
#include <string>

namespace vsr::base {

class TextStream : public std::ostringstream {
 public:
  TextStream() { imbue(std::locale::classic()); }
};

// Joins the parts as a stream would.
template <class... Parts>
std::string text_of(const Parts&... parts) {
  TextStream text;
  (text << ... << parts);
  return text.str();
}

// A number of at most nine digits, as people read them: "0.0001", "31622400", "1e+09".
inline std::string nine_digits(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, 9).ptr};
}

// A number with `decimals` decimals: "0.250".
inline std::string fixed_decimals(double value, int decimals) {
  char text[400];  // the largest double has 309 digits before the point
  const auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals);
  return error == std::errc() ? std::string(text, end) : text_of(value);
}

}  // namespace vsr::base
