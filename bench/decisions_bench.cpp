// Times the decision engine: rules of five leaves, signals given, one thread.
//   decisions_bench [ROUNDS]
// Prints, for 10 and 100 decisions: nanoseconds of thread time per evaluation (the best and the median of rounds) and
// the allocations of one; the same for evaluating trees of nodes as they are parsed, the plain way, as the peer in the
// same run; and for lazy evaluation that asks by cost.

#include <sys/utsname.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "routing/decision/decision_evaluation.h"

namespace {

size_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace vsr::routing;

constexpr const char* kTypes[] = {"keyword", "domain", "embedding", "language", "jailbreak", "context"};
constexpr int kSignals = 40;

// AND(leaf, leaf, OR(leaf, leaf), NOT(leaf)) over 40 signals.
RouterConfig make_config(int decisions, std::mt19937& random) {
  RouterConfig config;
  const auto leaf = [&]() -> Rule {
    const int signal = static_cast<int>(random() % kSignals);
    return {Rule::Kind::kLeaf, {kTypes[signal % 6], "signal_" + std::to_string(signal)}};
  };
  for (int i = 0; i < decisions; ++i) {
    Decision decision;
    decision.name = "decision_" + std::to_string(i);
    decision.priority = static_cast<double>(random() % 1000);
    decision.rules = {Rule::Kind::kAnd,
                      {},
                      {leaf(), leaf(), {Rule::Kind::kOr, {}, {leaf(), leaf()}}, {Rule::Kind::kNot, {}, {leaf()}}}};
    config.decisions.push_back(decision);
  }
  return config;
}

// The peer: the parsed trees walked with a table of signals by name.
class TreeWalk {
 public:
  using Table = std::unordered_map<std::string, Signal>;
  explicit TreeWalk(const RouterConfig& config) : config_(config) {}

  int decide(const Table& table) const {
    const Decision* best = nullptr;
    double best_confidence = 0;
    for (const Decision& decision : config_.decisions) {
      const Signal value = walk(decision.rules, table);
      if (!value.matched) continue;
      const bool first = best == nullptr || decision.priority > best->priority ||
                         (decision.priority == best->priority && value.confidence > best_confidence);
      if (!first) continue;
      best = &decision;
      best_confidence = value.confidence;
    }
    return best == nullptr ? -1 : static_cast<int>(best - config_.decisions.data());
  }

 private:
  static Signal walk(const Rule& node, const Table& table) {
    if (node.kind == Rule::Kind::kLeaf) {
      const auto at = table.find(node.leaf.key());
      return at == table.end() ? Signal{} : at->second;
    }
    if (node.kind == Rule::Kind::kNot) {
      return walk(node.children.front(), table).matched ? Signal{} : Signal{true, 1};
    }
    const bool all = node.kind == Rule::Kind::kAnd;
    Signal result{all, 0};
    for (const Rule& child : node.children) {
      const Signal value = walk(child, table);
      if (all && !value.matched) return {};
      if (!value.matched) continue;
      result.matched = true;
      result.confidence = all ? result.confidence + value.confidence : std::max(result.confidence, value.confidence);
    }
    if (all && !node.children.empty()) result.confidence /= static_cast<double>(node.children.size());
    return result;
  }

  const RouterConfig& config_;
};

struct Timing {
  double best_ns;
  double median_ns;
  double allocations;
};

// Time that this thread has computed, so that a busy machine shows less.
double thread_nanoseconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

template <class Body>
Timing time(int rounds, int count, Body&& body) {
  std::vector<double> per_call;
  for (int round = 0; round < rounds; ++round) {
    const double start = thread_nanoseconds();
    for (int i = 0; i < count; ++i) body(i);
    per_call.push_back((thread_nanoseconds() - start) / count);
  }
  const size_t before = allocations;
  for (int i = 0; i < count; ++i) body(i);
  const double allocated = static_cast<double>(allocations - before) / count;
  std::sort(per_call.begin(), per_call.end());
  return {per_call.front(), per_call[per_call.size() / 2], allocated};
}

void print(const char* what, int decisions, const Timing& timing) {
  std::printf("%-28s %4d decisions  %9.1f ns best  %9.1f ns median  %6.1f allocations\n", what, decisions,
              timing.best_ns, timing.median_ns, timing.allocations);
}

std::vector<std::vector<Signal>> random_requests(const DecisionEngine& engine, int count, std::mt19937& random) {
  std::vector<std::vector<Signal>> requests(static_cast<size_t>(count));
  for (auto& signals : requests) {
    for (size_t i = 0; i < engine.signals().size(); ++i) {
      signals.push_back({random() % 3 == 0, static_cast<double>(random() % 1000) / 1000});
    }
  }
  return requests;
}

void compare(int decisions, int rounds) {
  constexpr int kRequests = 256;
  std::mt19937 random(5);
  const RouterConfig config = make_config(decisions, random);
  const DecisionEngine engine(config);
  const TreeWalk walk(config);
  const auto requests = random_requests(engine, kRequests, random);
  std::vector<TreeWalk::Table> tables(kRequests);
  for (int i = 0; i < kRequests; ++i) {
    for (size_t id = 0; id < engine.signals().size(); ++id) tables[i][engine.signals()[id].ref.key()] = requests[i][id];
  }

  auto scratch = engine.scratch();
  int64_t checksum = 0;
  int64_t walk_checksum = 0;
  const Timing flat = time(rounds, kRequests, [&](int i) { checksum += engine.decide(requests[i], scratch).decision; });
  const Timing tree = time(rounds, kRequests, [&](int i) { walk_checksum += walk.decide(tables[i]); });
  double asked = 0;
  const Timing lazy = time(rounds, kRequests, [&](int i) {
    Evaluation evaluation(engine);
    while (!evaluation.done()) {
      const std::vector<uint32_t> needed = evaluation.needed();
      for (const uint32_t id : needed) evaluation.set(id, requests[i][id]);
      asked += static_cast<double>(needed.size());
    }
    checksum += evaluation.winner().decision;
  });
  print("decide", decisions, flat);
  print("trees walked by name", decisions, tree);
  print("lazy, signal by cost class", decisions, lazy);
  std::printf("%-28s %4d decisions  %.1f times the walk's speed; lazy asks %.1f of %zu signals; checksums %s\n", "",
              decisions, tree.best_ns / flat.best_ns, asked / ((rounds + 1) * kRequests), engine.signals().size(),
              checksum == 2 * walk_checksum ? "agree" : "differ");
}

void print_machine() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string line;
  while (std::getline(cpuinfo, line) && line.compare(0, 10, "model name") != 0) continue;
  utsname system{};
  ::uname(&system);
  std::printf("machine: %s, %s %s, one thread\n", line.substr(line.find(':') + 2).c_str(), system.sysname,
              system.machine);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 200;
  print_machine();
  compare(10, rounds);
  compare(100, rounds);
  return 0;
}
