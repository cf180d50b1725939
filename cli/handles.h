// Owning pointers to the library's handles, and its statuses as exceptions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "failure.h"
#include "vsr/vsr.h"

namespace vsr::cli {

template <auto Free>
struct FreedBy {
  template <class T>
  void operator()(T* handle) const {
    Free(handle);
  }
};

using Engine = std::unique_ptr<vsr_engine, FreedBy<vsr_engine_free>>;
using Result = std::unique_ptr<vsr_result, FreedBy<vsr_result_free>>;
using Selection = std::unique_ptr<vsr_selection, FreedBy<vsr_selection_free>>;
using Router = std::unique_ptr<vsr_router, FreedBy<vsr_router_free>>;
using Decision = std::unique_ptr<vsr_decision, FreedBy<vsr_decision_free>>;
using Compressed = std::unique_ptr<vsr_compressed, FreedBy<vsr_compressed_free>>;
using Tokenizer = std::unique_ptr<vsr_tokenizer, FreedBy<vsr_tokenizer_free>>;
using Encoding = std::unique_ptr<vsr_encoding, FreedBy<vsr_encoding_free>>;
using Intents = std::unique_ptr<vsr_intents, FreedBy<vsr_intents_free>>;
using Matches = std::unique_ptr<vsr_matches, FreedBy<vsr_matches_free>>;
using Multi = std::unique_ptr<vsr_multi_result, FreedBy<vsr_multi_result_free>>;
using String = std::unique_ptr<vsr_string, FreedBy<vsr_string_free>>;

// Runs call(&error) and throws what it reports.
template <class Call>
void check(Call&& call) {
  vsr_error error = VSR_ERROR_INIT;
  if (const vsr_status status = call(&error); status != VSR_OK) {
    throw Failure(error.message[0] != '\0' ? error.message : vsr_status_name(status).data);
  }
}

// Runs call(&handle, &error) and returns the handle that it made.
template <class Handle, class Call>
Handle make(Call&& call) {
  typename Handle::pointer raw = nullptr;
  check([&](vsr_error* error) { return call(&raw, error); });
  return Handle(raw);
}

inline vsr_str view(std::string_view text) { return {text.data(), text.size()}; }

// Empty where there is no text.
inline std::string text_of(vsr_str text) {
  return text.data == nullptr ? std::string() : std::string(text.data, text.size);
}
inline std::string text_of(const String& text) { return text_of(vsr_string_text(text.get())); }

}  // namespace vsr::cli
