/* What Engine::generate() and Engine::moderate() take and give. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_GENERATE_HPP
#define VSR_HPP_GENERATE_HPP

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cancel.hpp"
#include "enums.hpp"
#include "error.hpp"
#include "texts.hpp"

namespace vsr {

/** Called with each new token and the text that it completes, see vsr_token_callback; true ends the call with
 * VSR_ERR_CANCELLED. What it throws ends the call too, and leaves it as thrown. */
using TokenCallback = std::function<bool(int32_t id, std::string_view text)>;

/** See vsr_generate_options. */
struct GenerateOptions {
  std::string task;          /**< empty: the only one */
  size_t max_new_tokens = 0; /**< 0: 128 */
  bool stop_at_eos = true;
  float temperature = 0; /**< 0: the most likely token */
  int32_t top_k = 0;     /**< 0: all */
  float top_p = 0;       /**< 0: all */
  uint64_t seed = 0;
  TokenCallback on_token;
  int64_t deadline_ms = 0;        /**< from now; 0: never, below: at once */
  const Cancel* cancel = nullptr; /**< borrowed for the call */
};

/** See vsr_generation. */
struct Generation {
  std::string text;
  std::vector<int32_t> ids; /**< new tokens only */
  Finish finish;
  size_t prompt_tokens;
  size_t replaced; /**< bytes of the prompt that were not UTF-8 */
};

/** See vsr_moderate_options. */
struct ModerateOptions {
  std::string task;               /**< empty: the only one */
  size_t max_new_tokens = 0;      /**< 0: 128 */
  int64_t deadline_ms = 0;        /**< from now; 0: never, below: at once */
  const Cancel* cancel = nullptr; /**< borrowed for the call */
};

/** See vsr_verdict. */
struct Verdict {
  Severity severity;
  std::vector<std::string> categories;
  std::optional<bool> refusal; /**< of a response */
  float safe;                  /**< probabilities of the words, together 1 */
  float controversial;
  float unsafe;
  std::string answer; /**< what the model wrote */
  std::string prompt; /**< what it read */
  size_t prompt_tokens;
  size_t control_tokens; /**< special tokens that the texts spell out */
  size_t replaced;       /**< bytes of the texts that were not UTF-8 */
};

namespace detail {

inline std::string to_string(vsr_str text) { return std::string(view(text)); }

/** Carries a TokenCallback through the C callback, which must not throw. */
class TokenCall {
 public:
  explicit TokenCall(const TokenCallback& callback) : callback_(callback) {}
  vsr_token_callback callback() const { return callback_ ? &TokenCall::run : nullptr; }
  /** Runs `body` and passes on what the callback threw. */
  template <class Body>
  void operator()(Body&& body) {
    try {
      body();
    } catch (const Error&) {
      if (thrown_) std::rethrow_exception(thrown_);
      throw;
    }
  }

 private:
  static int32_t run(int32_t id, vsr_str text, void* user_data) {
    auto* self = static_cast<TokenCall*>(user_data);
    try {
      return self->callback_(id, view(text)) ? 1 : 0;
    } catch (...) {
      self->thrown_ = std::current_exception();
      return 1;
    }
  }
  const TokenCallback& callback_;
  std::exception_ptr thrown_;
};

inline Generation generate(const vsr_engine* engine, std::string_view prompt, const GenerateOptions& options) {
  TokenCall on_token(options.on_token);
  vsr_generate_options c = VSR_GENERATE_OPTIONS_INIT;
  c.task = c_string_or_null(options.task, "task");
  c.max_new_tokens = options.max_new_tokens;
  c.no_eos = options.stop_at_eos ? 0 : 1;
  c.temperature = options.temperature;
  c.top_k = options.top_k;
  c.top_p = options.top_p;
  c.seed = options.seed;
  c.on_token = on_token.callback();
  c.user_data = &on_token;
  c.deadline_ms = options.deadline_ms;
  c.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
  Handle<vsr_generation, vsr_generation_free> made;
  on_token([&] {
    made = make<decltype(made)>(
        [&](vsr_generation** out, vsr_error* error) { return vsr_generate(engine, to_c(prompt), &c, out, error); });
  });
  const int32_t* ids = vsr_generation_ids(made.get());
  return {to_string(vsr_generation_text(made.get())),
          std::vector<int32_t>(ids, ids + vsr_generation_token_count(made.get())),
          static_cast<Finish>(vsr_generation_finish(made.get())), vsr_generation_prompt_token_count(made.get()),
          vsr_generation_replaced_size(made.get())};
}

inline Verdict moderate(const vsr_engine* engine, std::string_view prompt, std::optional<std::string_view> response,
                        const ModerateOptions& options) {
  vsr_moderate_options c = VSR_MODERATE_OPTIONS_INIT;
  c.task = c_string_or_null(options.task, "task");
  c.max_new_tokens = options.max_new_tokens;
  c.deadline_ms = options.deadline_ms;
  c.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
  const vsr_str answer = response ? to_c(*response) : vsr_str{};
  using Owner = Handle<vsr_verdict, vsr_verdict_free>;
  const Owner made = make<Owner>([&](vsr_verdict** out, vsr_error* error) {
    return vsr_moderate(engine, to_c(prompt), response ? &answer : nullptr, &c, out, error);
  });
  const vsr_verdict* v = made.get();
  Verdict verdict{static_cast<Severity>(vsr_verdict_severity(v)),
                  {},
                  std::nullopt,
                  vsr_verdict_prob(v, VSR_SEVERITY_SAFE),
                  vsr_verdict_prob(v, VSR_SEVERITY_CONTROVERSIAL),
                  vsr_verdict_prob(v, VSR_SEVERITY_UNSAFE),
                  to_string(vsr_verdict_answer(v)),
                  to_string(vsr_verdict_prompt(v)),
                  vsr_verdict_prompt_token_count(v),
                  vsr_verdict_control_token_count(v),
                  vsr_verdict_replaced_size(v)};
  for (size_t i = 0; i < vsr_verdict_category_count(v); ++i)
    verdict.categories.push_back(to_string(vsr_verdict_category(v, i)));
  const int32_t refusal = vsr_verdict_refusal(v);
  if (refusal != VSR_REFUSAL_UNKNOWN) verdict.refusal = refusal == VSR_REFUSAL_YES;
  return verdict;
}

}  // namespace detail

}  // namespace vsr

#endif
