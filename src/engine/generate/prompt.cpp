#include "engine/generate/prompt.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/quoted.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

std::string named_prompt(const LoadedModel& model, const std::string& name) {
  const auto found = model.prompts.by_name.find(name);
  if (found != model.prompts.by_name.end()) return found->second;
  std::string known;
  for (const auto& [key, text] : model.prompts.by_name) base::add_quoted(known, key);
  fail(Status::kNotFound, "prompt \"", name, "\" does not exist; ", model.path, " has ",
       known.empty() ? "none" : known);
}

std::string prompt_text(const LoadedModel& model, const EmbedOptions& options) {
  if (options.prompt && options.instruction) {
    fail(Status::kInvalidArgument, "prompt and instruction are both given, expected one of them");
  }
  if (options.instruction) return *options.instruction;
  const auto& name = options.prompt ? options.prompt : model.prompts.default_name;
  return name ? named_prompt(model, *name) : "";
}

// As sentence-transformers counts: the prompt alone inside the template, without one token that closes it.
void leave_out_of_pooling(const text::Tokenizer& tokenizer, Prompt& prompt) {
  const text::Encoding alone = tokenizer.encode(prompt.text, nullptr, true);
  const auto first_own = std::find_if(alone.sides.begin(), alone.sides.end(), [](int32_t side) { return side >= 0; });
  const auto leading =
      first_own == alone.sides.end() ? size_t{0} : static_cast<size_t>(first_own - alone.sides.begin());
  prompt.unpooled_tokens = alone.size() - (alone.size() > 0 && alone.sides.back() < 0 ? 1 : 0);
  prompt.unpooled_content = prompt.unpooled_tokens - std::min(leading, prompt.unpooled_tokens);
}

}  // namespace

Prompt resolve_prompt(const LoadedModel& model, const EmbedOptions& options) {
  Prompt prompt{.text = prompt_text(model, options)};
  if (!prompt.text.empty() && !model.embedding->include_prompt()) leave_out_of_pooling(*model.tokenizer, prompt);
  return prompt;
}

std::vector<TextPair> with_prompt(std::span<const std::string_view> texts, const Prompt& prompt,
                                  std::vector<std::string>& storage) {
  std::vector<TextPair> inputs;
  inputs.reserve(texts.size());
  storage.reserve(prompt.text.empty() ? 0 : texts.size());
  for (const std::string_view text : texts) {
    if (!prompt.text.empty()) storage.push_back(prompt.text + std::string(text));
    inputs.push_back({prompt.text.empty() ? text : std::string_view(storage.back()), std::nullopt});
  }
  return inputs;
}

}  // namespace vsr::engine
