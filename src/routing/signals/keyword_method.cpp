#include "routing/signals/keyword_method.h"

#include <algorithm>
#include <set>

#include "base/checkpoint.h"
#include "facts/words.h"
#include "routing/signals/bm25.h"
#include "routing/signals/user_pattern.h"
#include "routing/signals/word_similarity.h"

namespace vsr::routing {
namespace {

class Literal : public KeywordMethod {
 public:
  Literal(const KeywordRule& rule, const FoldedKeywords& keywords)
      : case_sensitive_(rule.case_sensitive), ids_(keywords.ids) {}

  KeywordHits match(KeywordText& text) const override {
    const std::vector<bool>& found = text.found(case_sensitive_);
    KeywordHits hits;
    for (size_t i = 0; i < ids_.size(); ++i) {
      if (found[ids_[i]]) hits.matched.push_back(static_cast<uint32_t>(i));
    }
    return hits;
  }

 private:
  bool case_sensitive_;
  std::vector<uint32_t> ids_;
};

// A keyword that is compared with stretches of as many words as it has itself.
struct WindowKeyword {
  explicit WindowKeyword(const std::string& text)
      : characters(code_points(text)), words(std::max<size_t>(1, facts::count_words(text))) {}
  std::u32string characters;
  size_t words;
};

std::vector<WindowKeyword> window_keywords(const FoldedKeywords& keywords) {
  return {keywords.texts.begin(), keywords.texts.end()};
}

// What occurs as it is written, and what is at most some edits away.
class Fuzzy : public KeywordMethod {
 public:
  Fuzzy(const KeywordRule& rule, const FoldedKeywords& keywords)
      : literal_(rule, keywords), case_sensitive_(rule.case_sensitive), keywords_(window_keywords(keywords)) {
    const auto threshold = static_cast<size_t>(std::max(0, rule.fuzzy_threshold));
    for (const WindowKeyword& keyword : keywords_) {
      limits_.push_back(allowed_edits(keyword.characters.size(), threshold));
    }
  }

  KeywordHits match(KeywordText& text) const override {
    const KeywordHits exact = literal_.match(text);
    std::vector<bool> matched(keywords_.size(), false);
    for (const uint32_t i : exact.matched) matched[i] = true;
    std::set<size_t> word_counts;
    for (size_t i = 0; i < keywords_.size(); ++i) {
      if (!matched[i] && limits_[i] > 0) word_counts.insert(keywords_[i].words);
    }
    base::Checkpoint work;
    for (const size_t words : word_counts) {
      text.each_window(words, case_sensitive_, [&](const std::u32string& window) {
        work.add(keywords_.size() * window.size());
        return compare(window, words, matched);
      });
    }
    KeywordHits hits;
    for (uint32_t i = 0; i < keywords_.size(); ++i) {
      if (matched[i]) hits.matched.push_back(i);
    }
    return hits;
  }

 private:
  // Whether a keyword of `words` words has not matched yet.
  bool compare(const std::u32string& window, size_t words, std::vector<bool>& matched) const {
    bool goes_on = false;
    for (size_t i = 0; i < keywords_.size(); ++i) {
      if (matched[i] || limits_[i] == 0 || keywords_[i].words != words) continue;
      matched[i] = within_edit_distance(keywords_[i].characters, window, limits_[i]);
      goes_on = goes_on || !matched[i];
    }
    return goes_on;
  }

  Literal literal_;
  bool case_sensitive_;
  std::vector<WindowKeyword> keywords_;
  std::vector<size_t> limits_;  // edits at which a window is still the keyword
};

KeywordHits above_threshold(const std::vector<double>& scores, double threshold) {
  KeywordHits hits;
  for (size_t i = 0; i < scores.size(); ++i) {
    hits.best = std::max(hits.best, scores[i]);
    // A threshold of 0 asks for something in common, not for nothing.
    if (scores[i] > 0 && scores[i] >= threshold) hits.matched.push_back(static_cast<uint32_t>(i));
  }
  return hits;
}

class NgramMethod : public KeywordMethod {
 public:
  NgramMethod(const KeywordRule& rule, const FoldedKeywords& keywords)
      : case_sensitive_(rule.case_sensitive),
        threshold_(rule.ngram_threshold),
        arity_(static_cast<size_t>(std::clamp(rule.ngram_arity, 1, kMaxArity))),
        keywords_(window_keywords(keywords)) {
    for (const WindowKeyword& keyword : keywords_) {
      grams_.emplace_back(keyword.characters, arity_);
      if (std::find(word_counts_.begin(), word_counts_.end(), keyword.words) == word_counts_.end()) {
        word_counts_.push_back(keyword.words);
      }
    }
  }

  KeywordHits match(KeywordText& text) const override {
    std::vector<double> scores(keywords_.size(), 0);
    base::Checkpoint work;
    for (const size_t words : word_counts_) {
      text.each_window(words, case_sensitive_, [&](const std::u32string& window) {
        work.add((keywords_.size() + arity_) * window.size());
        compare(window, words, scores);
        return true;
      });
    }
    return above_threshold(scores, threshold_);
  }

 private:
  static constexpr int kMaxArity = 16;

  void compare(const std::u32string& window, size_t words, std::vector<double>& scores) const {
    const Ngrams grams(window, arity_);
    for (size_t i = 0; i < keywords_.size(); ++i) {
      if (keywords_[i].words == words) scores[i] = std::max(scores[i], grams_[i].similarity(grams));
    }
  }

  bool case_sensitive_;
  double threshold_;
  size_t arity_;
  std::vector<WindowKeyword> keywords_;
  std::vector<Ngrams> grams_;
  std::vector<size_t> word_counts_;  // those that occur among the keywords
};

class Bm25Method : public KeywordMethod {
 public:
  Bm25Method(const KeywordRule& rule, const FoldedKeywords& keywords)
      : case_sensitive_(rule.case_sensitive), threshold_(rule.bm25_threshold), index_(keywords.texts) {}

  KeywordHits match(KeywordText& text) const override {
    return above_threshold(index_.scores(text.folded(case_sensitive_)), threshold_);
  }

 private:
  bool case_sensitive_;
  double threshold_;
  Bm25Index index_;
};

class RegexMethod : public KeywordMethod {
 public:
  explicit RegexMethod(const KeywordRule& rule) {
    for (const std::string& pattern : rule.keywords) {
      patterns_.emplace_back(pattern, rule.case_sensitive, "keyword rule \"" + rule.name + "\"");
    }
  }

  KeywordHits match(KeywordText& text) const override {
    KeywordHits hits;
    for (size_t i = 0; i < patterns_.size(); ++i) {
      if (patterns_[i].matches(text.raw())) hits.matched.push_back(static_cast<uint32_t>(i));
    }
    return hits;
  }

 private:
  std::vector<UserPattern> patterns_;
};

}  // namespace

std::unique_ptr<const KeywordMethod> make_literal_method(const KeywordRule& rule, const FoldedKeywords& keywords) {
  return std::make_unique<Literal>(rule, keywords);
}

std::unique_ptr<const KeywordMethod> make_fuzzy_method(const KeywordRule& rule, const FoldedKeywords& keywords) {
  return std::make_unique<Fuzzy>(rule, keywords);
}

std::unique_ptr<const KeywordMethod> make_ngram_method(const KeywordRule& rule, const FoldedKeywords& keywords) {
  return std::make_unique<NgramMethod>(rule, keywords);
}

std::unique_ptr<const KeywordMethod> make_bm25_method(const KeywordRule& rule, const FoldedKeywords& keywords) {
  return std::make_unique<Bm25Method>(rule, keywords);
}

std::unique_ptr<const KeywordMethod> make_regex_method(const KeywordRule& rule) {
  return std::make_unique<RegexMethod>(rule);
}

}  // namespace vsr::routing
