// Bytes of a request made fit for a strict JSON parser, without losing where they were.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/utf8.h"

namespace vsr::routing {

class RequestText {
 public:
  static constexpr size_t kMaxRepairs = size_t{1} << 20;

  // Replaces each ill-formed part of UTF-8 by U+FFFD, and each JSON escape of half a surrogate pair by \ufffd. The text
  // has `padding` zero bytes after it. Throws kLimit beyond kMaxRepairs ill-formed bytes. `bytes` must outlive this.
  RequestText(std::string_view bytes, size_t padding);

  RequestText(const RequestText&) = delete;
  RequestText& operator=(const RequestText&) = delete;

  std::string_view view() const { return text_.view(); }
  size_t replaced_bytes() const { return text_.replaced_bytes() + replaced_escapes_; }
  // A position in view() as one in the original bytes; quick where positions rise.
  size_t to_original(size_t position) const { return cursor_.to_original(position); }

 private:
  void repair_surrogates();

  base::RepairedText text_;
  mutable base::RepairedText::Cursor cursor_;
  size_t replaced_escapes_ = 0;  // bytes
};

}  // namespace vsr::routing
