// Tokenizers, on their own or of an engine.
#pragma once

#include <memory>

#include "call.h"

namespace vsr_python {

class Tokenizer {
 public:
  explicit Tokenizer(vsr_tokenizer* tokenizer) : handle_(owned(tokenizer, &vsr_tokenizer_free)) {}
  std::shared_ptr<vsr_tokenizer> hold() const { return handle_; }

 private:
  std::shared_ptr<vsr_tokenizer> handle_;
};

}  // namespace vsr_python
