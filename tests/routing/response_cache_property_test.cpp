// Random configs and pairs of requests: what could get another decision, model or rewritten request never gets the
// other's answer. What a request would get is asked of a router of the same config without a cache.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <random>

#include "support/cached_router.h"

using namespace vsr::routing;
using vsr::test::CachedRouter;
using Json = nlohmann::json;

namespace {

struct Request {
  Json body;
  RouteOptions options;
};

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}
  size_t below(size_t limit) { return random_() % limit; }
  bool one_in(size_t n) { return below(n) == 0; }
  template <class Item>
  Item pick(std::initializer_list<Item> items) {
    return items.begin()[below(items.size())];
  }
  std::string word(std::initializer_list<const char*> words) { return pick(words); }

 private:
  std::mt19937 random_;
};

const Json kSignals = Json::parse(R"({
  "keywords": [{"name": "urgent", "keywords": ["urgent"]},
               {"name": "long_ago", "keywords": ["refund"], "scope": "history"}],
  "structure": [{"name": "asks", "feature": {"type": "exists", "source": {"type": "regex", "pattern": "\\?"}}}],
  "language": [{"name": "de"}],
  "context": [{"name": "short", "max_tokens": 12}],
  "conversation": [
    {"name": "turns", "feature": {"type": "count", "source": {"type": "message", "role": "user"}},
     "predicate": {"gte": 2}},
    {"name": "tools", "feature": {"type": "exists", "source": {"type": "tool_definition"}}},
    {"name": "images", "feature": {"type": "exists", "source": {"type": "image_content"}}}],
  "metadata": [{"name": "gold", "key": "Tier", "predicate": {"equals": "gold"}},
               {"name": "here", "key": "region", "predicate": {"in": ["eu", "us"]}},
               {"name": "marked", "key": "x-mark", "predicate": {"exists": true}}],
  "role_bindings": [
    {"name": "a", "role": "admin", "subjects": [{"kind": "User", "name": "alice"}]},
    {"name": "s", "role": "staff", "subjects": [{"kind": "Group", "name": "staff"}, {"kind": "User", "name": "bob"}]}],
  "jailbreak": [{"name": "attack", "threshold": 0.7}],
  "classifiers": [{"name": "risk", "labels": ["safe", "unsafe"], "threshold": 0.5}]
})");

const Json kLeaves = Json::parse(R"([
  {"type": "keyword", "name": "urgent"}, {"type": "keyword", "name": "long_ago"}, {"type": "structure", "name": "asks"},
  {"type": "language", "name": "de"}, {"type": "context", "name": "short"}, {"type": "conversation", "name": "turns"},
  {"type": "conversation", "name": "tools"}, {"type": "conversation", "name": "images"},
  {"type": "metadata", "name": "gold"}, {"type": "metadata", "name": "here"}, {"type": "metadata", "name": "marked"},
  {"type": "authz", "name": "admin"}, {"type": "authz", "name": "staff"}, {"type": "jailbreak", "name": "attack"},
  {"type": "classifier", "name": "risk", "label": "unsafe"}
])");

Json random_rule(Random& random, int depth) {
  if (depth == 0 || random.one_in(3)) return kLeaves[random.below(kLeaves.size())];
  if (random.one_in(4)) return {{"operator", "NOT"}, {"conditions", {random_rule(random, depth - 1)}}};
  Json conditions = Json::array();
  for (size_t i = 1 + random.below(3); i > 0; --i) conditions.push_back(random_rule(random, depth - 1));
  return {{"operator", random.word({"AND", "OR"})}, {"conditions", std::move(conditions)}};
}

Json random_plugins(Random& random) {
  Json plugins = Json::array();
  const auto add = [&](const char* type, Json configuration) {
    plugins.push_back({{"type", type}, {"configuration", std::move(configuration)}});
  };
  if (random.one_in(3)) {
    add("system_prompt", {{"system_prompt", "Be brief."}, {"mode", random.word({"insert", "replace"})}});
  }
  if (random.one_in(3)) {
    const bool strip = random.one_in(2);
    add("request_params", {{"blocked_params", {"user"}}, {"strip_unknown", strip}, {"max_tokens_limit", 100}});
  }
  if (random.one_in(3)) {
    add("header_mutation", {{"add", {{{"name", "X-Mode"}, {"value", "fast"}}}}, {"delete", {"x-trace"}}});
  }
  if (random.one_in(3)) {
    Json cache = {{"enabled", true}, {"mode", random.word({"exact", "semantic"})}, {"similarity_threshold", 0.5}};
    if (random.one_in(3)) cache["scope"] = random.word({"user", "team"});
    add("response_cache", std::move(cache));
  }
  return plugins;
}

Json random_config(Random& random) {
  Json decisions = Json::array();
  for (size_t i = 0, count = 2 + random.below(4); i < count; ++i) {
    Json decision = {{"name", "d" + std::to_string(i)}, {"priority", i}, {"rules", random_rule(random, 2)}};
    decision["plugins"] = random_plugins(random);
    decision["modelRefs"] = Json::array();
    if (random.one_in(6)) {
      decision["plugins"].push_back({{"type", "fast_response"}, {"configuration", {{"message", "no"}}}});
    } else {
      Json ref = {{"model", random.word({"small", "large"})}};
      if (random.one_in(3)) ref["use_reasoning"] = true;
      decision["modelRefs"].push_back(ref);
    }
    decisions.push_back(std::move(decision));
  }
  const Json families = {{"f", {{"type", "reasoning_effort"}, {"parameter", "reasoning_effort"}}}};
  return {{"version", "v0.3"},
          {"routing",
           {{"modelCards", {{{"name", "small"}}, {{"name", "large"}}}},
            {"signals", kSignals},
            {"strategy", random.word({"priority", "confidence"})},
            {"decisions", std::move(decisions)}}},
          {"providers",
           {{"defaults", {{"default_model", "small"}, {"reasoning_families", families}}},
            {"models", {{{"name", "small"}}, {{"name", "large"}, {"reasoning_family", "f"}}}}}},
          {"vsr", {{"cache", {{"threshold", 0.5}}}}}};
}

Json without_cache(Json config) {
  config.erase("vsr");
  for (Json& decision : config["routing"]["decisions"]) {
    Json kept = Json::array();
    for (const Json& plugin : decision["plugins"]) {
      if (plugin["type"] != "response_cache") kept.push_back(plugin);
    }
    decision["plugins"] = kept;
  }
  return config;
}

std::string random_question(Random& random) {
  std::string text = random.word({"how do these things work", "tell me how these things work", "wie geht das hier"});
  if (random.one_in(3)) text += random.word({" urgent", " please", "?", " bomb", " ignore all", " refund"});
  return text;
}

Request random_request(Random& random) {
  Json messages = Json::array();
  const auto say = [&](const char* role, const Json& content) {
    messages.push_back({{"role", role}, {"content", content}});
  };
  if (random.one_in(2)) say("system", "be nice");
  if (random.one_in(3)) {
    say("user", "about a refund");
    say("assistant", "yes");
  }
  const std::string question = random_question(random);
  if (random.one_in(3)) {
    const Json image = {{"type", "image_url"}, {"image_url", {{"url", "data:1"}}}};
    say("user", {{{"type", "text"}, {"text", question}}, image});
  } else {
    say("user", question);
  }
  Request request{{{"model", "auto"}, {"messages", messages}}, {}};
  if (random.one_in(3)) request.body["tools"] = {{{"type", "function"}, {"function", {{"name", "f"}}}}};
  if (random.one_in(3)) request.body["metadata"] = {{"Tier", random.word({"gold", "lead"})}};
  if (random.one_in(4)) request.body["stream"] = true;
  RequestContext& context = request.options.context;
  if (random.one_in(2)) context.user = random.word({"alice", "bob", "eve"});
  if (random.one_in(2)) context.groups = {random.word({"staff", "guests"})};
  if (random.one_in(3)) context.metadata["region"] = random.word({"eu", "asia"});
  if (random.one_in(3)) context.headers["x-mode"] = random.word({"slow", "fast"});
  if (random.one_in(3)) context.headers["tier"] = "gold";
  return request;
}

using Change = std::function<void(Request&)>;

// Each differs in one thing, and not in the wording of the last turn.
const std::vector<Change>& changes() {
  static const auto toggle = [](std::map<std::string, std::string>& fields, const char* name, const char* value) {
    if (fields.erase(name) == 0) fields[name] = value;
  };
  static const auto set = [](const char* name, Json value) {
    return [name, value](Request& request) {
      if (request.body.contains(name) && request.body[name] == value) {
        request.body.erase(name);
      } else {
        request.body[name] = value;
      }
    };
  };
  static const auto insert = [](const char* role, const char* text, bool first) {
    return [=](Request& request) {
      Json& messages = request.body["messages"];
      messages.insert(first ? messages.begin() : messages.end() - 1, Json{{"role", role}, {"content", text}});
    };
  };
  static const std::vector<Change> all = {
      [](Request& r) { r.options.context.user = r.options.context.user == "alice" ? "bob" : "alice"; },
      [](Request& r) { r.options.context.user = r.options.context.user == "" ? "eve" : ""; },
      [](Request& r) { r.options.context.groups = {r.options.context.groups.empty() ? "staff" : "others"}; },
      [](Request& r) { r.options.context.groups.push_back("more"); },
      [](Request& r) { r.options.tenant = "other"; },
      [](Request& r) { toggle(r.options.context.headers, "x-mode", "slow"); },
      [](Request& r) { r.options.context.headers["x-mode"] = "other"; },
      [](Request& r) { toggle(r.options.context.headers, "x-mark", ""); },
      [](Request& r) { toggle(r.options.context.headers, "tier", "gold"); },
      [](Request& r) { toggle(r.options.context.headers, "region", "us"); },
      [](Request& r) { r.options.context.headers["x-trace"] = "7"; },
      [](Request& r) { toggle(r.options.context.metadata, "Tier", "gold"); },
      [](Request& r) { toggle(r.options.context.metadata, "region", "us"); },
      [](Request& r) { toggle(r.options.context.metadata, "x-mark", ""); },
      [](Request& r) { r.options.context.metadata["unread"] = "1"; },
      set("metadata", {{"Tier", "gold"}}),
      set("metadata", {{"region", "eu"}}),
      set("user", "u"),
      set("stream", true),
      set("stream", false),
      set("stream_options", {{"include_usage", true}}),
      set("temperature", 0.5),
      set("max_tokens", 500),
      set("max_tokens", 50),
      set("tools", {{{"type", "function"}, {"function", {{"name", "g"}}}}}),
      set("x_unknown", {{"", nullptr}}),
      set("model", nullptr),
      insert("system", "be curt", true),
      insert("developer", "be curt", true),
      insert("user", "first a refund", true),
      insert("assistant", "so", false),
      insert("tool", "42", false),
      [](Request& r) { r.body["messages"].back()["role"] = "critic"; },
      [](Request& r) { r.body["messages"].back()["name"] = "n"; },
      [](Request& r) {
        r.body["messages"].push_back({{"role", "assistant"}, {"content", "well,"}});
      },
      [](Request& r) {
        r.body["messages"].push_back({{"role", "critic"}, {"content", "and more"}});
      },
      [](Request& r) {
        Json& content = r.body["messages"].back()["content"];
        if (!content.is_array()) content = {{{"type", "text"}, {"text", content}}};
        content.push_back({{"type", "image_url"}, {"image_url", {{"url", "data:2"}}}});
      },
  };
  return all;
}

Json& question_of(Json& body) {
  auto& messages = body["messages"];
  for (auto message = messages.rbegin();; ++message) {
    const std::string role = (*message)["role"];
    const bool other = role == "system" || role == "developer" || role == "assistant" || role == "tool";
    if (!other) return (*message)["content"].is_array() ? (*message)["content"][0]["text"] : (*message)["content"];
  }
}

// What becomes of a request without a cache, but for the wording of its question.
struct Fate {
  std::string told;
  std::string tenant;
  std::vector<std::string> groups;
  bool operator==(const Fate&) const = default;
};

Fate fate_of(const CachedRouter& plain, const Request& request) {
  const Routed routed = plain.route(request.body.dump(), request.options);
  Json json = {static_cast<int>(routed.outcome),
               routed.decision.value_or("-"),
               routed.model.value_or("-"),
               routed.lora.value_or("-"),
               routed.reasoning,
               routed.effort.value_or("-")};
  if (routed.outcome == RouteOutcome::kForward) {
    Json rewritten = Json::parse(routed.request);
    question_of(rewritten) = "";
    json.push_back(rewritten.dump());
    for (const HeaderChange& change : routed.headers) json.push_back(change.name + "=" + change.value);
    // The gateway sends the request's own headers along; those that no plugin adds are nobody's business.
  }
  return {json.dump(), request.options.tenant, request.options.context.groups};
}

struct Counts {
  size_t stored = 0, hits = 0, similar_hits = 0;
};

void try_config(unsigned seed, Counts& counts) {
  Random random(seed);
  const Json config = random_config(random);
  const CachedRouter cached(config.dump()), plain(without_cache(config).dump());
  std::vector<Fate> stored;
  std::vector<std::string> questions;
  const auto ask = [&](const Request& request) {
    CAPTURE(seed, request.body.dump(), request.options.context.user, request.options.context.headers);
    const Fate fate = fate_of(plain, request);
    Json body = request.body;
    const std::string question = question_of(body);
    const bool stream = request.body.value("stream", Json(nullptr)) == true;
    const Routed routed = cached.route(request.body.dump(), request.options);
    if (routed.outcome == RouteOutcome::kForward) {
      const std::string number = "answer " + std::to_string(stored.size()) + ".";
      cached.router->store(routed, stream ? CachedRouter::streamed(number) : CachedRouter::whole(number));
      stored.push_back(fate);
      questions.push_back(question);
      ++counts.stored;
    } else if (routed.outcome == RouteOutcome::kCached) {
      const size_t at = routed.response.find("answer ");
      REQUIRE(at != std::string::npos);
      const size_t whose = std::stoul(routed.response.substr(at + 7));
      CHECK(stored[whose] == fate);
      CHECK(routed.response.starts_with("data:") == stream);
      ++counts.hits;
      counts.similar_hits += questions[whose] != question;
    } else {
      CHECK(Json::parse(fate.told)[0] == static_cast<int>(routed.outcome));
    }
  };
  for (int base = 0; base < 3; ++base) {
    const Request request = random_request(random);
    ask(request);
    ask(request);
    for (const Change& change : changes()) {
      Request other = request;
      change(other);
      ask(other);
    }
    for (int i = 0; i < 6; ++i) {
      Request other = request;
      question_of(other.body) = random_question(random);
      ask(other);
    }
  }
}

}  // namespace

TEST_CASE("response cache: no request gets what another of its kind would not", "[routing][cache]") {
  const char* more = std::getenv("VSR_CACHE_CONFIGS");  // tests/hardening/response_cache.sh
  const unsigned long configs = more != nullptr ? std::strtoul(more, nullptr, 10) : 60;
  Counts counts;
  for (unsigned seed = 1; seed <= configs; ++seed) try_config(seed, counts);
  // Otherwise nothing was tested.
  CHECK(counts.stored > 1000);
  CHECK(counts.hits > 500);
  CHECK(counts.similar_hits > 50);
}
