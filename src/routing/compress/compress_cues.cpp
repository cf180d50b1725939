#include "routing/compress/compress_cues.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "text/unicode/words.h"

namespace vsr::routing {
namespace {

// Weights chosen with bench/compression_quality.py on one half of its distractors.
constexpr float kQuestion = 0.15F;
constexpr float kTask = 0.12F;
constexpr float kHeading = 0.05F;
constexpr float kMostBits = 1;
constexpr float kFirst = 0.5F;
constexpr float kLast = 0.8F;

constexpr std::string_view kTaskWords =
    "answer analyze analyse assume calculate classify compare compute consider convert create define derive describe "
    "design determine discuss draft draw estimate evaluate examine explain express extract find fix generate give "
    "identify illustrate implement interpret let list name outline please predict prove provide rewrite select show "
    "simplify solve state suggest summarize summarise suppose translate using verify write "
    "berechne berechnen beschreibe bestimme bestimmen beweise entwirf erkläre erklären finde nenne schreibe vergleiche "
    "zeige zeigen übersetze "
    "calcule calculer calculez compare comparez décris décrivez détermine déterminez donne donnez explique expliquez "
    "montre montrez résume résumez traduis traduisez trouve trouvez écris écrivez "
    "calcula compara demuestra describe determina encuentra escribe explica resume traduce "
    "calcola confronta descrivi determina dimostra scrivi spiega traduci trova "
    "bereken beschrijf bepaal bewijs noem schrijf vergelijk vertaal "
    "вычислите вычисли докажите докажи найдите найди напиши напишите объясни объясните опиши опишите определите "
    "переведи "
    "переведите сравните";

const std::vector<uint64_t>& task_words() {
  static const auto sorted = [] {
    std::vector<uint64_t> hashes;
    for (size_t begin = 0; begin < kTaskWords.size();) {
      const size_t end = std::min(kTaskWords.find(' ', begin), kTaskWords.size());
      hashes.push_back(text::word_hash(kTaskWords.substr(begin, end - begin)));
      begin = end + 1;
    }
    std::sort(hashes.begin(), hashes.end());
    return hashes;
  }();
  return sorted;
}

bool ends_with_question(std::string_view sentence) {
  return sentence.ends_with('?') || sentence.ends_with("\xEF\xBC\x9F") || sentence.ends_with("\xD8\x9F") ||
         sentence.ends_with("\xCD\xBE");
}

bool is_quoted(std::string_view sentence) {
  return sentence.starts_with('"') || sentence.starts_with("\xE2\x80\x9C") || sentence.starts_with("\xE2\x80\x98") ||
         sentence.starts_with("\xE2\x80\x9E") || sentence.starts_with("\xC2\xAB") ||
         sentence.starts_with("\xE3\x80\x8C");
}

bool begins_as_task(std::string_view sentence) {
  text::Word word;
  text::WordReader reader(sentence, {0, std::min<size_t>(sentence.size(), 64)});
  return reader.next(word) && std::binary_search(task_words().begin(), task_words().end(), word.hash);
}

// A share of the self-information of what `count` of `all` units have; one more of each, as in Laplace's rule.
float share_bits(float weight, size_t count, size_t all) {
  return weight * std::log2(static_cast<float>(all + 2) / static_cast<float>(count + 1));
}

}  // namespace

Cues cues_of(std::string_view sentence, BlockKind kind) {
  if (kind == BlockKind::kHeading) return {.heading = true};
  if (kind != BlockKind::kProse || is_quoted(sentence)) return {};
  return {.question = ends_with_question(sentence), .task = begins_as_task(sentence)};
}

void CueWeights::add(Cues cues) {
  ++units_;
  questions_ += cues.question ? 1 : 0;
  tasks_ += cues.task ? 1 : 0;
  headings_ += cues.heading ? 1 : 0;
}

float CueWeights::bits(Cues cues) const {
  float bits = 0;
  if (cues.question) bits += std::min(share_bits(kQuestion, questions_, units_), kMostBits);
  if (cues.task) bits += std::min(share_bits(kTask, tasks_, units_), kMostBits);
  if (cues.heading) bits += std::min(share_bits(kHeading, headings_, units_), kMostBits);
  return bits;
}

float place_bits(Place place, bool first_in_block, bool last_in_block) {
  return (place.first_block && first_in_block ? kFirst : 0) + (place.last_block && last_in_block ? kLast : 0);
}

}  // namespace vsr::routing
