#include "facts/question_modality.h"

#include <algorithm>
#include <string_view>

namespace vsr::facts {
namespace {

bool is_in(std::string_view list, std::string_view word) {
  for (size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return !word.empty();
  }
  return false;
}

constexpr std::string_view kAsking =
    "how what when where why who whom whose which how's what's where's who's "
    "wie was wann wo woher wohin warum wieso weshalb wer wem wen welche welcher welches welchen welchem "
    "comment quand où pourquoi qui quoi quel quelle quels quelles combien "
    "cómo cuándo dónde qué quién cuál cuáles cuánto";

// Verbs in front of who does something: "can my boss read it?"
constexpr std::string_view kDutyVerbs =
    "must should ought muss musst müssen müsst soll sollen sollte sollten dois doit devons debo debe deben debemos";
constexpr std::string_view kPermissionVerbs =
    "can could may kann können könnte darf dürfen dürfte puis peux peut pouvons puedo puede pueden podemos";

// What is said of something: "am I allowed to tip?", "is tipping forbidden?"
constexpr std::string_view kDutyWords =
    "required obliged obligated mandatory compulsory obligatory necessary supposed verpflichtet nötig notwendig "
    "pflicht obligatoire obligé nécessaire obligatorio necesario";
constexpr std::string_view kPermissionWords =
    "allowed permitted permissible legal lawful okay ok erlaubt gestattet zulässig permis autorisé permitido";
constexpr std::string_view kProhibitionWords =
    "forbidden prohibited banned illegal unlawful verboten untersagt illegal interdit prohibido";

constexpr std::string_view kWhether = "if whether ob";
constexpr std::string_view kAuxiliaries = "do does did will would am is are was were if whether ist sind ob";
constexpr std::string_view kSubjects =
    "i we he she it they my our his her their the a an one people someone anyone this that ich wir er sie es man mein "
    "meine on je nous il elle";

class Reader {
 public:
  explicit Reader(std::span<const VetoToken> tokens) : tokens_(tokens) {}

  Modality run() {
    for (const VetoToken& token : tokens_) {
      if (is_in(kAsking, token.text)) return {};
    }
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      read(tokens_[at_].text);
      asks_ = asks_ || is_in(kAuxiliaries, tokens_[at_].text);
    }
    return found_;
  }

 private:
  std::string_view next() const { return at_ + 1 < tokens_.size() ? std::string_view(tokens_[at_ + 1].text) : ""; }

  void read(std::string_view word) {
    if (leads()) {
      if (is_in(kDutyVerbs, word)) add(Modality::kDuty);
      if (is_in(kPermissionVerbs, word)) add(Modality::kPermission);
    }
    if (!asks_) return;  // "I need to" tells, "do I need to" asks
    const bool have_to = (word == "have" || word == "has" || word == "got") && next() == "to";
    if (have_to || word == "need" || is_in(kDutyWords, word)) add(Modality::kDuty);
    if (is_in(kPermissionWords, word)) add(Modality::kPermission);
    if (is_in(kProhibitionWords, word)) add(Modality::kProhibition);
  }

  // Whether a verb here would ask: "can you" asks for help, and says nothing of what is asked.
  bool leads() const {
    if (next() == "you") return false;
    if (at_ == 0 || is_in(kSubjects, next())) return true;
    return std::any_of(tokens_.begin(), tokens_.begin() + static_cast<ptrdiff_t>(at_),
                       [](const VetoToken& token) { return is_in(kWhether, token.text); });
  }

  void add(Modality::Kind kind) { found_.kinds = static_cast<uint8_t>(found_.kinds | kind); }

  std::span<const VetoToken> tokens_;
  size_t at_ = 0;
  bool asks_ = false;
  Modality found_;
};

}  // namespace

Modality question_modality(std::span<const VetoToken> tokens) {
  constexpr size_t kLongQuestion = 64;  // words; a text that long says more than it asks
  return tokens.size() > kLongQuestion ? Modality{} : Reader(tokens).run();
}

}  // namespace vsr::facts
