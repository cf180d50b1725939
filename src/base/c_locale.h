// Libraries that read numbers with the C library (nlohmann's reader of JSON) follow the locale of the calling thread,
// where a decimal point may be a comma or take several bytes.
#pragma once

#include <locale.h>

namespace vsr::base {

// The calling thread has the "C" locale while this lives; other threads keep theirs.
class CLocale {
 public:
  CLocale() : previous_(::uselocale(c_locale())) {}
  ~CLocale() { ::uselocale(previous_); }
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;

 private:
  // Null, which changes nothing, if there is no memory for one.
  static locale_t c_locale() {
    static const locale_t locale = ::newlocale(LC_ALL_MASK, "C", locale_t{});
    return locale;
  }

  locale_t previous_;
};

}  // namespace vsr::base
