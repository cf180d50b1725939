#include "routing/signals/bm25.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "base/utf8.h"
#include "facts/words.h"

namespace vsr::routing {
namespace {

constexpr double kTermSaturation = 1.2;        // k1
constexpr double kLengthNormalization = 0.75;  // b

constexpr auto kFunctionWords = std::to_array<std::string_view>(
    {"a",  "an",  "and", "are", "as", "at", "be",   "by",  "for",  "from", "i",   "in", "is",   "it",  "me",
     "my", "not", "of",  "on",  "or", "so", "that", "the", "this", "to",   "was", "we", "with", "you", "your"});

bool is_function_word(std::string_view word) {
  return std::find(kFunctionWords.begin(), kFunctionWords.end(), word) != kFunctionWords.end();
}

bool is_unspaced_word(std::string_view word) { return facts::is_unspaced(base::decode_utf8(word).code_point); }

// Calls `sink` with every term. Single characters of a run are terms of a query, and of a document that consists of
// one.
void each_term(std::string_view text, bool query, const std::function<void(std::string_view)>& sink) {
  std::string_view last;
  bool joined_before = false;  // whether `last` continues a run of unspaced characters
  const auto emit_last = [&](bool joined_after) {
    if (!last.empty() && (query || (!joined_before && !joined_after))) sink(last);
  };
  facts::each_word(text, [&](std::string_view word) {
    const bool joined =
        !last.empty() && word.data() == last.data() + last.size() && is_unspaced_word(word) && is_unspaced_word(last);
    emit_last(joined);
    if (joined) sink({last.data(), last.size() + word.size()});
    last = word;
    joined_before = joined;
  });
  emit_last(false);
}

std::map<std::string, size_t, std::less<>> term_counts(std::string_view document) {
  std::map<std::string, size_t, std::less<>> all, content;
  each_term(document, false, [&](std::string_view term) {
    ++all[std::string(term)];
    if (!is_function_word(term)) ++content[std::string(term)];
  });
  return content.empty() ? all : content;
}

}  // namespace

Bm25Index::Bm25Index(std::span<const std::string> documents) : documents_(documents.size()) {
  std::vector<size_t> lengths(documents.size(), 0);
  size_t total = 0;
  for (size_t d = 0; d < documents.size(); ++d) {
    for (const auto& [term, count] : term_counts(documents[d])) {
      const auto [entry, added] = terms_.try_emplace(term, static_cast<uint32_t>(postings_.size()));
      if (added) postings_.emplace_back();
      postings_[entry->second].push_back({static_cast<uint32_t>(d), static_cast<double>(count)});
      lengths[d] += count;
    }
    total += lengths[d];
  }
  const double n = static_cast<double>(documents.size());
  const double mean_length = std::max(1.0, static_cast<double>(total) / std::max(1.0, n));
  for (std::vector<Posting>& postings : postings_) {
    const double df = static_cast<double>(postings.size());
    const double idf = std::log(1 + (n - df + 0.5) / (df + 0.5));
    for (Posting& posting : postings) {
      const double length = static_cast<double>(lengths[posting.document]) / mean_length;
      const double norm = kTermSaturation * (1 - kLengthNormalization + kLengthNormalization * length);
      posting.weight = idf * posting.weight * (kTermSaturation + 1) / (posting.weight + norm);
    }
  }
}

std::vector<double> Bm25Index::scores(std::string_view query) const {
  std::vector<double> scores(documents_, 0);
  std::vector<bool> seen(postings_.size(), false);
  each_term(query, true, [&](std::string_view term) {
    const auto entry = terms_.find(term);
    if (entry == terms_.end() || seen[entry->second]) return;
    seen[entry->second] = true;
    for (const Posting& posting : postings_[entry->second]) scores[posting.document] += posting.weight;
  });
  return scores;
}

}  // namespace vsr::routing
