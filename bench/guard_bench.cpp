// How long the guard keeps an answer, how soon it tells of a wrong claim, and whether it keeps up with many streams.
//
// Usage: guard_bench [--model FOLDER --nli ADAPTER] [--streams N] [--seconds N] [--rate TOKENS] [--threads N]
// FILE.jsonl...
//
// Each line of a file is an object with "facts", "question" and "answer", a list of {"text", "label"}. Answers pass as
// OpenAI's chat chunks, a word each. "delay" is the time of the call that brought the bytes: after it the event is
// told, or the bytes may leave. With a model, claims that symbols leave open are asked of the adapter's task.
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>
#include <vsr/vsr.hpp>

namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

// Of the whole process: what others on the machine take does not count.
double computed_us() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

void print_machine() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string line;
  while (std::getline(cpuinfo, line) && line.compare(0, 10, "model name") != 0) continue;
  utsname system = {};
  uname(&system);
  double load[3] = {};
  getloadavg(load, 3);
  std::printf("machine: %s, %u threads, %s %s, load %.1f before the run\n",
              line.empty() ? "unknown" : line.substr(line.find(':') + 2).c_str(), std::thread::hardware_concurrency(),
              system.sysname, system.machine, load[0]);
}

class Times {
 public:
  void add(double time) { times_.push_back(time); }
  void add(const Times& other) { times_.insert(times_.end(), other.times_.begin(), other.times_.end()); }
  void print(const char* what, const char* unit = "us") {
    std::sort(times_.begin(), times_.end());
    if (times_.empty()) {
      std::printf("%-44s none\n", what);
      return;
    }
    const auto at = [&](double share) {
      return times_[static_cast<size_t>(share * static_cast<double>(times_.size() - 1))];
    };
    std::printf("%-44s p50 %9.1f  p99 %9.1f  most %9.1f %s  of %zu\n", what, at(0.5), at(0.99), times_.back(), unit,
                times_.size());
  }

 private:
  std::vector<double> times_;
};

struct Document {
  std::unique_ptr<vsr::Facts> facts;
  std::string question;
  std::vector<std::string> chunks;  // of the whole answer
};

std::vector<std::string> chunks_of(const std::string& text) {
  std::vector<std::string> chunks;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find(' ', i + 1), text.size());
    const nlohmann::json chunk{{"id", "chatcmpl-1"},
                               {"object", "chat.completion.chunk"},
                               {"created", 1741569952},
                               {"model", "m"},
                               {"choices", {{{"index", 0}, {"delta", {{"content", text.substr(i, end - i)}}}}}}};
    chunks.push_back("data: " + chunk.dump() + "\n\n");
    i = end;
  }
  return chunks;
}

std::vector<Document> read(const std::vector<std::string>& paths, const vsr::Engine* engine) {
  std::vector<Document> documents;
  for (const std::string& path : paths) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + ": cannot be read");
    for (std::string line; std::getline(file, line);) {
      const auto json = nlohmann::json::parse(line);
      const auto texts = json.at("facts").get<std::vector<std::string>>();
      Document& document = documents.emplace_back();
      document.facts =
          engine ? std::make_unique<vsr::Facts>(*engine, texts, "nli") : std::make_unique<vsr::Facts>(texts);
      document.question = json.value("question", "");
      std::string answer;
      for (const auto& sentence : json.at("answer")) answer += sentence.at("text").get<std::string>() + " ";
      document.chunks = chunks_of(answer);
    }
  }
  if (documents.empty()) throw std::runtime_error("no documents");
  return documents;
}

vsr::GuardOptions options_of(const Document& document, bool acts) {
  vsr::GuardOptions options;
  options.policy = acts ? vsr::Policy::kWarn : vsr::Policy::kObserve;
  options.format = vsr::StreamFormat::kSse;
  options.question = document.question;
  return options;
}

struct Settled {
  size_t claims = 0, by_symbols = 0;
};
Settled settled(const vsr::Guard& guard) {
  const auto json = nlohmann::json::parse(guard.describe());
  return {json.at("claims").get<size_t>(), json.at("claims_by_symbols").get<size_t>()};
}

// One stream after the other.
void delays(const std::vector<Document>& documents) {
  struct Both {
    Times wall, computed;
    void print(const char* what) {
      wall.print(what);
      computed.print("  of it computing");
    }
  };
  Both told_by_symbols, told_by_model, within, quiet;
  for (int round = 0; round < 3; ++round) {
    for (const Document& document : documents) {
      vsr::Guard guard(*document.facts, options_of(document, true));
      Settled before;
      for (const std::string& chunk : document.chunks) {
        const double computed_before = computed_us();
        const auto start = Clock::now();
        const vsr::GuardStep step = guard.feed(chunk);
        const double wall = microseconds(Clock::now() - start), computed = computed_us() - computed_before;
        const Settled after = settled(guard);
        const bool asked = after.claims - before.claims != after.by_symbols - before.by_symbols;
        Both& times = !step.events().empty()          ? (asked ? told_by_model : told_by_symbols)
                      : after.claims == before.claims ? within
                                                      : quiet;
        times.wall.add(wall);
        times.computed.add(computed);
        before = after;
      }
      guard.finish();
    }
  }
  told_by_symbols.print("last byte of a wrong claim to its event");
  told_by_model.print("the same, a model asked in the call");
  within.print("bytes within a claim");
  quiet.print("bytes that end a claim with no event");
}

// Streams that each bring tokens at a fixed rate, on a few threads.
void together(const std::vector<Document>& documents, size_t streams, size_t threads, double seconds, double rate) {
  struct Worker {
    Times late, call;
    Settled settled;
    size_t tokens = 0;
    double worst_at_end = 0;
  };
  std::vector<Worker> workers(threads);
  std::vector<std::thread> running;
  const auto begin = Clock::now() + std::chrono::milliseconds(50);
  const double wanted = seconds * rate;
  for (size_t t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      Worker& worker = workers[t];
      struct Source {
        const Document* document = nullptr;
        std::unique_ptr<vsr::Guard> guard;
        size_t next = 0, document_number = 0;
      };
      std::vector<Source> sources;
      for (size_t s = t; s < streams; s += threads) sources.push_back({nullptr, nullptr, 0, s});
      for (size_t token = 0; static_cast<double>(token) < wanted; ++token) {
        for (size_t s = 0; s < sources.size(); ++s) {
          Source& source = sources[s];
          if (!source.guard || source.next == source.document->chunks.size()) {
            if (source.guard) {
              source.guard->finish();
              const Settled done = settled(*source.guard);
              worker.settled.claims += done.claims;
              worker.settled.by_symbols += done.by_symbols;
            }
            source.document = &documents[source.document_number++ % documents.size()];
            source.guard = std::make_unique<vsr::Guard>(*source.document->facts, options_of(*source.document, false));
            source.next = 0;
          }
          const double offset = static_cast<double>(s * threads + t) / static_cast<double>(streams);
          const auto due = begin + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>((static_cast<double>(token) + offset) / rate));
          std::this_thread::sleep_until(due);
          const auto start = Clock::now();
          source.guard->feed(source.document->chunks[source.next++]);
          const auto end = Clock::now();
          worker.call.add(microseconds(end - start));
          worker.late.add(microseconds(end - due) / 1000);
          ++worker.tokens;
          if (static_cast<double>(token) > 0.9 * wanted)
            worker.worst_at_end = std::max(worker.worst_at_end, microseconds(end - due) / 1000);
        }
      }
    });
  }
  rusage before = {}, after = {};
  getrusage(RUSAGE_SELF, &before);
  for (std::thread& thread : running) thread.join();
  getrusage(RUSAGE_SELF, &after);
  const double wall = microseconds(Clock::now() - begin) / 1e6;
  const auto used = [](const rusage& usage) {
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  };
  Worker all;
  for (const Worker& worker : workers) {
    all.late.add(worker.late);
    all.call.add(worker.call);
    all.tokens += worker.tokens;
    all.settled.claims += worker.settled.claims;
    all.settled.by_symbols += worker.settled.by_symbols;
    all.worst_at_end = std::max(all.worst_at_end, worker.worst_at_end);
  }
  std::printf("%zu streams of %.0f tokens/s on %zu threads for %.1f s (%.1f wanted): %zu tokens, %.2f cores used\n",
              streams, rate, threads, wall, seconds, all.tokens, (used(after) - used(before)) / wall);
  all.call.print("  delay of a token's bytes");
  all.late.print("  told after the token was due", "ms");
  std::printf(
      "  claims %zu, settled by symbols %.3f; latest in the last tenth %.1f ms: %s\n", all.settled.claims,
      static_cast<double>(all.settled.by_symbols) / static_cast<double>(std::max<size_t>(all.settled.claims, 1)),
      all.worst_at_end, all.worst_at_end < 1000 ? "not falling behind" : "FALLING BEHIND");
}

}  // namespace

int main(int argc, char** argv) try {
  std::string model, nli;
  size_t streams = 64, threads = 2;
  double seconds = 10, rate = 50;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc) throw std::runtime_error(name + " needs a value");
      return std::string(argv[++i]);
    };
    if (name == "--model")
      model = value();
    else if (name == "--nli")
      nli = value();
    else if (name == "--streams")
      streams = std::stoul(value());
    else if (name == "--threads")
      threads = std::stoul(value());
    else if (name == "--seconds")
      seconds = std::stod(value());
    else if (name == "--rate")
      rate = std::stod(value());
    else if (name.starts_with("--"))
      throw std::runtime_error("unknown argument " + name);
    else
      paths.push_back(name);
  }
  if (paths.empty() || streams == 0 || threads == 0 || model.empty() != nli.empty()) {
    std::fprintf(stderr,
                 "usage: guard_bench [--model FOLDER --nli ADAPTER] [--streams N] [--seconds N] FILE.jsonl...\n");
    return 2;
  }
  print_machine();
  std::unique_ptr<vsr::Engine> engine;
  if (!model.empty()) {
    vsr::AdapterOptions adapter;
    adapter.path = nli;
    adapter.name = "nli";
    engine = std::make_unique<vsr::Model>(model);
    engine->load_adapter(adapter);
  }
  const auto documents = read(paths, engine.get());
  std::printf("%zu documents, %s\n", documents.size(), engine ? "symbols and entailment" : "symbols alone");
  delays(documents);
  together(documents, streams, threads, seconds, rate);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "guard_bench: %s\n", error.what());
  return 1;
}
