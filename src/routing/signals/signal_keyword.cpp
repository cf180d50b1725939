#include "routing/signals/signal_keyword.h"

#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "facts/fold.h"

namespace vsr::routing {
namespace {

// The distinct literal keywords of all rules of one case.
class KeywordTable {
 public:
  uint32_t id(const std::string& folded) {
    const auto [entry, added] = ids_.try_emplace(folded, static_cast<uint32_t>(texts.size()));
    if (added) texts.push_back(folded);
    return entry->second;
  }
  std::vector<std::string> texts;

 private:
  std::unordered_map<std::string, uint32_t> ids_;
};

}  // namespace

class KeywordSignals::Builder {
 public:
  explicit Builder(std::span<const KeywordRule> all) {
    for (const KeywordRule& rule : all) rules.push_back(compile(rule));
  }

  std::vector<CompiledRule> rules;
  KeywordTable tables[2];  // any case, exact case

 private:
  CompiledRule compile(const KeywordRule& rule) {
    if (rule.keywords.empty()) {
      base::fail(base::Status::kInvalidArgument, "keyword rule \"", rule.name,
                 "\": no keywords, expected at least one");
    }
    using Method = KeywordRule::Method;
    const bool scored = rule.method == Method::kBm25 || rule.method == Method::kNgram;
    if (rule.method == Method::kRegex) return {rule.op, scored, rule.keywords, make_regex_method(rule)};

    std::vector<std::string> written;
    const FoldedKeywords folded = fold_keywords(rule, written);
    CompiledRule compiled{rule.op, scored, std::move(written), nullptr};
    if (rule.method == Method::kBm25) {
      compiled.method = make_bm25_method(rule, folded);
    } else if (rule.method == Method::kNgram) {
      compiled.method = make_ngram_method(rule, folded);
    } else {
      compiled.method = rule.fuzzy_match ? make_fuzzy_method(rule, folded) : make_literal_method(rule, folded);
    }
    return compiled;
  }

  FoldedKeywords fold_keywords(const KeywordRule& rule, std::vector<std::string>& written) {
    FoldedKeywords folded;
    std::unordered_map<std::string, bool> seen;
    for (const std::string& keyword : rule.keywords) {
      std::string text = facts::fold(keyword, rule.case_sensitive);
      if (text.empty()) {
        base::fail(base::Status::kInvalidArgument, "keyword rule \"", rule.name, "\": keyword \"", keyword,
                   "\" is blank");
      }
      if (!seen.try_emplace(text, true).second) continue;
      written.push_back(keyword);
      if (rule.method == KeywordRule::Method::kLiteral) folded.ids.push_back(tables[rule.case_sensitive].id(text));
      folded.texts.push_back(std::move(text));
    }
    return folded;
  }
};

KeywordSignals::KeywordSignals(std::span<const KeywordRule> rules) : KeywordSignals(Builder(rules)) {}

KeywordSignals::KeywordSignals(Builder builder)
    : rules_(std::move(builder.rules)), any_case_(builder.tables[0].texts), exact_case_(builder.tables[1].texts) {}

SignalValue KeywordSignals::value(const CompiledRule& rule, const KeywordHits& hits) {
  const size_t matched = hits.matched.size(), all = rule.keywords.size();
  SignalValue value;
  value.value = rule.scored ? hits.best : static_cast<double>(matched);
  switch (rule.op) {
    case KeywordRule::Operator::kAnd:
      value.matched = matched == all;
      break;
    case KeywordRule::Operator::kOr:
      value.matched = matched > 0;
      break;
    case KeywordRule::Operator::kNor:
      value.matched = matched == 0;
      break;
  }
  if (value.matched) {
    const double share = static_cast<double>(matched) / static_cast<double>(all);
    value.confidence = rule.op == KeywordRule::Operator::kNor ? 1 : 0.5 + 0.5 * share;
  }
  for (const uint32_t keyword : hits.matched) {
    if (!value.detail.empty()) value.detail += ", ";
    value.detail += rule.keywords[keyword];
  }
  return value;
}

std::vector<SignalValue> KeywordSignals::evaluate(std::string_view text, std::span<const size_t> which) const {
  KeywordText prepared(text, any_case_, exact_case_);
  std::vector<SignalValue> values;
  values.reserve(which.size());
  for (const size_t i : which) values.push_back(value(rules_.at(i), rules_[i].method->match(prepared)));
  return values;
}

std::vector<SignalValue> KeywordSignals::evaluate(std::string_view text) const {
  std::vector<size_t> all(rules_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return evaluate(text, all);
}

}  // namespace vsr::routing
