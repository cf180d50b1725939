// vsr/moderate.h: verdicts of a safety classifier.
#include "vsr/moderate.h"

#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "c_api/inputs.h"
#include "c_api/views.h"

namespace {

using vsr::c_api::engine_of;
using vsr::c_api::guard_new;
using vsr::c_api::read_options;
using vsr::c_api::read_text;
using vsr::engine::ModerateOptions;
using vsr::engine::Severity;
using vsr::engine::Verdict;

constexpr bool same(Severity severity, int code) { return static_cast<int>(severity) == code; }
static_assert(same(Severity::kUnparsed, VSR_SEVERITY_UNPARSED) && same(Severity::kSafe, VSR_SEVERITY_SAFE) &&
              same(Severity::kControversial, VSR_SEVERITY_CONTROVERSIAL) &&
              same(Severity::kUnsafe, VSR_SEVERITY_UNSAFE));

ModerateOptions read_moderate(const vsr_moderate_options* given) {
  const vsr_moderate_options options = read_options(given, "vsr_moderate_options");
  vsr::c_api::check_reserved(options.reserved, "vsr_moderate_options.reserved");
  ModerateOptions moderate;
  moderate.task = vsr::c_api::optional_string(options.task);
  if (options.max_new_tokens != 0) moderate.max_new_tokens = options.max_new_tokens;
  moderate.limits = vsr::c_api::read_limits(options);
  return moderate;
}

vsr_str text_of(const vsr_verdict* verdict, std::string Verdict::*field) {
  return verdict == nullptr ? VSR_STR("") : vsr::c_api::view(verdict->verdict.*field);
}

size_t count_of(const vsr_verdict* verdict, size_t Verdict::*field) {
  return verdict == nullptr ? 0 : verdict->verdict.*field;
}

}  // namespace

vsr_status vsr_moderate(const vsr_engine* engine, vsr_str prompt, const vsr_str* response,
                        const vsr_moderate_options* options, vsr_verdict** out_verdict, vsr_error* error) {
  return guard_new(out_verdict, "out_verdict", error, [&] {
    const std::string_view text = read_text(prompt, "prompt");
    std::optional<std::string_view> answer;
    if (response != nullptr) answer = read_text(*response, "response");
    const ModerateOptions moderate = read_moderate(options);
    return engine_of(engine)->moderate(text, answer, moderate);
  });
}

int32_t vsr_verdict_severity(const vsr_verdict* verdict) {
  return verdict == nullptr ? VSR_SEVERITY_UNPARSED : static_cast<int32_t>(verdict->verdict.severity);
}

int32_t vsr_verdict_refusal(const vsr_verdict* verdict) {
  if (verdict == nullptr || !verdict->verdict.refusal) return VSR_REFUSAL_UNKNOWN;
  return *verdict->verdict.refusal ? VSR_REFUSAL_YES : VSR_REFUSAL_NO;
}

size_t vsr_verdict_category_count(const vsr_verdict* verdict) {
  return verdict == nullptr ? 0 : verdict->verdict.categories.size();
}

vsr_str vsr_verdict_category(const vsr_verdict* verdict, size_t index) {
  if (verdict == nullptr || index >= verdict->verdict.categories.size()) return {};
  return vsr::c_api::view(verdict->verdict.categories[index]);
}

float vsr_verdict_prob(const vsr_verdict* verdict, int32_t severity) {
  if (verdict == nullptr || severity < VSR_SEVERITY_SAFE || severity > VSR_SEVERITY_UNSAFE) return 0;
  return verdict->verdict.probs[static_cast<size_t>(severity - VSR_SEVERITY_SAFE)];
}

vsr_str vsr_verdict_answer(const vsr_verdict* verdict) { return text_of(verdict, &Verdict::answer); }

vsr_str vsr_verdict_prompt(const vsr_verdict* verdict) { return text_of(verdict, &Verdict::prompt); }

size_t vsr_verdict_prompt_token_count(const vsr_verdict* verdict) { return count_of(verdict, &Verdict::prompt_tokens); }

size_t vsr_verdict_control_token_count(const vsr_verdict* verdict) {
  return count_of(verdict, &Verdict::control_tokens);
}

size_t vsr_verdict_replaced_size(const vsr_verdict* verdict) { return count_of(verdict, &Verdict::replaced_bytes); }

void vsr_verdict_free(vsr_verdict* verdict) { vsr::c_api::free_handle(verdict); }
