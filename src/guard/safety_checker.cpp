#include "guard/safety_checker.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/characters.h"
#include "base/stopwatch.h"
#include "base/utf8.h"
#include "facts/pii_patterns.h"

namespace vsr::guard {
namespace {

constexpr size_t kContext = 1024;
constexpr auto kSafeLabels =
    std::to_array<std::string_view>({"benign", "safe", "harmless", "legitimate", "legit", "normal", "clean", "ok",
                                     "label_0", "no_jailbreak", "refusal"});

bool is_safe(const std::string& label) {
  std::string name = base::ascii_lower(label);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return std::find(kSafeLabels.begin(), kSafeLabels.end(), name) != kSafeLabels.end();
}

bool is_unsafe(const inference::TaskAnswer& answer, size_t label) {
  const std::string& name = answer.labels[label];
  if (answer.unsafe_labels.empty()) return !is_safe(name);
  return std::find(answer.unsafe_labels.begin(), answer.unsafe_labels.end(), name) != answer.unsafe_labels.end();
}

// The greatest over windows of the sum over the unsafe labels.
float unsafe_score(const inference::TaskAnswer& answer, size_t first_window, size_t windows) {
  float greatest = 0;
  for (size_t window = first_window; window < first_window + windows; ++window) {
    float sum = 0;
    for (size_t label = 0; label < answer.labels.size(); ++label) {
      if (is_unsafe(answer, label)) sum += answer.scores[window * answer.labels.size() + label];
    }
    greatest = std::max(greatest, sum);
  }
  return std::min(greatest, 1.0F);
}

// The end of a text, from a character's boundary on.
std::string_view tail(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  const size_t begin = base::ceil_boundary(text, text.size() - most);
  return text.substr(begin);
}

}  // namespace

SafetyChecker::SafetyChecker(std::shared_ptr<const FactSet> facts, SafetyOptions options)
    : facts_(std::move(facts)), options_(std::move(options)) {}

std::vector<Event> SafetyChecker::feed(std::string_view text) {
  for (size_t i = 0; i < text.size(); i += ClaimCutter::kMostBytes) {
    cutter_.add(text.substr(i, ClaimCutter::kMostBytes));
    judge_finished(false);
  }
  return std::exchange(events_, {});
}

std::vector<Event> SafetyChecker::finish() {
  judge_finished(true);
  checked_ = std::max(checked_, cutter_.position());
  return std::exchange(events_, {});
}

void SafetyChecker::judge_finished(bool last) {
  std::vector<Read> claims;
  size_t end = checked_;
  while (const auto claim = cutter_.next(last)) {
    end = claim->begin + claim->text.size();
    Read& read = claims.emplace_back(Read{claim->begin, end, std::string(claim->text)});
    const base::CleanText clean(claim->text);
    read.context = before_ + std::string(clean.view());
    before_ = std::string(tail(read.context, kContext)) + ' ';
  }
  for (const Read& claim : claims) {
    if (options_.patterns) scan(claim);
  }
  if (!claims.empty() && facts_->models() != nullptr) ask(claims);
  std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.begin < b.begin; });
  checked_ = std::max(checked_, end);
}

void SafetyChecker::scan(const Read& claim) {
  const base::Stopwatch watch;
  const base::CleanText clean(claim.text);
  for (const facts::PiiEntity& entity : facts::scan_pii_patterns(clean.view())) {
    if (entity.score < static_cast<double>(options_.threshold)) continue;
    events_.push_back({.begin = claim.begin + clean.to_original(entity.begin),
                       .end = claim.begin + clean.to_original(entity.end),
                       .claim_begin = claim.begin,
                       .claim_end = claim.end,
                       .kind = EventKind::kPii,
                       .score = static_cast<float>(entity.score),
                       .milliseconds = watch.milliseconds()});
  }
}

void SafetyChecker::ask(const std::vector<Read>& claims) {
  const base::Stopwatch watch;
  std::vector<inference::TaskQuestion> tasks;
  for (const std::string* task : {&options_.pii_task, &options_.jailbreak_task}) {
    if (!task->empty()) tasks.push_back({*task});
  }
  if (tasks.empty()) return;
  std::vector<std::string_view> texts;
  for (const Read& claim : claims) texts.push_back(claim.context);
  const std::vector<bool> wanted(texts.size() * tasks.size(), true);
  for (const inference::TaskAnswer& answer : facts_->models()->classify(texts, tasks, wanted, limits_)) {
    if (answer.error) std::rethrow_exception(answer.error);
    size_t window = 0;
    for (size_t i = 0; i < claims.size(); ++i) {
      const Read& claim = claims[i];
      Event event{.begin = claim.begin, .end = claim.end, .claim_begin = claim.begin, .claim_end = claim.end};
      event.milliseconds = watch.milliseconds();
      if (!answer.has_entities) {
        const size_t windows = answer.windows.empty() ? 1 : answer.windows[i];
        event.kind = EventKind::kJailbreak;
        event.score = unsafe_score(answer, window, windows);
        window += windows;
        if (event.score >= options_.threshold) events_.push_back(event);
        continue;
      }
      const base::CleanText clean(claim.text);
      const size_t context = claim.context.size() - clean.view().size();
      for (const inference::ModelEntity& entity : answer.entities[i]) {
        if (entity.end <= context || entity.score < static_cast<double>(options_.threshold)) continue;
        event.kind = EventKind::kPii;
        event.score = static_cast<float>(entity.score);
        event.begin = claim.begin + clean.to_original(std::max(entity.begin, context) - context);
        event.end = claim.begin + clean.to_original(entity.end - context);
        events_.push_back(event);
      }
    }
  }
}

}  // namespace vsr::guard
