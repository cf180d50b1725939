// The lower half of the parser of regular expressions: characters, escapes, classes and properties.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/regex/regex.h"

namespace vsr::text {

class RegexReader {
 protected:
  RegexReader(const std::string& expression, const base::JsonValue& where);

  [[noreturn]] void refuse(const std::string& what) const;
  bool peek(std::string_view wanted) const { return std::string_view(text_).substr(at_).starts_with(wanted); }
  bool accept(std::string_view wanted);
  // Count how deep groups and classes are nested.
  void enter();
  void leave() { --depth_; }

  char32_t character();
  // Adds a character in both cases where case is ignored.
  void literal(CharacterSet& set, char32_t c);
  // What follows a [.
  CharacterSet character_class();
  // What follows a backslash: a single character, which is returned, or a set of them.
  std::optional<char32_t> escape(CharacterSet& set, bool in_class);

  std::string text_;
  size_t at_ = 0;
  bool ignores_case_ = false;
  char32_t last_literal_ = 0;

 private:
  static void add_case(CharacterSet& set, char32_t first, char32_t last);
  void class_item(CharacterSet& set);
  char32_t hexadecimal(size_t digits);
  char32_t escaped_character(char32_t c);
  void property(CharacterSet& set);

  const base::JsonValue& where_;
  int depth_ = 0;
};

}  // namespace vsr::text
