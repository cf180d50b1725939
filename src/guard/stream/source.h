// The kinds of bodies an answer comes in.
#pragma once

#include <memory>
#include <string_view>

#include "guard/stream/policy_run.h"

namespace vsr::guard {

// Reads the bytes of one stream and tells its run. One thread at a time.
class Source : public OwnEvents {
 public:
  virtual void feed(PolicyRun& run, std::string_view bytes) = 0;
  virtual void finish(PolicyRun& run) = 0;
};

std::unique_ptr<Source> make_sse_source(size_t most_event_bytes);
std::unique_ptr<Source> make_text_source();
// An answer that is no stream: JSON, or text where it is none of the known answers.
std::unique_ptr<Source> make_body_source(size_t most_bytes);
// The same with placeholders put back in all of it.
std::unique_ptr<Source> make_restore_source(size_t most_bytes);

}  // namespace vsr::guard
