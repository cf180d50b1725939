// Verdicts of a generative safety classifier, such as Qwen3Guard-Gen: the checkpoint's chat template puts the texts
// into its question, and the answer is read strictly.
#pragma once

#include <optional>
#include <string_view>

#include "engine/generate/generation_types.h"
#include "engine/model/loaded_model.h"

namespace vsr::engine {

// Of a prompt, or of the response to it. Throws kUnsupported for a checkpoint without a chat template, or whose
// tokenizer does not keep the words of severity apart, kLimit for texts that do not fit the model, kCancelled and
// kDeadline.
Verdict moderate(const LoadedModel& model, std::string_view prompt, std::optional<std::string_view> response,
                 const ModerateOptions& options);

}  // namespace vsr::engine
