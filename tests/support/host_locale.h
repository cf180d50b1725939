// Locales as a host program may have set them: a comma for the decimal point, a dot between groups of digits.
#pragma once

#include <clocale>
#include <cstdlib>
#include <locale>
#include <string>

#include "support/temp_folder.h"

namespace vsr::test {

// std::locale::global() of C++ streams.
class CommaStreams {
 public:
  CommaStreams() : previous_(std::locale::global(std::locale(std::locale::classic(), new Punctuation))) {}
  ~CommaStreams() { std::locale::global(previous_); }
  CommaStreams(const CommaStreams&) = delete;
  CommaStreams& operator=(const CommaStreams&) = delete;

 private:
  struct Punctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::locale previous_;
};

// setlocale() of the C library, with a locale that localedef compiles for this test where the machine has none.
class HostLocale {
 public:
  // "de_DE": a comma. "ps_AF": a decimal point of two bytes.
  explicit HostLocale(const std::string& name) : before_(std::setlocale(LC_ALL, nullptr)) {
    const std::string command = "localedef -c -i " + name + " -f UTF-8 " + (folder_ / name) + " >/dev/null 2>&1";
    [[maybe_unused]] const int ignored =
        std::system(command.c_str());  // it warns, and setlocale() says what came of it
    ::setenv("LOCPATH", folder_.path().c_str(), 1);
    set_ = std::setlocale(LC_ALL, name.c_str()) != nullptr;
    ::unsetenv("LOCPATH");
  }
  ~HostLocale() { std::setlocale(LC_ALL, before_.c_str()); }
  HostLocale(const HostLocale&) = delete;
  HostLocale& operator=(const HostLocale&) = delete;

  // False: this machine has no such locale, nor the means to make it.
  bool set() const { return set_; }

 private:
  TempFolder folder_;
  std::string before_;
  bool set_ = false;
};

}  // namespace vsr::test
