// Prompt compression: the sentences of a long text that say most about what it asks, so that a decision about it reads
// 512 tokens instead of 200,000. For decisions only: a model still gets the whole text.
//
// A funnel of three stages. Structure (compress_blocks.h): headings, the first paragraph and the last have priority,
// code fences and JSON are kept or dropped whole. Words (text/unicode/stop_words.h): function words carry no
// information. Entropy (compress_words.h): self-information of words under a mix of the text's own frequencies and a
// background, so that what is unlike the rest of the text stands out; selective context (arXiv:2310.06201) does this
// with a language model.
//
// What is kept are whole sentences in their order; nothing is removed inside them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "routing/compress/byte_ranges.h"

namespace vsr::routing {

struct CompressOptions {
  // At least 1. A hard limit on what `count_tokens` says of the result; without it, on the estimate.
  size_t max_tokens = 512;
  // ISO 639-1, such as "de"; empty: as text::detect_language() says. For a language without a list of function words
  // the text's own frequencies do their work alone.
  std::string language = {};
  // 0 .. 1. Above 0, room in the budget is left empty rather than filled with what does not stand out: a sentence must
  // score at least this share of the best one, protected ones aside. 0 for a picture of the whole text; 0.7 finds the
  // one question in a book (bench/README.md), and keeps little of a text in which nothing stands out.
  double focus = 0;
  // Counts exactly, special tokens included if the limit is meant so. Called on candidates of about the budget's size,
  // never on a whole long text, some ten times at most. What it throws passes through.
  std::function<size_t(std::string_view)> count_tokens = {};
  // Kept before everything else, as far as the budget goes, such as a conversation's last user turn. A sentence that
  // overlaps one is protected. Any order; a range must lie inside the text.
  ByteRanges protected_ranges = {};
};

struct Compressed {
  // The kept ranges, joined by line feeds; the input itself when it fits the budget.
  std::string text = {};
  // In order, disjoint, not empty. Neighbouring sentences are one range with what is between them. A sentence
  // larger than the whole budget is cut between words, a word larger than it between characters: then a range ends
  // there.
  ByteRanges kept = {};
  size_t tokens_before = 0;  // estimated unless the text is short enough to be counted
  size_t tokens_after = 0;   // exact when there is a counter
  bool estimated = false;    // whether tokens_before is an estimate
};

// Deterministic; time grows with the size of the text, whatever it holds. `text` should be UTF-8: ill-formed parts are
// kept as they are. When not even one character meets the limit (or the text is white space only), the result is empty.
// Throws kInvalidArgument for max_tokens 0, a focus that is no share and a protected range outside the text.
// Thread-safe.
Compressed compress(std::string_view text, const CompressOptions& options);

}  // namespace vsr::routing
