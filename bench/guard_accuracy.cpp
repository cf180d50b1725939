// How many false claims the guard's symbols find, and how many true ones they flag, by kind. Each line of a file is an
// object with "facts", "question" and "answer", a list of {"text", "label": "true"|"false", "kind"}.
//
// Usage: guard_accuracy [--failures] file.jsonl...
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "guard/answer_checker.h"

using namespace vsr::guard;

namespace {

struct Count {
  size_t all = 0, flagged = 0;
};

struct Totals {
  std::map<std::string, Count> by_kind[2];  // false, true
  Count symbolic, truths, unsupported;
  size_t claims = 0;
  double seconds = 0, slowest = 0;
};

void run(const nlohmann::json& document, bool failures, Totals& totals) {
  std::vector<std::string> facts;
  for (const auto& fact : document.at("facts")) facts.push_back(fact.get<std::string>());
  const std::vector<std::string_view> views(facts.begin(), facts.end());
  AnswerChecker checker(FactSet::make(views, nullptr, {}), document.value("question", ""), {});
  std::string answer;
  std::vector<std::pair<size_t, size_t>> ranges;
  for (const auto& sentence : document.at("answer")) {
    if (!answer.empty()) answer += ' ';
    const size_t begin = answer.size();
    answer += sentence.at("text").get<std::string>();
    ranges.emplace_back(begin, answer.size());
  }
  const auto start = std::chrono::steady_clock::now();
  std::vector<Event> events = checker.feed(answer);
  for (const Event& event : checker.finish()) events.push_back(event);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  totals.seconds += seconds;
  totals.claims += checker.claims();
  totals.slowest = std::max(totals.slowest, seconds / static_cast<double>(std::max<size_t>(checker.claims(), 1)));
  for (size_t i = 0; i < ranges.size(); ++i) {
    const auto& sentence = document.at("answer")[i];
    const bool is_true = sentence.at("label") == "true";
    const std::string kind = sentence.value("kind", "");
    std::string what;
    for (const Event& event : events) {
      if (event.begin < ranges[i].second && event.end > ranges[i].first) {
        what += " [" + std::string(event_kind_name(event.kind)) + ": " +
                answer.substr(event.begin, event.end - event.begin) + "]";
      }
    }
    const bool flagged = !what.empty();
    Count& count = totals.by_kind[is_true][kind];
    ++count.all;
    count.flagged += flagged;
    Count& total = is_true ? totals.truths : kind == "unsupported" ? totals.unsupported : totals.symbolic;
    ++total.all;
    total.flagged += flagged;
    if (failures && flagged == is_true && kind != "unsupported") {
      std::printf("%s %-6s %-18s %s%s\n", document.value("id", "").c_str(), is_true ? "ALARM" : "MISSED", kind.c_str(),
                  sentence.at("text").get<std::string>().c_str(), what.c_str());
    }
  }
}

double share(const Count& count) {
  return count.all == 0 ? 0 : static_cast<double>(count.flagged) / static_cast<double>(count.all);
}

}  // namespace

int main(int argc, char** argv) {
  Totals totals;
  bool failures = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--failures") {
      failures = true;
      continue;
    }
    std::ifstream file(argv[i]);
    if (!file) {
      std::fprintf(stderr, "%s: cannot be read\n", argv[i]);
      return 1;
    }
    for (std::string line; std::getline(file, line);) {
      if (!line.empty()) run(nlohmann::json::parse(line), failures, totals);
    }
  }
  for (const int label : {0, 1}) {
    std::printf("%s sentences flagged, by kind\n", label ? "true" : "false");
    for (const auto& [kind, count] : totals.by_kind[label]) {
      std::printf("  %-20s %4zu of %4zu\n", kind.c_str(), count.flagged, count.all);
    }
  }
  std::printf("recall of symbolic kinds  %.4f (%zu of %zu)\n", share(totals.symbolic), totals.symbolic.flagged,
              totals.symbolic.all);
  std::printf("false alarms              %.4f (%zu of %zu)\n", share(totals.truths), totals.truths.flagged,
              totals.truths.all);
  std::printf("unsupported, flagged      %.4f (%zu of %zu)\n", share(totals.unsupported), totals.unsupported.flagged,
              totals.unsupported.all);
  std::printf("per claim                 %.1f us mean, %.1f us in the slowest document\n",
              1e6 * totals.seconds / static_cast<double>(std::max<size_t>(totals.claims, 1)), 1e6 * totals.slowest);
  return 0;
}
