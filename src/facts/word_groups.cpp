#include "facts/word_groups.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace vsr::facts {
namespace {

constexpr std::string_view kGroups =
#include "facts/word_groups.inc"
    ;

constexpr std::string_view kIdle =
    // English: function words, and what requests begin and end with
    "a an the this that these those it its itself is are was were be been being am isn't aren't do does did done doing "
    "don't doesn't didn't have has had having can could will would shall should may might must 'll i me my mine myself "
    "we us our ours you your yours yourself one ones he him his she her hers they them their theirs there here what "
    "what's which who who's whom whose when where where's why how how's so then also too as if of in on at by for from "
    "to into onto about with and or but than per via please pls kindly thanks thank hi hello hey dear ok okay well "
    "tell "
    "explain describe show give know want wants wanna like need needs needed try trying wish hope looking way ways "
    "method methods step steps procedure procedures process possible possibly able ability get gets getting got gonna "
    "going go let lets let's im i'm i'd i've i'll best right proper properly correct correctly good exactly actually "
    "really just simply basically ever any anyone anybody anything some someone somebody something much many lot "
    "wondering wonder question questions ask asking quick help assist assistance advice tip tips info information "
    "details idea say mean recommend recommended suggest suggestion happens happen work works currently now right "
    "supposed allowed permitted okay available take make made find out up "
    // German
    "der das dem des ein eine einen einem einer eines und oder aber ist sind waren sein bist wird "
    "werden wurde kann kannst können könnte könnten muss müssen soll sollte darf dürfen möchte will würde habe "
    "haben hatte ich mich mir du dich dir er sie es wir uns ihr mein meine meinen meinem meiner dein deine deinen "
    "wie was wer wo wann warum wieso welche welcher welches welchen welchem zu zum zur um auf im in am an von vom bei "
    "für mit nach aus über so denn mal bitte danke hallo geht gibt gibt's sage sagen erkläre erklären zeige "
    "zeigen hilf helfen weg möglichkeit möglich am besten "
    // French, Spanish
    "le la les l' un une des du de et ou est sont être je j' me mon ma mes te ta il elle on nous vous puis peux "
    "peut comment quel quelle quels quelles que qu' qui quand où pourquoi pour dans sur en au aux à ce cette s'il "
    "plaît "
    "el los las una unos unas y o es estar ser yo mi mis tú su sus puedo puede cómo cuál cuáles qué cuándo dónde "
    "quién para por del al se favor";

// Prepositions and particles whose sides exclude each other. An axis with one side only names a role.
constexpr std::array<std::string_view, 2> kRelations[] = {
    {"to into onto toward towards nach zu zum zur ins à vers hacia", "from out off von vom aus depuis desde"},
    {"in into", "out"},
    {"on an", "off aus"},
    {"up", "down"},
    {"over above über", "under below beneath unter"},
    {"before vor avant antes", "after nach après después"},
    {"with mit avec con", "without ohne sans sin"},
    {"for für pour por", "against gegen contre contra"},
    {"inside", "outside"},
    {"of", ""},
    {"than als", ""},
    {"by durch", ""},
    {"if when wenn falls", ""},
};

// A word with the first prefix against the same word with the second; "" is the word itself.
constexpr std::array<std::string_view, 2> kPrefixes[] = {
    {"", "un"},         {"", "in"},         {"", "im"},        {"", "il"},
    {"", "ir"},         {"", "dis"},        {"", "non"},       {"", "mis"},
    {"", "de"},         {"", "anti"},       {"", "counter"},   {"over", "under"},
    {"up", "down"},     {"pre", "post"},    {"hyper", "hypo"}, {"macro", "micro"},
    {"inter", "intra"}, {"in", "out"},      {"in", "ex"},      {"im", "ex"},
    {"en", "dis"},      {"pro", "anti"},    {"mono", "poly"},  {"fore", "back"},
    {"on", "off"},      {"sub", "super"},   {"maxi", "mini"},  {"indoor", "outdoor"},
    {"east", "west"},   {"north", "south"}, {"in", "de"},      {"an", "ab"},
    {"ein", "aus"},     {"auf", "zu"},      {"be", "ent"},     {"up", "under"},
    {"man", "woman"},   {"grand", ""},      {"step", ""},      {"ver", ""},
};
constexpr std::array<std::string_view, 2> kSuffixes[] = {
    {"ful", "les"}, {"", "les"}, {"y", "les"}, {"er", "ee"}, {"or", "ee"},
};

constexpr std::array<std::string_view, 2> kIrregular[] = {
    {"children", "child"}, {"men", "man"},    {"women", "woman"}, {"people", "person"}, {"feet", "foot"},
    {"teeth", "tooth"},    {"mice", "mouse"}, {"wives", "wife"},  {"lives", "life"},    {"knives", "knife"},
};

// Endings of inflection and of words made of words; the longest first. What is left has three letters or more.
constexpr std::string_view kEndings[] = {"ations", "ation", "ments", "ment", "nesses", "ness", "ings",
                                         "ing",    "ions",  "ion",   "edly", "ies",    "ied",  "ily",
                                         "ed",     "es",    "ly",    "s",    "e",      "y"};

bool is_vowel(char c) { return std::string_view("aeiouy").find(c) != std::string_view::npos; }

template <class Body>
void each_word(std::string_view list, const Body& body) {
  while (!list.empty()) {
    const size_t end = std::min(list.find(' '), list.size());
    if (end > 0) body(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

template <class Body>
void each_part(std::string_view text, char separator, const Body& body) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    body(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

using Members = std::unordered_map<std::string, std::vector<GroupMember>>;

Members read_groups() {
  Members members;
  uint16_t group = 0;
  each_part(kGroups, '\n', [&](std::string_view line) {
    if (line.empty() || line[0] == '#') return;
    uint16_t member = 0;
    each_part(line, '|', [&](std::string_view words) {
      each_word(words, [&](std::string_view word) {
        auto& list = members[word_stem(word)];
        if (list.empty() || list.back() != GroupMember{group, member}) list.push_back({group, member});
      });
      ++member;
    });
    ++group;
  });
  return members;
}

bool affixed(std::string_view a, std::string_view b, std::string_view first, std::string_view second, bool in_front) {
  const auto has = [&](std::string_view word, std::string_view affix) {
    return in_front ? word.starts_with(affix) : word.ends_with(affix);
  };
  if (!has(a, first) || !has(b, second) || a.size() < first.size() + 3 || b.size() < second.size() + 3) return false;
  if (in_front) return a.substr(first.size()) == b.substr(second.size());
  return a.substr(0, a.size() - first.size()) == b.substr(0, b.size() - second.size());
}

}  // namespace

std::string word_stem(std::string_view word) {
  for (const auto& [plural, singular] : kIrregular) {
    if (word == plural) return word_stem(singular);
  }
  if (word.size() < 4 || !std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; })) {
    return std::string(word);
  }
  for (const std::string_view ending : kEndings) {
    if (!word.ends_with(ending) || word.size() < ending.size() + 3) continue;
    if (ending == "s" && (word.ends_with("ss") || word.ends_with("us") || word.ends_with("is"))) continue;
    std::string_view rest = word.substr(0, word.size() - ending.size());
    if (std::none_of(rest.begin(), rest.end(), is_vowel)) continue;
    const size_t n = rest.size();
    const bool doubled = n > 3 && rest[n - 1] == rest[n - 2] && !is_vowel(rest[n - 1]);
    if (doubled) rest.remove_suffix(1);
    // "Payments" and "safely" lose one ending after another.
    const bool outer = ending == "s" || ending == "ly" || ending == "ment" || ending == "ments";
    return outer ? word_stem(rest) : std::string(rest);
  }
  std::string_view rest = word;
  const size_t n = rest.size();
  if (n > 4 && rest[n - 1] == rest[n - 2] && !is_vowel(rest[n - 1])) rest.remove_suffix(1);
  return std::string(rest);
}

std::span<const GroupMember> members_of(std::string_view stem) {
  static const Members members = read_groups();
  const auto found = members.find(std::string(stem));
  return found == members.end() ? std::span<const GroupMember>{} : found->second;
}

bool opposite_forms(std::string_view a, std::string_view b) {
  const auto any = [&](const auto& affixes, bool in_front) {
    return std::any_of(std::begin(affixes), std::end(affixes), [&](const auto& affix) {
      return affixed(a, b, affix[0], affix[1], in_front) || affixed(b, a, affix[0], affix[1], in_front);
    });
  };
  return any(kPrefixes, true) || any(kSuffixes, false);
}

bool is_idle(std::string_view word) {
  // Of each stem the shortest word: longer ones are its forms, and "man" is no form of "many".
  static const std::unordered_map<std::string, size_t> lengths = [] {
    std::unordered_map<std::string, size_t> idle;
    each_word(kIdle, [&](std::string_view one) {
      const auto [found, added] = idle.emplace(word_stem(one), one.size());
      found->second = std::min(found->second, one.size());
    });
    return idle;
  }();
  const auto found = lengths.find(word_stem(word));
  return found != lengths.end() && found->second <= word.size();
}

Relation relation_of(std::string_view word) {
  static const std::unordered_map<std::string_view, Relation> relations = [] {
    std::unordered_map<std::string_view, Relation> known;
    uint16_t axis = 1;
    for (const auto& [left, right] : kRelations) {
      each_word(left, [&](std::string_view one) { known[one].left |= axis; });
      each_word(right, [&](std::string_view one) { known[one].right |= axis; });
      axis = static_cast<uint16_t>(axis << 1);
    }
    return known;
  }();
  const auto found = relations.find(word);
  return found == relations.end() ? Relation{} : found->second;
}

Relation particle_of(std::string_view word) {
  constexpr uint16_t kAxes = 0b1110;  // in and out, on and off, up and down
  Relation relation = relation_of(word);
  relation.left &= kAxes;
  relation.right &= kAxes;
  return relation;
}

}  // namespace vsr::facts
