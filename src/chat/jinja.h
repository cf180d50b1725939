// Chat templates: the part of Jinja that they use, as transformers runs it (jinja2 with trim_blocks, lstrip_blocks and
// loopcontrols, sandboxed). What is not implemented exactly is an error that names line and construct.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/call_limits.h"
#include "chat/jinja_value.h"

namespace vsr::chat::jinja {

struct Program;

class Template {
 public:
  // `path` is what errors call it. Throws kParse, or kUnsupported for a construct that vsr does not run.
  Template(std::string_view source, const std::string& path);
  ~Template();

  // Throws kParse for what jinja2 would reject, kUnsupported for what vsr does not run, kInvalidArgument for what the
  // template itself rejects (raise_exception), kLimit for a template that takes too much work, memory or depth,
  // kCancelled and kDeadline for `limits`. Thread-safe.
  std::string render(const Dict& variables, const base::CallLimits& limits = {}) const;

 private:
  std::unique_ptr<const Program> program_;
};

}  // namespace vsr::chat::jinja
