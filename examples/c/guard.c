/*
 * Holds a streamed answer against facts, and ends it where it is wrong. No model.
 *
 * Usage: guard [FILE]
 *   FILE: the body of an answer: server-sent events, plain text or JSON; without it, a short answer that is wrong
 */
#include <stdio.h>
#include <string.h>
#include <vsr/vsr.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const lease[] = {
    "The monthly rent is GBP 1,350.",
    "The lease ends on 31 August 2026.",
};
static const char wrong_answer[] = "The lease ends on 31 August 2026. The monthly rent is GBP 1,530. It is due soon.";

static vsr_str text(const char *s) {
  vsr_str view = {s, strlen(s)};
  return view;
}

/* Sends on what may leave and tells what is wrong; 1: nothing more will leave. */
static int take(vsr_guard_step *step) {
  vsr_str forward = vsr_guard_step_forward(step);
  fwrite(forward.data, 1, forward.size, stdout);
  for (size_t i = 0; i < vsr_guard_step_event_count(step); ++i) {
    const vsr_guard_event *event = vsr_guard_step_event(step, i);
    vsr_str kind = vsr_guard_kind_name(event->kind);
    fprintf(stderr, "\n%.*s: \"%.*s\" in \"%.*s\"; fact %d says: %s\n", (int)kind.size, kind.data, (int)event->text.size,
            event->text.data, (int)event->claim.size, event->claim.data, event->fact,
            event->fact < 0 ? "nothing" : lease[event->fact]);
  }
  int ended = vsr_guard_step_ended(step);
  vsr_guard_step_free(step);
  return ended;
}

static vsr_status pass(vsr_guard *guard, FILE *file, vsr_error *error) {
  char piece[64]; /* of any size */
  vsr_str bytes = {piece, 0};
  size_t at = 0;
  for (;;) {
    if (file != NULL) {
      bytes.size = fread(piece, 1, sizeof piece, file);
    } else {
      bytes.size = strlen(wrong_answer) - at < 7 ? strlen(wrong_answer) - at : 7;
      memcpy(piece, wrong_answer + at, bytes.size);
      at += bytes.size;
    }
    vsr_guard_step *step = NULL;
    vsr_status status =
        bytes.size > 0 ? vsr_guard_feed(guard, bytes, &step, error) : vsr_guard_finish(guard, &step, error);
    if (status != VSR_OK) return status;
    if (take(step) || bytes.size == 0) return VSR_OK;
  }
}

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (argc > 1 && file == NULL) {
    fprintf(stderr, "guard: %s cannot be read\n", argv[1]);
    return 1;
  }
  vsr_error error = VSR_ERROR_INIT;
  vsr_facts *facts = NULL;
  vsr_guard *guard = NULL;
  vsr_str texts[COUNT(lease)];
  for (size_t i = 0; i < COUNT(lease); ++i) texts[i] = text(lease[i]);
  vsr_guard_options options = VSR_GUARD_OPTIONS_INIT;
  options.policy = VSR_POLICY_TERMINATE;
  options.hold = 1; /* nothing of a wrong claim leaves */
  vsr_status status = vsr_facts_create(NULL, texts, COUNT(texts), NULL, &facts, &error);
  if (status == VSR_OK) status = vsr_guard_create(facts, &options, &guard, &error);
  if (status == VSR_OK) status = pass(guard, file, &error);
  if (status != VSR_OK) fprintf(stderr, "guard: %s\n", error.message);
  vsr_guard_free(guard);
  vsr_facts_free(facts);
  if (file != NULL) fclose(file);
  return status == VSR_OK ? 0 : 1;
}
