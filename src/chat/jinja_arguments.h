// What a call passed, by the parameters of what it calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chat/jinja_value.h"

namespace vsr::chat::jinja {

class Bound {
 public:
  // Throws kParse for arguments that are too many, unknown or given twice.
  Bound(std::string function, const std::vector<const char*>& parameters, const Arguments& given);

  bool has(size_t i) const { return !values_[i].is_undefined(); }
  // Throws kParse when it was not given.
  const Value& value(size_t i) const;
  const std::string& string(size_t i) const;
  int64_t integer(size_t i, int64_t otherwise) const;
  bool flag(size_t i, bool otherwise) const { return has(i) ? truth(values_[i]) : otherwise; }
  // Null where it was not given, or is none.
  const std::string* optional_string(size_t i) const;

 private:
  [[noreturn]] void fail(size_t i, const std::string& what) const;
  std::string function_;
  const std::vector<const char*>& parameters_;
  std::vector<Value> values_;
};

}  // namespace vsr::chat::jinja
