// Ranks short documents for a query text. Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
// Beyond" (2009), with k1 = 1.2, b = 0.75 and Lucene's idf, which is never negative.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vsr::routing {

// Texts are folded (fold.h). Terms are words; in scripts without spaces, pairs of neighbouring characters. English
// function words are no terms unless a document has nothing else. Immutable; any number of threads may ask at once.
class Bm25Index {
 public:
  explicit Bm25Index(std::span<const std::string> documents);

  // One score per document, 0 where no term is shared. A term of the query counts once. Takes linear time.
  std::vector<double> scores(std::string_view query) const;

 private:
  struct Posting {
    uint32_t document;
    double weight;  // what the term adds to the document's score
  };
  struct TermHash {
    using is_transparent = void;
    size_t operator()(std::string_view term) const { return std::hash<std::string_view>()(term); }
  };

  size_t documents_;
  std::unordered_map<std::string, uint32_t, TermHash, std::equal_to<>> terms_;  // index into postings_
  std::vector<std::vector<Posting>> postings_;
};

}  // namespace vsr::routing
