#include "engine/generate/moderation.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/utf8.h"
#include "engine/generate/generation.h"
#include "engine/generate/moderation_answer.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

constexpr std::string_view kLead = "Safety:";
constexpr size_t kDecodeSteps = 64;  // to decode a token twice takes as long as this many look-ups

std::vector<int32_t> ids_of(const LoadedModel& model, std::string_view text) {
  return model.tokenizer->tokenize(text).ids;
}

// Tokens that the tokenizer keeps apart from text, and drops from it again.
size_t count_control_tokens(const LoadedModel& model, std::string_view text) {
  const std::vector<int32_t> ids = ids_of(model, text);
  std::unordered_map<int32_t, bool> known;  // a text of megabytes has few tokens that are not the same
  base::Checkpoint checkpoint;
  const auto is_control = [&](int32_t id) {
    checkpoint.add(1);
    const auto [found, added] = known.try_emplace(id, false);
    if (added) {
      checkpoint.add(kDecodeSteps);
      found->second = model.tokenizer->decode({id}, true).empty() && !model.tokenizer->decode({id}, false).empty();
    }
    return found->second;
  };
  return static_cast<size_t>(std::count_if(ids.begin(), ids.end(), is_control));
}

// The tokens of each word after the lead.
std::array<std::vector<int32_t>, 3> word_tokens(const LoadedModel& model, const std::vector<int32_t>& lead) {
  std::array<std::vector<int32_t>, 3> words;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::vector<int32_t> ids = ids_of(model, std::string(kLead) + ' ' + std::string(kSeverityWords[i]));
    const auto [own, rest] = std::mismatch(lead.begin(), lead.end(), ids.begin(), ids.end());
    if (own != lead.end() || rest == ids.end()) {
      fail(Status::kUnsupported, model.path, ": the tokenizer joins \"", kLead, "\" with the word after it");
    }
    words[i].assign(rest, ids.end());
  }
  for (const auto& word : words) {
    for (const auto& other : words) {
      if (&word != &other && word.size() <= other.size() && std::equal(word.begin(), word.end(), other.begin())) {
        fail(Status::kUnsupported, model.path, ": the tokenizer does not keep the words of severity apart");
      }
    }
  }
  return words;
}

// log(softmax(logits))[id]
double log_prob(std::span<const float> logits, int32_t id) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - largest);
  return logits[static_cast<size_t>(id)] - largest - std::log(sum);
}

// Of a word of several tokens, the sum over its tokens.
double log_prob(DecodeSession& session, std::span<const int32_t> word) {
  double sum = log_prob(session.logits(), word.front());
  for (size_t i = 1; i < word.size(); ++i) {
    session.read(word.subspan(i - 1, 1));
    sum += log_prob(session.logits(), word[i]);
  }
  return sum;
}

// How likely each word is after the lead, given that it is one of the three. `session` is left as it was.
std::array<float, 3> severity_probs(const LoadedModel& model, DecodeSession& session) {
  const std::vector<int32_t> lead = ids_of(model, kLead);
  const auto words = word_tokens(model, lead);
  const DecodeSession::Mark begin = session.mark();
  session.read(lead);
  const DecodeSession::Mark behind_lead = session.mark();
  std::array<double, 3> scores{};
  for (size_t i = 0; i < words.size(); ++i) {
    scores[i] = log_prob(session, words[i]);
    session.rewind(behind_lead);
  }
  session.rewind(begin);
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& score : scores) sum += score = std::exp(score - largest);
  std::array<float, 3> probs{};
  for (size_t i = 0; i < probs.size(); ++i) probs[i] = static_cast<float>(scores[i] / sum);
  return probs;
}

}  // namespace

Verdict moderate(const LoadedModel& model, std::string_view prompt, std::optional<std::string_view> response,
                 const ModerateOptions& options) {
  if (options.max_new_tokens == 0) fail(Status::kInvalidArgument, "max_new_tokens is 0, expected 1 or more");
  if (!model.chat_template) {
    fail(Status::kUnsupported, model.path, ": has no chat template, neither chat_template.jinja nor one in ",
         "tokenizer_config.json (hint: a safety classifier brings one)");
  }
  options.limits.check();
  const base::LimitScope scope(&options.limits);
  Verdict verdict;
  std::vector<chat::ChatMessage> messages;
  const auto add = [&](const char* role, std::string_view text) {
    const base::CleanText clean(text);
    verdict.replaced_bytes += clean.replaced_bytes();
    verdict.control_tokens += count_control_tokens(model, clean.view());
    messages.push_back({role, std::string(clean.view())});
  };
  add("user", prompt);
  if (response) add("assistant", *response);
  verdict.prompt = model.chat_template->render(messages, options.limits);

  const std::vector<int32_t> ids = ids_of(model, verdict.prompt);
  if (ids.empty()) fail(Status::kParse, model.path, ": the chat template renders nothing");
  check_room(model, ids.size(), options.max_new_tokens);
  DecodeSession session(model, options.limits);
  session.read(ids);
  verdict.prompt_tokens = ids.size();
  verdict.probs = severity_probs(model, session);
  GenerateOptions greedy;
  greedy.max_new_tokens = options.max_new_tokens;
  const Generation made = continue_text(model, session, greedy);
  verdict.answer = made.text;
  parse_answer(made.text, made.finish == FinishReason::kEos, verdict);
  return verdict;
}

}  // namespace vsr::engine
