/* Unloads the library in the midst of a call. Run by process.py. Usage: unload <libvsr.so> <model folder> <milliseconds> */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "vsr/vsr.h"

static vsr_status (*embed)(const vsr_engine *, const vsr_str *, size_t, const vsr_embed_options *, vsr_result **,
                           vsr_error *);
static void (*free_result)(vsr_result *);
static vsr_engine *engine;

static void *keep_embedding(void *unused) {
  const vsr_str text = VSR_STR("where is my card?");
  for (;;) {
    vsr_result *result = NULL;
    embed(engine, &text, 1, NULL, &result, NULL);
    free_result(result);
  }
  return unused;
}

int main(int argc, char **argv) {
  if (argc < 4) return 3;
  void *library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "unload: %s\n", dlerror());
    return 3;
  }
  vsr_status (*load)(const char *, const vsr_model_options *, vsr_engine **, vsr_error *);
  *(void **)&load = dlsym(library, "vsr_engine_open_model");
  *(void **)&embed = dlsym(library, "vsr_embed");
  *(void **)&free_result = dlsym(library, "vsr_result_free");
  if (load(argv[2], NULL, &engine, NULL) != VSR_OK) return 3;
  pthread_t thread;
  if (pthread_create(&thread, NULL, keep_embedding, NULL) != 0) return 3;
  const struct timespec pause = {0, atol(argv[3]) * 1000000L};
  nanosleep(&pause, NULL);
  dlclose(library);
  nanosleep(&pause, NULL);
  return 0;
}
