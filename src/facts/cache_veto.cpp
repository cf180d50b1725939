#include "facts/cache_veto.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <unordered_set>
#include <utility>

#include "facts/cache_veto_tokens.h"
#include "facts/cache_veto_words.h"

namespace vsr::facts {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// German: where function words of its own are frequent.
bool is_german(const std::vector<VetoToken>& tokens) {
  const auto count = static_cast<size_t>(std::count_if(tokens.begin(), tokens.end(), [](const VetoToken& token) {
    return veto_word(token.text).kind == VetoWord::kGerman;
  }));
  return count >= 2 && count * 7 >= tokens.size();
}

// A text whose capitals say nothing: all in capitals, a title, or German, where every noun has one.
bool capitals_mean_nothing(const std::vector<VetoToken>& tokens) {
  size_t lower = 0, long_words = 0, long_lower = 0;
  for (const VetoToken& token : tokens) {
    const bool is_lower = token.letters && token.form == VetoToken::kLower;
    lower +=
        token.form == VetoToken::kMixed || is_lower || (token.form == VetoToken::kCapitalised && token.text.size() > 1);
    long_words += token.letters && token.text.size() >= 4;
    long_lower += is_lower && token.text.size() >= 4;
  }
  return lower == 0 || (long_words >= 5 && long_lower == 0) || is_german(tokens);
}

// "1,234.50" is "1234.5"; a single comma before three digits groups, a single point never does.
std::string canonical_number(std::string_view text) {
  const auto count = [&](char c) { return std::count(text.begin(), text.end(), c); };
  const size_t comma = text.rfind(','), point = text.rfind('.');
  if (count('.') > 1 && count(',') == 0) return std::string(text);  // a version, an address, a date
  size_t decimal = point;
  if (comma != text.npos) {
    const bool groups = count(',') > 1 || text.size() - comma == 4;
    if (point == text.npos) {
      decimal = groups ? text.npos : comma;
    } else {
      decimal = std::max(comma, point);
    }
  }
  std::string whole, fraction;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_digit(text[i])) (decimal != text.npos && i > decimal ? fraction : whole) += text[i];
  }
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  // Longer numbers with a zero in front are codes.
  if (whole.size() == 2 && whole[0] == '0') whole.erase(0, 1);
  return fraction.empty() ? whole : whole + "." + fraction;
}

// Without the ends and beginnings that languages tie to a word: 's, 'm, 're; l', d', qu'.
std::string_view bare_word(std::string_view word) {
  const size_t apostrophe = word.find('\'');
  if (apostrophe == word.npos || word.ends_with("n't")) return word;
  return word.size() - apostrophe <= 3 ? word.substr(0, apostrophe) : word.substr(apostrophe + 1);
}

size_t occurrences(std::string_view text, std::string_view part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

bool is_asking(std::string_view word) {
  constexpr std::string_view kAsking[] = {"which", "what", "many", "much", "welchem", "welchen", "viele", "combien"};
  return std::find(std::begin(kAsking), std::end(kAsking), word) != std::end(kAsking);
}

// "e.g" and "p.m", in contrast to "os.path".
bool is_abbreviation(std::string_view word) {
  for (size_t i = 0; i < word.size(); ++i) {
    if ((word[i] == '.') != (i % 2 == 1)) return false;
  }
  return word.size() > 1;
}

// German words without a meaning of their own that are English words with one.
bool is_german_idle(std::string_view word) {
  constexpr std::string_view kWords[] = {"die", "den", "war", "man", "hat", "bin"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// "Which date" and "what time" say no more than "when".
bool is_asked_for(std::string_view word) {
  constexpr std::string_view kWords[] = {"date", "time", "place", "reason", "kind", "tag", "uhr", "ort"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

class Collector {
 public:
  explicit Collector(std::string_view text)
      : tokens_(veto_tokens(text)), plain_(capitals_mean_nothing(tokens_)), german_(is_german(tokens_)) {}

  VetoTerms run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      const VetoToken& token = tokens_[at_];
      word(token.text);
      if (token.digits) {
        with_digits(token);
      } else {
        without_digits(token);
      }
    }
    terms_.modality = question_modality(tokens_);
    std::sort(terms_.words.begin(), terms_.words.end());
    terms_.words.erase(std::unique(terms_.words.begin(), terms_.words.end()), terms_.words.end());
    terms_.words.shrink_to_fit();
    terms_.wording.shrink_to_fit();
    std::sort(terms_.members.begin(), terms_.members.end());
    terms_.members.erase(std::unique(terms_.members.begin(), terms_.members.end()), terms_.members.end());
    return std::move(terms_);
  }

 private:
  void word(std::string_view text) { terms_.words.push_back(std::hash<std::string_view>()(text)); }

  void name(std::string_view text) {
    if (text.empty()) return;
    word(text);
    if (known_.emplace(text).second) terms_.names.emplace_back(text);
  }

  // With the unit before it ("$5") or after it ("5 km").
  void number(std::string value, std::string_view unit = {}) {
    if (unit.empty() && at_ + 1 < tokens_.size()) {
      const VetoWord next = veto_word(tokens_[at_ + 1].text);
      if (next.kind == VetoWord::kUnit) {
        unit = next.canonical;
        word(tokens_[++at_].text);
      }
    }
    if (unit.empty()) unit = sign_;
    sign_ = {};
    terms_.wording.gap();
    if (!unit.empty()) word(unit);
    terms_.numbers.push_back(unit.empty() ? value : value + " " + std::string(unit));
  }

  void with_digits(const VetoToken& token) {
    const std::string_view text = token.text;
    const size_t end = std::min(text.find_first_not_of("0123456789.,'"), text.size());
    const std::string_view digits = text.substr(0, end), rest = text.substr(end);
    const std::string value = (token.negative ? "-" : "") + canonical_number(digits);
    if (rest.empty()) return number(value);
    if (digits.empty() || !is_digit(digits.front())) return name(text);
    if (rest == "st" || rest == "nd" || rest == "rd" || rest == "th") return number(value + "th");
    const VetoWord unit = veto_word(rest);
    if (unit.kind == VetoWord::kUnit) return number(value, unit.canonical);
    name(text);
  }

  void without_digits(const VetoToken& token) {
    const std::string_view text = bare_word(token.text);
    const VetoWord listed = veto_word(text);
    if (text != token.text) word(text);
    if (text.ends_with("n't")) ++terms_.negations;
    if (token.hiragana) count_endings(text);
    if (listed.kind != VetoWord::kNumber && listed.kind != VetoWord::kUnit) {
      wording(token, text, listed.kind == VetoWord::kNegation);
    }
    switch (listed.kind) {
      case VetoWord::kNegation:
        ++terms_.negations;
        break;
      case VetoWord::kNumber:
        return spelled_number(listed.canonical);
      case VetoWord::kUnit:
        return unit(token, listed.canonical);
      default:
        break;
    }
    if (is_name(token, listed)) name(text);
  }

  // Negations are counted by themselves.
  void wording(const VetoToken& token, std::string_view text, bool idle) {
    idle = idle || (german_ && is_german_idle(text));
    idle = idle || (at_ > 0 && is_asked_for(text) && is_asking(tokens_[at_ - 1].text));
    const auto members = members_of(word_stem(text));
    terms_.members.insert(terms_.members.end(), members.begin(), members.end());
    terms_.wording.add(text, token.text.ends_with("'s") && text != token.text, idle);
  }

  // "Twenty-five" is 25.
  void spelled_number(std::string_view digits) {
    const bool joins = last_tens_ + 1 == at_ && at_ > 0 && digits.size() == 1 && digits != "0";
    if (joins && terms_.numbers.back().size() == 2) {
      terms_.numbers.back()[1] = digits[0];
      if (at_ + 1 < tokens_.size() && veto_word(tokens_[at_ + 1].text).kind == VetoWord::kUnit) {
        std::string whole = std::move(terms_.numbers.back());
        terms_.numbers.pop_back();
        number(std::move(whole));
      }
      return;
    }
    if (digits.size() == 2 && digits[0] >= '2' && digits[1] == '0') last_tens_ = at_;
    number(std::string(digits));
  }

  // A unit without a number before it. Short ones are words of their own ("am", "in", "s").
  void unit(const VetoToken& token, std::string_view canonical) {
    word(canonical);
    const bool before_number = at_ + 1 < tokens_.size() && tokens_[at_ + 1].digits;
    const bool asked_for = at_ > 0 && is_asking(tokens_[at_ - 1].text);  // "how many days", "in which year"
    if (!token.letters && before_number) {
      sign_ = canonical;
      return;
    }
    wording(token, token.text, true);
    if (token.text.size() > 3 && !asked_for) name(canonical);
  }

  void count_endings(std::string_view hiragana) {
    for (const std::string_view ending : {"ない", "ません", "なし"}) {
      if (hiragana != ending) terms_.negations += static_cast<uint32_t>(occurrences(hiragana, ending));
    }
  }

  bool is_name(const VetoToken& token, const VetoWord& listed) const {
    if (token.quoted || listed.kind == VetoWord::kName) return true;
    const bool marked = token.text.find_first_of("_.@+#") != std::string::npos;
    if (marked && token.letters && !is_abbreviation(token.text)) return true;
    if (token.katakana && token.text.size() > 3) return true;
    if (plain_ || listed.kind == VetoWord::kStarter) return false;
    if (token.form != VetoToken::kCapitalised) return token.form != VetoToken::kLower;
    if (!token.sentence_start) return true;
    const bool last = at_ + 1 == tokens_.size() || tokens_[at_ + 1].sentence_start;
    return !last && tokens_[at_ + 1].form != VetoToken::kLower &&
           veto_word(tokens_[at_ + 1].text).kind != VetoWord::kStarter;
  }

  std::vector<VetoToken> tokens_;
  bool plain_, german_;
  VetoTerms terms_;
  std::unordered_set<std::string> known_;
  std::string_view sign_;  // of a currency, before its number
  size_t at_ = 0;
  size_t last_tens_ = static_cast<size_t>(-2);
};

bool has_word(const VetoTerms& terms, const std::string& name) {
  return std::binary_search(terms.words.begin(), terms.words.end(), std::hash<std::string_view>()(name));
}

std::optional<std::string> missing_name(const VetoTerms& from, const VetoTerms& in, const char* where) {
  for (const std::string& name : from.names) {
    if (!has_word(in, name)) return "name \"" + name + "\" is not in the " + where;
  }
  return std::nullopt;
}

// Those of a's names that b has as names too, in a's order.
std::vector<std::string_view> shared_names(const VetoTerms& a, const VetoTerms& b) {
  const std::unordered_set<std::string_view> others(b.names.begin(), b.names.end());
  std::vector<std::string_view> shared;
  std::copy_if(a.names.begin(), a.names.end(), std::back_inserter(shared),
               [&](const std::string& name) { return others.contains(name); });
  return shared;
}

std::string first_difference(const VetoTerms& query, const VetoTerms& cached) {
  const auto at = [](const VetoTerms& terms, size_t i) {
    return i < terms.numbers.size() ? "\"" + terms.numbers[i] + "\"" : std::string("none");
  };
  size_t i = 0;
  while (at(query, i) == at(cached, i)) ++i;
  return "numbers differ: " + at(query, i) + " and " + at(cached, i);
}

// Groups of which each text names a member that the other does not.
bool exclude_each_other(std::span<const GroupMember> a, std::span<const GroupMember> b) {
  std::vector<GroupMember> only_a, only_b;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only_a));
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only_b));
  for (auto x = only_a.begin(), y = only_b.begin(); x != only_a.end() && y != only_b.end();) {
    if (x->group == y->group) return true;
    x->group < y->group ? ++x : ++y;
  }
  return false;
}

Veto refused(std::string reason) { return {std::move(reason), false}; }

}  // namespace

size_t VetoTerms::bytes() const {
  size_t total = words.capacity() * sizeof(uint64_t) + members.capacity() * sizeof(GroupMember) + wording.bytes();
  for (const auto* list : {&numbers, &names}) {
    for (const std::string& term : *list) total += sizeof(std::string) + term.capacity();
  }
  return total;
}

VetoTerms veto_terms(std::string_view text) { return Collector(text).run(); }

std::optional<Veto> veto(const VetoTerms& query, const VetoTerms& cached) {
  if (query.numbers != cached.numbers) return refused(first_difference(query, cached));
  if (query.negations != cached.negations) {
    return refused("negations differ: " + std::to_string(query.negations) + " and " + std::to_string(cached.negations));
  }
  if (exclude_each_other(query.members, cached.members)) return refused("one says the opposite of the other");
  if (query.modality.contradicts(cached.modality)) {
    return refused("duty, permission and prohibition are not the same");
  }
  if (auto missing = missing_name(query, cached, "cached question")) return refused(std::move(*missing));
  if (auto missing = missing_name(cached, query, "question")) return refused(std::move(*missing));
  if (shared_names(query, cached) != shared_names(cached, query)) return refused("names are in another order");
  if (auto difference = compare_wording(query.wording, cached.wording)) {
    return Veto{std::move(difference->reason), difference->doubt};
  }
  return std::nullopt;
}

}  // namespace vsr::facts
