#include "facts/question_wording.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace vsr::facts {
namespace {

using Words = std::span<const QuestionWord>;

// The most words that two otherwise equal questions say differently in one place.
constexpr size_t kOnePlace = 3;

bool share_member(const QuestionWord& a, const QuestionWord& b) {
  return std::any_of(a.members.begin(), a.members.end(), [&](const GroupMember& member) {
    return std::find(b.members.begin(), b.members.end(), member) != b.members.end();
  });
}
bool same_stem(const QuestionWord& a, const QuestionWord& b) { return a.hash == b.hash && a.stem == b.stem; }
bool same(const QuestionWord& a, const QuestionWord& b) { return same_stem(a, b) || share_member(a, b); }

WordingDifference other_question(std::string reason) { return {std::move(reason), false}; }
std::string quoted(const QuestionWord& word) { return "\"" + word.word + "\""; }

// Which word of one question says what a word of the other does.
class Comparison {
 public:
  Comparison(Words a, Words b) : a_(a), b_(b), partner_a_(a.size(), kNone), partner_b_(b.size(), kNone) {
    pair_up(same_stem);
    pair_up(share_member);
  }

  std::optional<WordingDifference> run() const {
    if (auto found = opposites()) return found;
    if (auto found = turned_relation()) return found;
    if (auto found = exchanged_roles()) return found;
    if (auto found = exchanged_places()) return found;
    if (auto found = change_in_one_place()) return found;
    if (auto found = change_word_by_word()) return found;
    return unmatched();
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  template <class Same>
  void pair_up(const Same& test) {
    for (size_t i = 0; i < a_.size(); ++i) {
      if (a_[i].idle || partner_a_[i] != kNone) continue;
      for (size_t j = 0; j < b_.size(); ++j) {
        if (b_[j].idle || partner_b_[j] != kNone || !test(a_[i], b_[j])) continue;
        partner_a_[i] = j;
        partner_b_[j] = i;
        break;
      }
    }
  }
  bool alone_a(size_t i) const { return !a_[i].idle && partner_a_[i] == kNone; }
  bool alone_b(size_t j) const { return !b_[j].idle && partner_b_[j] == kNone; }

  std::optional<WordingDifference> opposites() const {
    for (size_t i = 0; i < a_.size(); ++i) {
      for (size_t j = 0; alone_a(i) && j < b_.size(); ++j) {
        if (alone_b(j) && opposite_forms(a_[i].stem, b_[j].stem)) {
          return other_question(quoted(a_[i]) + " is the opposite of " + quoted(b_[j]));
        }
      }
    }
    return std::nullopt;
  }

  // "From savings" against "to savings"; "log in" against "log out".
  std::optional<WordingDifference> turned_relation() const {
    for (size_t i = 0; i < a_.size(); ++i) {
      if (partner_a_[i] == kNone) continue;
      const QuestionWord &x = a_[i], &y = b_[partner_a_[i]];
      if (x.before.contradicts(y.before) || x.particle.contradicts(y.particle)) {
        return other_question(quoted(x) + " is related otherwise");
      }
    }
    return std::nullopt;
  }

  // "A over B" against "B over A": each has in one text the role that the other has in the other.
  std::optional<WordingDifference> exchanged_roles() const {
    for (size_t i = 0; i < a_.size(); ++i) {
      for (size_t k = i + 1; partner_a_[i] != kNone && k < a_.size(); ++k) {
        if (partner_a_[k] == kNone) continue;
        const QuestionWord &x = a_[i], &y = a_[k], &x2 = b_[partner_a_[i]], &y2 = b_[partner_a_[k]];
        const bool roles = !(x.before == y.before) && x.before == y2.before && y.before == x2.before;
        const bool owners = x.owns != y.owns && x.owns == y2.owns && y.owns == x2.owns;
        if (!same(x, y) && (roles || owners)) return exchanged(x, y);
      }
    }
    return std::nullopt;
  }

  // "My dog bites a man" against "a man bites my dog": two words change places, and no other word is said.
  std::optional<WordingDifference> exchanged_places() const {
    if (a_.size() != b_.size() || idle_words(a_) != idle_words(b_)) return std::nullopt;
    std::vector<const QuestionWord*> moved;
    for (size_t i = 0, j = 0;; ++i, ++j) {
      while (i < a_.size() && a_[i].idle) ++i;
      while (j < b_.size() && b_[j].idle) ++j;
      if (i >= a_.size() || j >= b_.size()) break;
      if (same(a_[i], b_[j])) continue;
      if (moved.size() == 4) return std::nullopt;
      moved.insert(moved.end(), {&a_[i], &b_[j]});
    }
    if (moved.size() != 4 || !same(*moved[0], *moved[3]) || !same(*moved[1], *moved[2])) return std::nullopt;
    // "From A to B" and "to B from A" say the same.
    const bool kept = moved[0]->before == moved[3]->before && moved[1]->before == moved[2]->before;
    if (kept && (moved[0]->before || moved[1]->before)) return std::nullopt;
    return exchanged(*moved[0], *moved[2]);
  }
  static std::vector<std::string_view> idle_words(Words words) {
    std::vector<std::string_view> idle;
    for (const QuestionWord& word : words) {
      if (word.idle) idle.push_back(word.word);
    }
    std::sort(idle.begin(), idle.end());
    return idle;
  }
  static WordingDifference exchanged(const QuestionWord& x, const QuestionWord& y) {
    return other_question(quoted(x) + " and " + quoted(y) + " have changed places");
  }

  // All is the same but for a few words in one place.
  std::optional<WordingDifference> change_in_one_place() const {
    const size_t shorter = std::min(a_.size(), b_.size());
    size_t begin = 0, end = 0;
    while (begin < shorter && same(a_[begin], b_[begin])) ++begin;
    while (end < shorter - begin && same(a_[a_.size() - 1 - end], b_[b_.size() - 1 - end])) ++end;
    const size_t end_a = a_.size() - end, end_b = b_.size() - end;
    if (begin + end == 0 || end_a - begin > kOnePlace || end_b - begin > kOnePlace) return std::nullopt;
    size_t only_a = kNone, only_b = kNone;
    for (size_t i = end_a; i-- > begin;) only_a = alone_a(i) ? i : only_a;
    for (size_t j = end_b; j-- > begin;) only_b = alone_b(j) ? j : only_b;
    if (only_a == kNone && only_b == kNone) return std::nullopt;
    if (only_a == kNone) return other_question("only one says " + quoted(b_[only_b]));
    if (only_b == kNone) return other_question("only one says " + quoted(a_[only_a]));
    return other_question(quoted(a_[only_a]) + " is in the place of " + quoted(b_[only_b]));
  }

  // The same number of words, and where two differ, both say what the other text does not.
  std::optional<WordingDifference> change_word_by_word() const {
    if (a_.size() != b_.size()) return std::nullopt;
    size_t first = kNone;
    for (size_t i = a_.size(); i-- > 0;) {
      if (same(a_[i], b_[i])) continue;
      if (!alone_a(i) || !alone_b(i)) return std::nullopt;
      first = i;
    }
    if (first == kNone) return std::nullopt;
    return other_question(quoted(a_[first]) + " is in the place of " + quoted(b_[first]));
  }

  // A word that only one text has, or another order, may be a rewording.
  std::optional<WordingDifference> unmatched() const {
    for (size_t i = 0; i < a_.size(); ++i) {
      if (alone_a(i)) return WordingDifference{"only one says " + quoted(a_[i]), true};
    }
    for (size_t j = 0; j < b_.size(); ++j) {
      if (alone_b(j)) return WordingDifference{"only one says " + quoted(b_[j]), true};
    }
    size_t last = 0;
    for (const size_t partner : partner_a_) {
      if (partner == kNone) continue;
      if (partner < last) return WordingDifference{"the words are in another order", true};
      last = partner;
    }
    return std::nullopt;
  }

  Words a_, b_;
  std::vector<size_t> partner_a_, partner_b_;
};

}  // namespace

void QuestionWording::add(std::string_view word, bool owns, bool idle) {
  const Relation relation = relation_of(word);
  if (after_word_) words_.back().particle = particle_of(word);
  hash_ = hash_ * 1000003 ^ std::hash<std::string_view>()(word);
  if (++count_ > kMostWords) {
    after_word_ = false;
    return;
  }
  QuestionWord added;
  added.word = word;
  added.stem = word_stem(word);
  added.hash = std::hash<std::string_view>()(added.stem);
  added.members = members_of(added.stem);
  added.idle = idle || relation || is_idle(word);
  after_word_ = !added.idle;
  added.owns = owns;
  if (relation) {
    // "Out of" is "out".
    if (!(relation_ && relation == relation_of("of"))) relation_ = relation;
  } else if (!added.idle) {
    added.before = relation_;
    relation_ = {};
  }
  words_.push_back(std::move(added));
}

size_t QuestionWording::bytes() const {
  size_t total = words_.capacity() * sizeof(QuestionWord);
  for (const QuestionWord& word : words_) {
    for (const std::string* text : {&word.word, &word.stem}) {
      if (text->capacity() > std::string().capacity()) total += text->capacity() + 1;
    }
  }
  return total;
}

std::optional<WordingDifference> compare_wording(const QuestionWording& query, const QuestionWording& cached) {
  if (query.equals(cached)) return std::nullopt;
  if (query.too_long() || cached.too_long()) return other_question("too long to be compared word by word");
  Words first = query.words(), second = cached.words();
  // Who is whose synonym depends on the order of the two in rare cases.
  const auto less = [](const QuestionWord& a, const QuestionWord& b) { return a.word < b.word; };
  if (std::lexicographical_compare(second.begin(), second.end(), first.begin(), first.end(), less)) {
    std::swap(first, second);
  }
  return Comparison(first, second).run();
}

}  // namespace vsr::facts
