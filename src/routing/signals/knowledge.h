// A knowledge base: labels by example texts, and groups of labels.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "routing/config/knowledge_base.h"
#include "routing/intents/candidate_bank.h"

namespace vsr::routing {

// The score of a label is the cosine of its nearest example, that of a group its best label's. Immutable.
class Knowledge {
 public:
  // Reads the base's file and adds the examples to the bank. Throws what reading files throws, kParse for a file that
  // is no manifest and for a group with a label that the file does not have, each with the base's place.
  Knowledge(const KnowledgeBase& base, CandidateBank& bank);

  struct Scores {
    std::map<std::string, double> labels, groups;
    std::string best_label, best_group;  // of equals the first by name
  };
  // `similarities` is one row of CandidateBank::similarities().
  Scores scores(const std::vector<float>& similarities) const;
  double threshold_of(const std::string& label) const;
  bool has_label(const std::string& label) const { return examples_.contains(label); }
  // Labels of a group that reach their thresholds.
  std::vector<std::string> reached(const Scores& scores, const std::string& group) const;
  // best_score, best_matched_score (of labels that reach their thresholds, else 0), or a metric of the base.
  double metric(const Scores& scores, const std::string& name) const;
  const KnowledgeBase& base() const { return base_; }

 private:
  const KnowledgeBase& base_;
  std::map<std::string, std::vector<uint32_t>> examples_;  // by label, into the bank
};

}  // namespace vsr::routing
