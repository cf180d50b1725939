// Personal data found in a text, by a model or by a pattern.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::facts {

struct PiiEntity {
  std::string type;  // Presidio's names: EMAIL_ADDRESS, CREDIT_CARD, PERSON, ...
  size_t begin = 0;  // bytes, end exclusive
  size_t end = 0;
  double score = 0;        // 0 .. 1
  bool validated = false;  // a pattern whose checksum or grammar holds
};

// How models and rules name a type alike: upper case, without a tag's "B-" or "I-", other names by Presidio's ("EMAIL"
// is "EMAIL_ADDRESS", "DOMAIN_NAME" is "URL").
std::string canonical_pii_type(std::string_view type);

// One list of what models and patterns found, in the order of the text. Overlapping entities of one type become one,
// with the greater score. One that lies inside a validated entity of another type is dropped, since the validated type
// explains it; otherwise both stay, so that no type goes unnoticed. Takes time n log n.
std::vector<PiiEntity> merge_entities(std::vector<PiiEntity> entities);

}  // namespace vsr::facts
