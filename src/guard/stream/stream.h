// One answer on its way to whoever asked, checked as it passes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "guard/stream/stream_options.h"

namespace vsr::guard {

class FactSet;

// Takes the body of an answer in pieces of any size and gives what is to be sent on: the same bytes while no policy
// acts. Server-sent events leave with their last byte (with kObserve every byte leaves at once). How a body is cut
// changes neither events nor the bytes that leave, times aside. Memory is bounded by the limits of the options. Any
// number of streams share one set of facts. One thread at a time.
class Stream {
 public:
  // Throws kInvalidArgument and kNotFound for tasks that the facts' models do not have.
  Stream(std::shared_ptr<const FactSet> facts, StreamOptions options);
  ~Stream();
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;

  // Nothing, to have what was held for too long go. Throws kState after finish(). What a model throws does not end the
  // stream: it counts as overload, and describe() gives the reason.
  StreamStep feed(std::string_view bytes);
  // The end of the body.
  StreamStep finish();
  // What was found so far, as JSON: {"claims", "claims_by_symbols", "checked", "events": {kind: n}, "overloads",
  // "reason", "ended", "headers": {name: value}}; the headers are for answers that are no streams.
  std::string describe() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vsr::guard
