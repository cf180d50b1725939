// guard::AnswerChecker: any answer against any facts is judged to its end, events lie inside their claims, and how the
// answer is cut into pieces changes nothing. An input is facts, one a line, and after a byte 1 the answer.
#include "fuzz_target.h"
#include "guard/answer_checker.h"

using namespace vsr;

std::vector<std::string> fuzz::seeds() {
  return {
      "The rent is GBP 1,350 a month.\nPets are not allowed.\1The rent is £1,530. Pets are allowed. 12 months cost GBP "
      "16,200.",
      "Der Zug fährt um 7.42 Uhr ab.\nDie Fahrt kostet 18,60 Euro.\1Er fährt um 7.45 Uhr ab; zwei Fahrten kosten 37,20 "
      "Euro.",
      "CVE-2025-10342 is fixed in 5.2.0 of 19 February 2025.\1CVE-2025-10324 is fixed in 5.2.0 (2025-02-19).",
      "Le musée compte 35 000 œuvres, dont 2 800 exposées.\1Huit pour cent sont exposées, de 9 h 30 à 18 h.",
      "3.14\n#4817 a_b 12/29/2024 1e9 99999999999999999999\1- 3.\n14 %\n\n| a | b |\n½ m² 10–15 kg"};
}

int fuzz::runs() { return 20000; }

namespace {

std::vector<guard::Event> run(std::shared_ptr<const guard::FactSet> facts, std::string_view answer, size_t piece) {
  guard::AnswerChecker checker(std::move(facts), "What?", {});
  std::vector<guard::Event> events;
  for (size_t i = 0; i < answer.size(); i += piece) {
    for (const auto& event : checker.feed(answer.substr(i, piece))) events.push_back(event);
  }
  for (const auto& event : checker.finish()) events.push_back(event);
  fuzz::demand(checker.checked() <= answer.size(), "no more is checked than there is");
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  const size_t between = std::min(bytes.find('\1'), bytes.size());
  std::vector<std::string_view> texts;
  for (std::string_view rest = bytes.substr(0, between); !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    texts.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto facts = guard::FactSet::make(texts, nullptr, {});
  const std::string_view answer = bytes.substr(std::min(between + 1, bytes.size()));
  const auto whole = run(facts, answer, answer.size() + 1), pieces = run(facts, answer, 3);
  fuzz::demand(whole.size() == pieces.size(), "pieces change no event");
  for (size_t i = 0; i < whole.size(); ++i) {
    const guard::Event &a = whole[i], &b = pieces[i];
    fuzz::demand(a.begin == b.begin && a.end == b.end && a.kind == b.kind && a.fact == b.fact,
                 "pieces change no event");
    fuzz::demand(a.claim_begin <= a.begin && a.begin < a.end && a.end <= a.claim_end && a.claim_end <= answer.size(),
                 "an event lies in its claim");
    fuzz::demand(a.fact >= -1 && a.fact < static_cast<int32_t>(texts.size()), "a fact is one of the set");
  }
  return 0;
}
