// What a request may cost: bytes of memory per byte, time after its deadline, and a size that the config names.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "routing/compress/compress.h"
#include "routing/request/request_json.h"
#include "routing/router.h"
#include "support/allocations.h"
#include "support/failure.h"

using namespace vsr;
using namespace vsr::inference;
using namespace vsr::routing;
using vsr::test::failure_of;

namespace {

constexpr size_t kSize = size_t{1} << 20;

class NoModels : public Inference {
 public:
  bool has_models() const override { return false; }
  std::shared_ptr<const Embedder> embedder(const std::string&) const override { return nullptr; }
  std::vector<TaskAnswer> classify(std::span<const std::string_view>, std::span<const TaskQuestion>,
                                   const std::vector<bool>&, const base::CallLimits&) const override {
    return {};
  }
  std::optional<size_t> count_tokens(std::string_view) const override { return std::nullopt; }
};

constexpr const char* kConfig = R"(
version: v0.3
routing:
  modelCards: [{name: small, context_window_size: 4096}]
  signals:
    keywords:
      - {name: words, operator: OR, keywords: [enthalpy, needle in a haystack]}
      - {name: pattern, operator: OR, method: regex, keywords: ["needle.*hay", "[0-9]{7}"]}
      - {name: near, operator: OR, keywords: [enthalpy], fuzzy_match: true}
      - {name: grams, operator: OR, method: ngram, keywords: [enthalpy]}
      - {name: ranked, operator: OR, method: bm25, keywords: [enthalpy of combustion]}
    structure:
      - {name: count, feature: {type: count, source: {type: regex, pattern: "a(.*b)?"}}, predicate: {gte: 10}}
      - {name: set, feature: {type: count, source: {type: keyword_set, keywords: [a, "1", "."]}}, predicate: {gte: 1}}
    language: [{name: de}]
    context: [{name: long, min_tokens: "1", max_tokens: 1M}]
    pii: [{name: personal, threshold: 0.5}]
  decisions:
    - name: any
      priority: 1
      rules:
        operator: OR
        conditions: [{type: keyword, name: words}, {type: keyword, name: pattern}, {type: keyword, name: near},
                     {type: keyword, name: grams}, {type: keyword, name: ranked}, {type: structure, name: count},
                     {type: structure, name: set}, {type: language, name: de}, {type: context, name: long}, {type: pii, name: personal}]
      modelRefs: [{model: small}]
providers:
  defaults: {default_model: small}
  models: [{name: small}]
vsr:
  signal_tasks: {pii: none}
)";

// `vsr`: more of that part.
std::shared_ptr<const Router> open_router(const std::string& vsr = "") {
  const auto path = std::filesystem::temp_directory_path() / "vsr_request_budget_test.yaml";
  std::ofstream(path) << kConfig << vsr;
  auto router = Router::open(path.string(), {.inference = std::make_shared<NoModels>()});
  std::filesystem::remove(path);
  return router;
}

std::string filled(const std::string& unit, size_t size = kSize) {
  std::string text;
  text.reserve(size + unit.size());
  while (text.size() < size) text += unit;
  return text;
}

std::string chat(const std::string& content) {
  return R"({"model":"auto","messages":[{"role":"user","content":)" + content + "}]}";
}
std::string listed(const std::string& item, size_t size = kSize) {
  std::string list = filled(item + ",", size);
  list.pop_back();
  return "[" + list + "]";
}

const std::vector<std::string> kUnits{
    ". ",   ".",  "a", "a ", " ", "1 ", "word ", "a@b.cc ", "1.1.1.1 ", "cc 1 ", "１", "a\\n", "\xF0\x9F\x98\x80",
    "你好", "\\n"};

std::vector<std::string> nasty_bodies() {
  std::vector<std::string> bodies;
  for (const std::string& unit : kUnits) bodies.push_back(chat("\"" + filled(unit) + "\""));
  for (const std::string unit : {". ", "a", "a\n", "\xFF", "\xF0\x9F\x98\x80"}) bodies.push_back(filled(unit));
  const std::string prose = filled("They saw nothing but dust, and an old chair. ");
  bodies.push_back("\xFF" + prose);
  bodies.push_back(prose + "\xFF");
  bodies.push_back(chat("\"" + prose + "\xFF" + "\""));
  bodies.push_back(chat("\"" + filled("\xFF", kSize / 4) + "\""));
  bodies.push_back(chat(listed(R"({"type":"text","text":"a"})")));
  bodies.push_back(R"({"model":"auto","messages":)" +
                   listed(R"({"role":"user","content":"a short message, as people write them in a chat"})") + "}");
  bodies.push_back(R"({"messages":[{"role":"user","content":"a"}],"x":)" + listed("1.25,3,14") + "}");
  return bodies;
}

}  // namespace

TEST_CASE("request budget: a body beyond the config's limit is refused by its name", "[routing][budget]") {
  const auto router = open_router("  limits: {request_bytes: 100}\n");
  const auto failure = failure_of([&] { router->route(chat("\"" + filled("a", 100) + "\""), {}); });
  CHECK(failure.status == base::Status::kLimit);
  CHECK_THAT(failure.message, Catch::Contains("vsr.limits.request_bytes is 100"));
  CHECK_FALSE(failure_of([&] { router->route(chat("\"short\""), {}); }).status);
  // 8 MB unless the config says otherwise, before anything is parsed.
  const auto usual = open_router();
  CHECK(failure_of([&] { usual->route(std::string((size_t{8} << 20) + 1, ' '), {}); }).status == base::Status::kLimit);
  CHECK(failure_of([&] { usual->route(std::string(size_t{8} << 20, ' '), {}); }).status != base::Status::kLimit);
}

TEST_CASE("request budget: a limit that is none is an error of the file", "[routing][budget]") {
  for (const std::string limits :
       {"{request_bytes: 0}", "{request_bytes: 67108865}", "{request_bytes: many}", "{bytes: 1}"}) {
    INFO(limits);
    CHECK(failure_of([&] { open_router("  limits: " + limits + "\n"); }).status == base::Status::kParse);
  }
}

TEST_CASE("request budget: routing takes at most 12 bytes of memory per byte", "[routing][budget]") {
  const auto router = open_router();
  constexpr size_t kConstant = size_t{6} << 20;  // patterns' automata, the tables of languages and of seen words
  router->route(chat("\"a question, and a 1.\""), {.evaluate_all = true});
  for (const std::string& body : nasty_bodies()) {
    INFO(body.substr(0, 80) << " ... of " << body.size() << " bytes");
    const test::AllocationPeak peak;
    const auto failure = failure_of([&] { router->route(body, {.evaluate_all = true}); });
    INFO(failure.message);
    CHECK((!failure.status || failure.status == base::Status::kLimit));
    CHECK(peak.bytes() < 12 * body.size() + kConstant);
  }
}

TEST_CASE("request budget: compression takes at most 8 bytes of memory per byte", "[routing][budget]") {
  compress("Something short. For the tables.", {.max_tokens = 4});
  for (const std::string unit :
       {". ", ".", "a", "a ", "a\n", "a\n\n", "# \n", "{\"\n", "\xFF", "\xF0\x9F\x98\x80", "1 "}) {
    const std::string text = filled(unit);
    INFO(unit);
    const test::AllocationPeak peak;
    compress(text, {.max_tokens = 512, .focus = 0.7});
    CHECK(peak.bytes() < 8 * text.size() + (1 << 20));
  }
}

TEST_CASE("request budget: routing ends with its call, whatever the request", "[routing][budget]") {
  const auto router = open_router();
  const RouteOptions late{.evaluate_all = true, .limits = {base::deadline_in(-1), {}}};
  for (const std::string& body : nasty_bodies()) {
    INFO(body.substr(0, 80) << " ... of " << body.size() << " bytes");
    CHECK(failure_of([&] { router->route(body, late); }).status == base::Status::kDeadline);
    // Each millisecond falls into another part of the work.
    for (const int64_t milliseconds : {1, 2, 4, 8}) {
      const RouteOptions soon{.evaluate_all = true, .limits = {base::deadline_in(milliseconds), {}}};
      const auto failure = failure_of([&] { router->route(body, soon); });
      INFO(failure.message);
      CHECK((!failure.status || failure.status == base::Status::kDeadline || failure.status == base::Status::kLimit));
    }
  }
}

TEST_CASE("request budget: a body dense with values is refused before it is indexed", "[routing][budget]") {
  const auto filled = [](std::string_view part, size_t bytes) {
    std::string all = R"({"model":"auto","x":[0)";
    while (all.size() < bytes) all += part;
    return all + "]}";
  };
  const std::string brackets(100, '['), closed(100, ']');
  for (const std::string& dense : {filled("," + brackets + closed, 20 * kSize), filled(",0", 20 * kSize),
                                   filled(" 0", 20 * kSize), filled("::::", 20 * kSize), filled("\"\"", 20 * kSize)}) {
    const auto failure = failure_of([&] { RequestJson parsed(dense); });
    CHECK(failure.status == base::Status::kLimit);
    CHECK(failure.message.find("JSON values in " + std::to_string(dense.size()) + " bytes") != std::string::npos);
  }
}

TEST_CASE("request budget: as many values as are allowed are read, empty ones and quotations in strings among them",
          "[routing][budget]") {
  for (const std::string value : {"[]", "{}", "[ ]", R"("\\\",[[[[{\\")", "1"}) {
    std::string body = R"({"x":[)";
    // The object, the list, and the values in it are as many as a body of that size may hold.
    const size_t count = RequestJson::most_values(2 * kSize) - 2;
    for (size_t i = 0; i < count; ++i) body += (i == 0 ? "" : ",") + value;
    body += "]";
    const std::string end = "}";
    const size_t size = std::max(body.size() + end.size(), 2 * kSize);
    const size_t allowed = RequestJson::most_values(size);
    body += std::string(size - body.size() - end.size(), ' ') + end;
    INFO(value);
    CHECK(failure_of([&] { RequestJson parsed(body); }).message.empty());
    std::string more = body.substr(0, body.find(']', body.rfind(value) + value.size()));
    for (size_t i = count + 2; i <= allowed; ++i) more += "," + value;
    more += "]}";
    CHECK(failure_of([&] { RequestJson parsed(more); }).status ==
          (RequestJson::most_values(more.size()) <= allowed ? std::optional(base::Status::kLimit) : std::nullopt));
  }
}
