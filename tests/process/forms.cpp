// A process that ends, or forks, in one of the ways that hosts do, in the midst of calls. Run by process.py.
//
// Usage: forms <form> <model folder> <milliseconds until the end> <scratch folder> [<Redis socket>]
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "vsr/vsr.h"

namespace {

constexpr int kThreads = 3;

// Never destroyed: threads read them to the very end.
std::string& model = *new std::string;
std::string& folder = *new std::string;
std::string& redis = *new std::string;
int milliseconds = 0;

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "forms: %s\n", why.c_str());
  std::_Exit(3);
}

// A thread whose call was refused as the process ends waits for that.
void expect(bool holds, const char* what, const vsr_error& error) {
  if (holds) return;
  if (std::strcmp(error.message, "the process is ending") == 0) {
    for (;;) ::pause();
  }
  stop(std::string(what) + ": " + error.message);
}

vsr_str str(const std::string& text) { return {text.data(), text.size()}; }
vsr_str str(std::string&&) = delete;
vsr_str question() { return {"where is my card?", 17}; }
void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

vsr_engine* open_engine() {
  vsr_error error = VSR_ERROR_INIT;
  vsr_engine* engine = nullptr;
  expect(vsr_engine_open_model(model.c_str(), nullptr, &engine, &error) == VSR_OK, "vsr_engine_open_model", error);
  return engine;
}

vsr_status embed(const vsr_engine* engine, vsr_error* error = nullptr) {
  const std::string text = std::string(2000, 'a') + " where is my card?";
  const std::vector<vsr_str> texts(4, str(text));
  vsr_result* result = nullptr;
  const vsr_status status = vsr_embed(engine, texts.data(), texts.size(), nullptr, &result, error);
  vsr_result_free(result);
  return status;
}

// A router with a response cache over the model; with Redis where a socket was given.
vsr_router* open_router() {
  const std::string path = folder + "/router-" + std::to_string(::getpid()) + ".yaml";
  std::ofstream(path) << "version: v0.3\n"
                         "routing:\n"
                         "  modelCards: [{name: a}]\n"
                         "  signals:\n"
                         "    keywords: [{name: urgent, operator: OR, keywords: [urgent]}]\n"
                         "  decisions:\n"
                         "    - {name: d, rules: {type: keyword, name: urgent}, modelRefs: [{model: a}]}\n"
                         "providers: {defaults: {default_model: a}, models: [{name: a}]}\n"
                         "vsr:\n"
                         "  models: {m: {path: "
                      << model << "}}\n"
                      << "  cache: {threshold: 0.9" << (redis.empty() ? "" : ", redis: \"" + redis + "\"") << "}\n";
  vsr_error error = VSR_ERROR_INIT;
  vsr_router* router = nullptr;
  vsr_router_options options = VSR_ROUTER_OPTIONS_INIT;
  options.own_models = 1;
  expect(vsr_router_open(path.c_str(), &options, &router, &error) == VSR_OK, "vsr_router_open", error);
  return router;
}

vsr_status route(const vsr_router* router, int number, vsr_error* error = nullptr) {
  const std::string request = R"({"model": "auto", "messages": [{"role": "user", "content": "urgent question )" +
                              std::to_string(number) + "\"}]}";
  const std::string answer = R"({"choices": [{"message": {"content": "answer"}}]})";
  vsr_decision* decision = nullptr;
  vsr_status status = vsr_router_route(router, str(request), nullptr, &decision, error);
  if (status == VSR_OK) {
    status = vsr_router_store(router, decision, str(answer), error);
  }
  vsr_decision_free(decision);
  return status;
}

// Calls `body` in a loop on several threads, and returns when each has been through it.
void keep_calling(std::function<void(int)> body) {
  auto* const begun = new std::atomic<int>(0);
  for (int t = 0; t < kThreads; ++t) {
    std::thread([body, begun, t] {
      for (int i = 0;; ++i) {
        body(t * 1000000 + i);
        if (i == 0) ++*begun;
      }
    }).detach();
  }
  while (*begun < kThreads) sleep_ms(1);
  sleep_ms(milliseconds);
}

void keep_embedding(vsr_engine* engine) {
  keep_calling([engine](int) { embed(engine); });
}

struct FreesAtExit {
  vsr_engine* engine = nullptr;
  vsr_router* router = nullptr;
  ~FreesAtExit() {
    vsr_engine_free(engine);
    vsr_router_free(router);
  }
};

struct CallsAtExit {
  vsr_engine* engine = nullptr;
  ~CallsAtExit() {
    if (engine == nullptr) return;
    const vsr_status status = embed(engine);
    if (status != VSR_OK && status != VSR_ERR_STATE) stop("a call from a static destructor failed");
    vsr_engine_free(engine);
  }
};

FreesAtExit frees_at_exit;
CallsAtExit calls_at_exit;

// Runs `body` in a child, which ends as a program does, and waits for that.
int in_child(const std::function<void()>& body) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    body();
    std::exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) stop("the child ended with signal " + std::to_string(WTERMSIG(status)));
  return WEXITSTATUS(status);
}

void expect_in_child(const std::function<void()>& body) {
  const int status = in_child(body);
  if (status != 0) stop("the child ended with " + std::to_string(status));
}

void must(vsr_status status, const vsr_error& error, const char* what) { expect(status == VSR_OK, what, error); }

std::string tokens_of(const vsr_engine* engine) {
  vsr_error error = VSR_ERROR_INIT;
  vsr_tokenizer* tokenizer = nullptr;
  must(vsr_engine_tokenizer(engine, nullptr, &tokenizer, &error), error, "vsr_engine_tokenizer");
  vsr_encoding* encoding = nullptr;
  must(vsr_tokenizer_encode(tokenizer, question(), nullptr, 1, &encoding, &error), error, "vsr_tokenizer_encode");
  const std::string count = std::to_string(vsr_encoding_token_count(encoding));
  vsr_encoding_free(encoding);
  vsr_tokenizer_free(tokenizer);
  return count;
}

// A child does all that its parent can; so does one of its own, and the parent afterwards.
void fork_idle(int depth) {
  vsr_error error = VSR_ERROR_INIT;
  vsr_engine* const engine = open_engine();
  vsr_router* const router = open_router();
  must(embed(engine, &error), error, "embed");
  must(route(router, 1, &error), error, "route");
  const std::function<void(int)> use = [&](int left) {
    if (left > 0) expect_in_child([&] { use(left - 1); });
    tokens_of(engine);
    must(route(router, 100 + left, &error), error, "route in the child");
    must(route(router, 100 + left, &error), error, "route in the child");
    must(embed(engine, &error), error, "embed in the child");
    vsr_engine* const own = open_engine();
    must(embed(own, &error), error, "embed with a model of the child");
    vsr_engine_free(own);
    if (left % 2 == 0) vsr_router_free(router);
  };
  expect_in_child([&] { use(depth); });
  must(embed(engine, &error), error, "embed after the fork");
  must(route(router, 2, &error), error, "route after the fork");
  expect_in_child([] {});
  vsr_router_free(router);
  vsr_engine_free(engine);
}

// A child of a process that is in the midst of calls either does all or says that it cannot, and ends either way.
void fork_busy() {
  vsr_engine* const engine = open_engine();
  vsr_router* const router = open_router();
  keep_calling([=](int i) {
    embed(engine);
    route(router, i);
  });
  for (int i = 0; i < 5; ++i) {
    expect_in_child([&] {
      vsr_error error = VSR_ERROR_INIT;
      for (const vsr_status status : {embed(engine, &error), route(router, 1, &error)}) {
        if (status != VSR_OK && status != VSR_ERR_STATE) stop(error.message);
        if (status == VSR_ERR_STATE && std::strstr(error.message, "forked") == nullptr) stop(error.message);
      }
      vsr_router_free(router);
      vsr_engine_free(engine);
    });
  }
}

// A callback forks: the child's copy of the call ends with an error.
void fork_in_callback() {
  vsr_engine* const engine = open_engine();
  const vsr_str text = question();
  vsr_embed_options options = VSR_EMBED_OPTIONS_INIT;
  bool is_child = false;
  options.user_data = &is_child;
  options.progress = [](size_t, size_t, void* user_data) -> int32_t {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      *static_cast<bool*>(user_data) = true;
      return 0;
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) stop("the child of the callback: " + std::to_string(status));
    return 0;
  };
  vsr_error error = VSR_ERROR_INIT;
  vsr_result* result = nullptr;
  const vsr_status status = vsr_embed(engine, &text, 1, &options, &result, &error);
  if (!is_child) must(status, error, "embed with a callback that forks");
  vsr_result_free(result);
  vsr_engine_free(engine);
}

const std::map<std::string, std::function<void()>> kForms = {
    {"exit-embedding", [] { keep_embedding(open_engine()); }},
    {"exit-of-thread",
     [] {
       keep_embedding(open_engine());
       std::thread([] { std::exit(0); }).detach();
       for (;;) ::pause();
     }},
    {"exit-loading",
     [] {
       keep_calling([](int) {
         vsr_engine* const engine = open_engine();
         embed(engine);
         vsr_engine_free(engine);
       });
     }},
    {"exit-routing",
     [] {
       vsr_router* const router = open_router();
       keep_calling([router](int i) { route(router, i); });
     }},
    {"exit-tokenizing",
     [] {
       vsr_engine* const engine = open_engine();
       keep_calling([engine](int) { tokens_of(engine); });
     }},
    {"static-free",
     [] {
       vsr_engine* const engine = open_engine();
       vsr_router* const router = open_router();
       route(router, 1);
       frees_at_exit.engine = open_engine();
       frees_at_exit.router = router;
       keep_embedding(engine);
     }},
    {"static-call",
     [] {
       calls_at_exit.engine = open_engine();
       keep_embedding(calls_at_exit.engine);
     }},
    {"quick-exit",
     [] {
       keep_embedding(open_engine());
       std::quick_exit(0);
     }},
    {"fork-idle", [] { fork_idle(0); }},
    {"fork-twice", [] { fork_idle(1); }},
    {"fork-busy", [] { fork_busy(); }},
    {"fork-callback", [] { fork_in_callback(); }},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5 || !kForms.contains(argv[1])) {
    stop("usage: forms <form> <model folder> <milliseconds> <scratch folder> [<Redis socket>]");
  }
  model = argv[2];
  milliseconds = std::atoi(argv[3]);
  folder = argv[4];
  if (argc > 5) redis = argv[5];
  kForms.at(argv[1])();
  return 0;
}
