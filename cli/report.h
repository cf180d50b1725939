// What commands say about how texts were read.
#pragma once

#include "handles.h"
#include "input.h"
#include "json.h"

namespace vsr::cli {

// Texts that go to the library in one call.
inline constexpr size_t kBatch = 256;

// {"text", "pair"}
Json json_of(const Text& text);
// Adds "label", "score" and "probs" of a row of a classification.
void add_scores(Json& object, const vsr_result* result, size_t row);
// Adds "tokens", "windows", "dropped", "replaced" of a result's text.
void add_usage(Json& object, const vsr_result* result, size_t text);

// Counts what a reader of a table must know and a row has no room for.
class Notes {
 public:
  void add(const vsr_result* result, size_t text);
  // "1 text was longer than the model's limit and was read in windows"
  void print() const;

 private:
  size_t windowed_ = 0;
  size_t dropped_ = 0;
  size_t replaced_ = 0;
};

}  // namespace vsr::cli
