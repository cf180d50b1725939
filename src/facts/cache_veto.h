// When a cached answer must not be used although its question is near: what sentence vectors hardly see. Two questions
// conflict if their numbers (with units), negations, opposites ("enable", "disable"), duties and permissions ("must I",
// "may I") or names differ. Rules and word lists are fixed, so the same two texts always get the same verdict; in doubt
// they conflict, which costs a model call and no more.
//
// Numbers are compared in order, as values: "1,000" is "1000", "two" is "2", "5 km" is "5 kilometers" and not "5
// miles". Names are capitalised words inside a sentence (not in German, nor in texts that are all capitals or titles),
// words in capitals, quoted words, identifiers (snake_case, camelCase, GPT4, os.path, a@b.c), katakana words, and
// listed countries, cities, languages, months, weekdays, currencies and products in any case. A name of either text
// must occur in the other, in any case; names of both must come in the same order. Negations are counted; lists:
// cache_veto_words.
//
// Not seen: names in Han characters that are not quoted, lower-case names that are not listed, synonyms of names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/question_modality.h"
#include "facts/question_wording.h"

namespace vsr::facts {

struct VetoTerms {
  std::vector<std::string> numbers;  // in canonical form, in order
  std::vector<std::string> names;    // in lower case, each once, in order
  std::vector<uint64_t> words;       // hashes of all words, ascending
  uint32_t negations = 0;
  std::vector<GroupMember> members;  // of the word groups, ascending
  Modality modality;
  QuestionWording wording;

  size_t bytes() const;
};

// Takes time linear in the text; ill-formed UTF-8 separates words. Thread-safe.
VetoTerms veto_terms(std::string_view text);

struct Veto {
  std::string reason;  // for people: `numbers "5" and "6" differ`
  bool doubt = false;  // a rewording cannot be told from another question: a model may decide; else it must not
};
// Why an answer to one must not be given to the other. Nothing: no conflict. Symmetric but for the words.
std::optional<Veto> veto(const VetoTerms& query, const VetoTerms& cached);

}  // namespace vsr::facts
