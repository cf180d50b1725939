#include "engine/generate/generation.h"

#include <algorithm>

#include "base/checkpoint.h"
#include "base/error.h"
#include "core/nn/sampler.h"
#include "engine/generate/text_stream.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

core::SamplerOptions sampler_options(const GenerateOptions& options) {
  return {.temperature = options.temperature, .top_k = options.top_k, .top_p = options.top_p, .seed = options.seed};
}

// Tells the caller of each token. The last one also brings what is left of the text.
class Reporter {
 public:
  Reporter(const LoadedModel& model, const TokenCallback& callback) : stream_(*model.tokenizer), callback_(callback) {}
  void token(int32_t id, bool last) {
    if (!callback_) return;
    std::string text = stream_.add(id);
    if (last) text += stream_.finish();
    if (callback_(id, text)) fail(Status::kCancelled, "cancelled by the token callback");
  }

 private:
  TextStream stream_;
  const TokenCallback& callback_;
};

}  // namespace

void check_room(const LoadedModel& model, size_t prompt_tokens, size_t max_new_tokens) {
  if (max_new_tokens > model.max_tokens || prompt_tokens > model.max_tokens - max_new_tokens) {
    fail(Status::kLimit, "the prompt has ", prompt_tokens, " tokens, max_new_tokens is ", max_new_tokens,
         ", and the limit of model \"", model.name, "\" is ", model.max_tokens);
  }
}

Generation continue_text(const LoadedModel& model, DecodeSession& session, const GenerateOptions& options) {
  core::Sampler sampler(sampler_options(options));
  Reporter reporter(model, options.on_token);
  Generation made;
  made.prompt_tokens = session.tokens();
  for (;;) {
    const int32_t id = sampler.choose(session.logits());
    made.ids.push_back(id);
    const bool ends = options.stop_at_eos && std::ranges::find(model.eos_tokens, id) != model.eos_tokens.end();
    const bool last = ends || made.ids.size() == options.max_new_tokens;
    reporter.token(id, last);
    if (last) {
      made.finish = ends ? FinishReason::kEos : FinishReason::kLength;
      break;
    }
    session.read({&id, 1});
  }
  made.text = decode_generated(*model.tokenizer, made.ids);
  return made;
}

Generation generate(const LoadedModel& model, std::string_view prompt, const GenerateOptions& options) {
  core::check(sampler_options(options));
  if (options.max_new_tokens == 0) fail(Status::kInvalidArgument, "max_new_tokens is 0, expected 1 or more");
  options.limits.check();
  const base::LimitScope scope(&options.limits);
  const text::TokenSequence sequence = model.tokenizer->tokenize(prompt);
  if (sequence.ids.empty())
    fail(Status::kInvalidArgument, "the prompt has no tokens, and there is nothing to go on from");
  check_room(model, sequence.ids.size(), options.max_new_tokens);
  DecodeSession session(model, options.limits);
  session.read(sequence.ids);
  Generation made = continue_text(model, session, options);
  made.replaced_bytes = sequence.replaced_bytes;
  return made;
}

}  // namespace vsr::engine
