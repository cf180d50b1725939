// Reading and rewriting a chat request, against the same rewriting with a parsed document (nlohmann/json: parse, edit,
// dump). The programs alternate in one run; times are this thread's own, so that a busy machine shows less.
//
//   request_bench [--kilobytes N] [--rounds N]
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "routing/request/chat_request.h"
#include "routing/rewrite/request_rewrite.h"

namespace {

using vsr::routing::ChatRequest;
using vsr::routing::ReasoningFamily;
using vsr::routing::RequestPlan;

std::string chat(size_t bytes) {
  const std::string sentence =
      "The committee met on Tuesday and, after \\\"some\\\" debate, voted 7\\u20133 for it.\\n";
  std::string body = R"({"model":"auto","temperature":0.70,"messages":[{"role":"system","content":"Be brief."})";
  for (size_t turn = 0; body.size() < bytes; ++turn) {
    body += turn % 2 == 0 ? R"(,{"role":"user","content":")" : R"(,{"role":"assistant","content":")";
    for (int i = 0; i < 8; ++i) body += sentence;
    body += "\"}";
  }
  return body + R"(],"max_tokens":20000,"reasoning_effort":"high","x_vendor":{"trace":"0f"}})";
}

RequestPlan plan() {
  RequestPlan plan{.model = "qwen3-8b", .context_window = 32768, .prompt_tokens = 25000};
  plan.system_prompt = vsr::routing::SystemPromptPlugin{.text = "Answer as a lawyer would.", .insert = true};
  vsr::routing::ReasoningEdit& reasoning = plan.reasoning.emplace();
  reasoning.family = {ReasoningFamily::Type::kChatTemplateKwargs, "enable_thinking"};
  reasoning.on = true;
  return plan;
}

std::string rewrite_parsed(const std::string& body) {
  auto document = nlohmann::ordered_json::parse(body);
  document["model"] = "qwen3-8b";
  document["max_tokens"] = 7768;
  document.erase("reasoning_effort");
  document["chat_template_kwargs"]["enable_thinking"] = true;
  auto& content = document["messages"][0]["content"];
  content = "Answer as a lawyer would.\n\n" + content.get<std::string>();
  return document.dump();
}

double milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

struct Row {
  const char* name;
  std::vector<double> times = {};
  double median() {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }
};

template <class Body>
void time_into(Row& row, Body&& body) {
  const double begin = milliseconds();
  body();
  row.times.push_back(milliseconds() - begin);
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

size_t option(int argc, char** argv, const char* name, size_t otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], name) == 0) return std::strtoul(argv[i + 1], nullptr, 10);
  }
  return otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string body = chat(option(argc, argv, "--kilobytes", 100) * 1000);
  const size_t rounds = std::max<size_t>(option(argc, argv, "--rounds", 200), 1);
  const RequestPlan edits = plan();
  if (nlohmann::json::parse(vsr::routing::rewrite_request(body, edits).body) !=
      nlohmann::json::parse(rewrite_parsed(body))) {
    std::fprintf(stderr, "the two ways of rewriting differ\n");
    return 1;
  }
  Row parsed{"nlohmann: parse, edit, dump"}, rewritten{"vsr: rewrite"}, read{"vsr: read"};
  size_t bytes = 0;  // of what was made, so that nothing is optimised away
  for (size_t round = 0; round < rounds; ++round) {
    time_into(parsed, [&] { bytes += rewrite_parsed(body).size(); });
    time_into(rewritten, [&] { bytes += vsr::routing::rewrite_request(body, edits).body.size(); });
    time_into(read, [&] { bytes += ChatRequest::parse(body).messages.size(); });
  }
  std::printf("%s; a chat of %zu bytes, %zu rounds, %zu bytes made\n", processor().c_str(), body.size(), rounds, bytes);
  const double peer = parsed.median();
  for (Row* row : {&parsed, &rewritten, &read}) {
    std::printf("%-30s median %7.3f ms  min %7.3f ms  %6.1f times as fast as nlohmann\n", row->name, row->median(),
                row->times.front(), peer / row->median());
  }
}
