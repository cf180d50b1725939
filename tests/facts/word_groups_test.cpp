#include "facts/word_groups.h"

#include <catch2/catch.hpp>

using namespace vsr::facts;

namespace {

bool synonyms(std::string_view a, std::string_view b) {
  for (const GroupMember& x : members_of(word_stem(a))) {
    for (const GroupMember& y : members_of(word_stem(b))) {
      if (x == y) return true;
    }
  }
  return false;
}
bool exclusive(std::string_view a, std::string_view b) {
  for (const GroupMember& x : members_of(word_stem(a))) {
    for (const GroupMember& y : members_of(word_stem(b))) {
      if (x.group == y.group && x.member != y.member) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("word groups: forms of a word have one stem", "[facts]") {
  for (const auto& [a, b] : {std::pair{"close", "closing"},
                             {"closes", "closed"},
                             {"cancel", "cancelled"},
                             {"cancel", "cancellation"},
                             {"pay", "payments"},
                             {"stop", "stopping"},
                             {"city", "cities"},
                             {"safe", "safely"},
                             {"book", "bookings"},
                             {"dress", "dresses"},
                             {"box", "boxes"}}) {
    CHECK(word_stem(a) == word_stem(b));
  }
  for (const auto& [a, b] : {std::pair{"bus", "bu"}, {"gas", "ga"}, {"employer", "employee"}, {"kauf", "käufe"}}) {
    CHECK(word_stem(a) != word_stem(b));
  }
  CHECK(word_stem("").empty());
  CHECK(word_stem("ing") == "ing");
  CHECK(word_stem("größe") == "größe");
}

TEST_CASE("word groups: members of a group exclude each other, words of a member do not", "[facts]") {
  CHECK(exclusive("adults", "children"));
  CHECK(exclusive("left", "right"));
  CHECK(exclusive("correct", "wrong"));  // "right" is in two groups
  CHECK(exclusive("kaufen", "verkaufen"));
  CHECK(synonyms("raising", "increase"));
  CHECK(synonyms("fridge", "refrigerator"));
  CHECK_FALSE(exclusive("raising", "increase"));
  CHECK_FALSE(synonyms("adult", "child"));
  CHECK(members_of("nosuchword").empty());
}

TEST_CASE("word groups: opposites by form", "[facts]") {
  CHECK(opposite_forms("stable", "unstable"));
  CHECK(opposite_forms("underpaid", "overpaid"));
  CHECK(opposite_forms(word_stem("harmful"), word_stem("harmless")));
  CHECK_FALSE(opposite_forms("stable", "stable"));
  CHECK_FALSE(opposite_forms("", "un"));
  CHECK_FALSE(opposite_forms("do", "undo"));  // too short to tell; the list has it
  CHECK_FALSE(opposite_forms("table", "chair"));
}

TEST_CASE("word groups: relations contradict each other along an axis", "[facts]") {
  CHECK(relation_of("to").contradicts(relation_of("from")));
  CHECK(relation_of("vor").contradicts(relation_of("nach")));
  CHECK_FALSE(relation_of("to").contradicts(relation_of("into")));
  CHECK_FALSE(relation_of("of").contradicts(relation_of("of")));
  CHECK_FALSE(relation_of("table"));
  CHECK(particle_of("out").contradicts(particle_of("into")));
  CHECK_FALSE(particle_of("from").contradicts(particle_of("to")));
}

TEST_CASE("word groups: idle words ask and say nothing", "[facts]") {
  for (const char* word : {"how", "please", "tell", "the", "steps", "möchte", "makes"}) CHECK(is_idle(word));
  for (const char* word : {"adult", "left", "translate", "password", "kaufen", "man", "son"})
    CHECK_FALSE(is_idle(word));
}
