// Routes questions to private intents, each a label with a few examples. No training.
//
// Usage: route MODEL [QUESTION...]
//   MODEL: a folder with a sentence embedding model, such as all-MiniLM-L6-v2
#include <cstdio>
#include <string>
#include <vector>
#include <vsr/vsr.hpp>

namespace {

void add_intents(vsr::Intents& intents) {
  intents.add("card", {"where is my card?", "my card has not arrived", "when will I get my new card?"});
  intents.add("exchange rate", {"what is the exchange rate?", "how many euros for ten pounds?", "dollar rate today"});
  intents.add("travel", {"book a flight to Rome", "I need a hotel", "find me a train to Berlin"});
}

void route(const std::string& model_path, const std::vector<std::string>& questions) {
  const vsr::Model model(model_path);
  vsr::IntentsOptions options;
  options.threshold = 0.4f;
  vsr::Intents intents(model, options);
  add_intents(intents);

  const vsr::Matches matches = intents.route(questions);
  for (size_t i = 0; i < questions.size(); ++i) {
    const std::string label(matches[i].label.value_or("none of these"));
    std::printf("%-40s %-14s %.3f\n", questions[i].c_str(), label.c_str(), matches[i].score);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s MODEL [QUESTION...]\n", argv[0]);
    return 2;
  }
  std::vector<std::string> questions(argv + 2, argv + argc);
  if (questions.empty()) {
    questions = {"still no card in my letter box", "what do I get for 100 dollars in yen?",
                 "can you reserve a room in Lisbon?", "why is the sky blue?"};
  }
  try {
    route(argv[1], questions);
  } catch (const vsr::Error& error) {
    std::fprintf(stderr, "route: %s\n", error.what());
    return 1;
  }
  return 0;
}
