#include "routing/compress/compress.h"

#include <algorithm>

#include "base/error.h"
#include "routing/compress/compress_select.h"
#include "routing/compress/compress_units.h"
#include "routing/compress/token_estimate.h"
#include "text/unicode/stop_words.h"

namespace vsr::routing {
namespace {

using base::Span;

// A text of at most this many bytes per token of the budget is worth counting exactly.
constexpr size_t kCountedBytesPerToken = 16;
constexpr int kMaxCounts = 12;

ByteRanges sorted_ranges(std::string_view text, const ByteRanges& ranges) {
  for (const auto& [begin, end] : ranges) {
    if (begin > end || end > text.size()) {
      base::fail(base::Status::kInvalidArgument, "protected_ranges: ", begin, " to ", end, " in a text of ",
                 text.size(), " bytes, expected begin <= end <= size");
    }
  }
  // Those that begin inside an earlier one are joined with it, so that ends rise too.
  ByteRanges sorted = ranges;
  std::sort(sorted.begin(), sorted.end());
  ByteRanges joined;
  for (const auto& range : sorted) {
    if (!joined.empty() && range.first <= joined.back().second) {
      joined.back().second = std::max(joined.back().second, range.second);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

Compressed unchanged(std::string_view text, size_t tokens, bool estimated) {
  Compressed result{.text = std::string(text), .tokens_before = tokens, .tokens_after = tokens, .estimated = estimated};
  if (!text.empty()) result.kept = {{0, text.size()}};
  return result;
}

Compressed joined(std::string_view text, const std::vector<base::Span>& ranges) {
  Compressed result;
  for (const base::Span& range : ranges) {
    if (!result.text.empty()) result.text += '\n';
    result.text += text.substr(range.begin, range.size());
    result.kept.emplace_back(range.begin, range.end);
  }
  return result;
}

class Compressor {
 public:
  Compressor(std::string_view text, const CompressOptions& options)
      : text_(text),
        options_(options),
        selection_{sorted_ranges(text, options.protected_ranges), static_cast<float>(options.focus)} {}

  Compressed run() {
    if (options_.count_tokens && text_.size() / kCountedBytesPerToken <= options_.max_tokens) {
      const size_t tokens = options_.count_tokens(text_);
      if (tokens <= options_.max_tokens) return unchanged(text_, tokens, false);
      return reduced(tokens, false);
    }
    return reduced(0, true);
  }

 private:
  // `tokens_before` is not known yet when it is `estimated`.
  Compressed reduced(size_t tokens_before, bool estimated) {
    score(true);
    if (estimated) tokens_before = scored_.tokens();
    if (!options_.count_tokens && tokens_before <= options_.max_tokens) return unchanged(text_, tokens_before, true);
    Compressed result = fitted();
    if (result.kept.empty()) {  // blocks that are all too large to be kept whole
      score(false);
      result = fitted();
    }
    result.tokens_before = tokens_before;
    result.estimated = estimated;
    return result;
  }

  void score(bool structured) {
    const std::string_view language = options_.language.empty() ? text::detect_language(text_) : options_.language;
    scored_ = {};  // two at once would take room for both
    scored_ = ScoredText(text_, text::language_set(language), structured);
  }

  Compressed candidate(size_t budget) const {
    Compressed result = joined(text_, select_units(text_, scored_, selection_, budget));
    result.tokens_after = options_.count_tokens ? options_.count_tokens(result.text) : estimate_tokens(result.text);
    return result;
  }

  // The largest selection found that meets the limit: the estimate's budget is scaled by how far the count is off.
  Compressed fitted() const {
    if (!options_.count_tokens) return candidate(options_.max_tokens);
    size_t too_much = SIZE_MAX, budget = options_.max_tokens;
    Compressed best;
    for (int i = 0; i < kMaxCounts && budget > 0; ++i) {
      Compressed next = candidate(budget);
      const size_t tokens = next.tokens_after;
      if (tokens > options_.max_tokens) {
        too_much = budget;
        budget = std::min(budget - 1, scaled(budget, tokens));
        if (!best.kept.empty()) break;
      } else {
        const bool full = tokens + options_.max_tokens / 16 >= options_.max_tokens || next.kept.empty();
        if (next.tokens_after >= best.tokens_after) best = std::move(next);
        const size_t larger = std::min(scaled(budget, tokens), too_much - 1);
        if (full || larger <= budget || budget >= scored_.tokens()) break;
        budget = larger;
      }
    }
    return best;
  }

  size_t scaled(size_t budget, size_t tokens) const {
    const double ratio = static_cast<double>(options_.max_tokens) / static_cast<double>(std::max<size_t>(tokens, 1));
    return static_cast<size_t>(static_cast<double>(budget) * ratio * 0.98);
  }

  std::string_view text_;
  const CompressOptions& options_;
  Selection selection_;
  ScoredText scored_;
};

}  // namespace

Compressed compress(std::string_view text, const CompressOptions& options) {
  if (options.max_tokens == 0) base::fail(base::Status::kInvalidArgument, "max_tokens is 0, expected at least 1");
  if (!(options.focus >= 0 && options.focus <= 1)) {
    base::fail(base::Status::kInvalidArgument, "focus is ", options.focus, ", expected 0 to 1");
  }
  return Compressor(text, options).run();
}

}  // namespace vsr::routing
