// The reference outputs of the tiny models in tests/goldens.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/data.h"
#include "support/temp_folder.h"
#include "text/tokens/tokenizer.h"

namespace vsr::test {

inline const std::vector<std::string> kEmbeddingGoldens{"bert-embedding", "bert-embedding-cls-no-normalize",
                                                        "bert-no-pooler", "bert-odd-head-dim"};
inline const std::vector<std::string> kSequenceGoldens{"bert-sequence", "bert-sequence-sharded",
                                                       "bert-sequence-multilabel", "bert-sequence-one-label"};
inline const std::vector<std::string> kTokenGoldens{"bert-token", "bert-token-bioes", "bert-token-plain"};

inline nlohmann::json golden(const std::string& name) {
  return nlohmann::json::parse(read_file(source_path("tests/goldens/" + name + ".json")));
}

inline std::string golden_model(const std::string& name) { return source_path("tests/goldens/models/" + name); }

// What the reference's tokenizer made of a case's text.
inline text::Encoding golden_encoding(const nlohmann::json& golden_case) {
  text::Encoding encoding;
  encoding.ids = golden_case.at("ids").get<std::vector<int32_t>>();
  encoding.type_ids = golden_case.at("type_ids").get<std::vector<int32_t>>();
  encoding.sides = golden_case.at("sides").get<std::vector<int32_t>>();
  for (const auto& offsets : golden_case.at("offsets")) encoding.offsets.push_back({offsets[0], offsets[1]});
  return encoding;
}

// The largest absolute difference; infinite for ranges of different lengths.
template <class A, class B>
double distance(const A& a, const B& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(difference <= largest)) largest = difference;  // also for NaN
  }
  return largest;
}

}  // namespace vsr::test
