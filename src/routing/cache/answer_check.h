// Which answers of a model are worth giving again.
#pragma once

#include <string>
#include <string_view>

namespace vsr::routing {

// Why an answer must not be kept, for people; empty: it may. `stream`: the request asked for a stream.
//
// A stream's answer is server-sent events: chunks with choices, none an error, each choice with its finish_reason, and
// [DONE]. Any other answer is no such events and no markup, and if it is JSON (of any kind, whole, or cut after an
// opening brace or bracket) a chat completion with choices that are done. Both say something. A choice that a filter or
// an error cut off is not done. A byte order mark does not count. Bytes of another kind are the gateway's own and are
// not judged.
std::string why_not_kept(std::string_view answer, bool stream);

}  // namespace vsr::routing
