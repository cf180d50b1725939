// Words that tell two questions apart and words that do not: groups of synonyms that exclude each other, words that say
// nothing of what is asked, and words that say how two things are related.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vsr::facts {

// A word without the endings of inflection: "closing", "closed" and "closes" have one stem. English, and plurals.
std::string word_stem(std::string_view lower_word);

// A set of synonyms, which excludes the other members of its group.
struct GroupMember {
  uint16_t group = 0;
  uint16_t member = 0;
  friend auto operator<=>(const GroupMember&, const GroupMember&) = default;
};
// Ascending; a word may mean several things. Thread-safe.
std::span<const GroupMember> members_of(std::string_view stem);

// Whether two stems are opposites by how they are formed: "stable" and "unstable", "overpaid" and "underpaid",
// "employer" and "employee", "useful" and "useless".
bool opposite_forms(std::string_view a, std::string_view b);

// Whether a word says nothing of what is asked: articles, auxiliaries, "please tell me how to".
bool is_idle(std::string_view lower_word);

// A preposition or particle; two contradict each other ("to", "from") if they are on the two sides of an axis.
struct Relation {
  uint16_t left = 0, right = 0;  // sides, a bit for each axis
  explicit operator bool() const { return (left | right) != 0; }
  friend bool operator==(const Relation&, const Relation&) = default;
  bool contradicts(const Relation& other) const { return ((left & other.right) | (right & other.left)) != 0; }
};
Relation relation_of(std::string_view lower_word);
// Of a word that follows a verb ("log out"): only the axes by which verbs change their meaning.
Relation particle_of(std::string_view lower_word);

}  // namespace vsr::facts
