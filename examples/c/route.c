/*
 * Routes questions to private intents, each a label with a few examples. No training.
 *
 * Usage: route MODEL [QUESTION...]
 *   MODEL: a folder with a sentence embedding model, such as all-MiniLM-L6-v2
 */
#include <stdio.h>
#include <string.h>
#include <vsr/vsr.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct intent {
  const char *label;
  const char *examples[4];
};

static const struct intent intents_of_the_shop[] = {
    {"card", {"where is my card?", "my card has not arrived", "when will I get my new card?", "card delivery time"}},
    {"exchange rate",
     {"what is the exchange rate?", "how many euros for ten pounds?", "dollar rate today", "currency conversion"}},
    {"travel", {"book a flight to Rome", "I need a hotel", "find me a train to Berlin", "plane tickets for two"}},
};

static const char *const default_questions[] = {
    "still no card in my letter box",
    "what do I get for 100 dollars in yen?",
    "can you reserve a room in Lisbon?",
    "why is the sky blue?",
};

static vsr_str text(const char *s) {
  vsr_str view = {s, strlen(s)};
  return view;
}

static int add_intents(vsr_intents *intents, vsr_error *error) {
  for (size_t i = 0; i < COUNT(intents_of_the_shop); ++i) {
    const struct intent *intent = &intents_of_the_shop[i];
    vsr_str examples[COUNT(intent->examples)];
    for (size_t k = 0; k < COUNT(examples); ++k) examples[k] = text(intent->examples[k]);
    vsr_status status = vsr_intents_add(intents, intent->label, examples, COUNT(examples), NULL, error);
    if (status != VSR_OK) return status;
  }
  return VSR_OK;
}

static int route(const vsr_intents *intents, const char *const *questions, size_t count, vsr_error *error) {
  for (size_t i = 0; i < count; ++i) {
    vsr_str question = text(questions[i]);
    vsr_matches *matches = NULL;
    vsr_status status = vsr_intents_route(intents, &question, 1, NULL, &matches, error);
    if (status != VSR_OK) return status;
    const vsr_match *match = vsr_matches_match(matches, 0);
    printf("%-40s %-14s %.3f\n", questions[i], match->label.data ? match->label.data : "none of these", match->score);
    vsr_matches_free(matches);
  }
  return VSR_OK;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s MODEL [QUESTION...]\n", argv[0]);
    return 2;
  }
  const char *const *questions = argc > 2 ? (const char *const *)argv + 2 : default_questions;
  size_t count = argc > 2 ? (size_t)argc - 2 : COUNT(default_questions);

  vsr_error error = VSR_ERROR_INIT;
  vsr_engine *model = NULL;
  vsr_intents *intents = NULL;
  vsr_intents_options options = VSR_INTENTS_OPTIONS_INIT;
  options.threshold = 0.4f;
  int failed = vsr_engine_open_model(argv[1], NULL, &model, &error) != VSR_OK ||
               vsr_intents_create(model, &options, &intents, &error) != VSR_OK ||
               add_intents(intents, &error) != VSR_OK || route(intents, questions, count, &error) != VSR_OK;
  if (failed) fprintf(stderr, "route: %s\n", error.message);
  vsr_intents_free(intents);
  vsr_engine_free(model);
  return failed;
}
