// Random arguments for the router and compression, a fixed seed: a status of the header and an explanation, always.
#include <iterator>
#include <limits>
#include <memory>

#include "support/random_arguments.h"
#include "support/temp_folder.h"

using namespace vsr::test;

namespace {

using RouterHandle = std::unique_ptr<vsr_router, Freer<vsr_router, vsr_router_free>>;
using DecisionHandle = std::unique_ptr<vsr_decision, Freer<vsr_decision, vsr_decision_free>>;

const char* const kConfig = R"(version: v0.3
routing:
  modelCards: [{name: small}, {name: large}]
  signals:
    keywords: [{name: urgent, operator: OR, keywords: [card, emoji]}]
    embeddings: [{name: card, threshold: 0.9, candidates: ["where is my card?"]}]
    metadata: [{name: beta, key: x, predicate: {equals: beta}}]
  decisions:
    - {name: urgent, priority: 9, rules: {operator: AND, conditions: [{type: keyword, name: urgent}, {type: embedding, name: card}]}, modelRefs: [{model: large}]}
    - {name: beta, priority: 5, rules: {type: metadata, name: beta}, modelRefs: [{model: small}]}
providers:
  defaults: {default_model: small}
  models: [{name: small}, {name: large}]
vsr:
  cache: {threshold: 0.9}
)";

class Arguments : public RandomArguments {
 public:
  using RandomArguments::RandomArguments;

  vsr_str request() {
    static const char* const kRequests[] = {
        R"({"messages": [{"role": "user", "content": "where is my card?"}]})",
        R"({"model": "auto", "messages": [{"role": "user", "content": [{"type": "text", "text": "card"}]}], "max_tokens": 5})",
        R"({"model": "other", "messages": []})",
        R"({"messages": [{"role": "user", "content": 7}]})",
        R"({"messages": [{"role": "user"}, null]})",
        R"({"messages": "card", "max_tokens": -1e99})",
        R"({"messages": [{"role": "user", "content": "\ud800"}]})",
        R"({"messages": [{)",
    };
    return chance(3) ? text() : str(kRequests[below(std::size(kRequests))]);
  }

  void fields(vsr_route_options& options) {
    for (const char*& field : names_) field = name();
    for (vsr_str& value : values_) value = text();
    options.metadata_names = chance(20) ? nullptr : names_;
    options.metadata_values = chance(20) ? nullptr : values_;
    options.metadata_count = below(3);
  }

  const vsr_route_options* route_options() {
    if (chance(3)) return nullptr;
    route_ = VSR_ROUTE_OPTIONS_INIT;
    route_.struct_size = struct_size(sizeof route_);
    route_.explain = static_cast<int32_t>(below(chance(9) ? 9 : 2));
    route_.evaluate_all = static_cast<int32_t>(below(2));
    route_.reserved = chance(20) ? 1 : 0;
    route_.user = name();
    route_.tenant = name();
    if (chance(3)) fields(route_);
    if (chance(3)) route_.deadline_ms = chance(2) ? -1 : 60'000;
    return &route_;
  }

 private:
  const char* names_[3];
  vsr_str values_[3];
  vsr_route_options route_;
};

RouterHandle open_router() {
  static const TempFolder folder;
  vsr_router_options options = VSR_ROUTER_OPTIONS_INIT;
  options.engine = embedder();
  vsr_router* router = nullptr;
  REQUIRE(vsr_router_open(folder.write("random.yaml", kConfig).c_str(), &options, &router, nullptr) == VSR_OK);
  return RouterHandle(router);
}

vsr_status random_decide(Arguments& args, const vsr_router* router, vsr_decision** decision, vsr_error* error) {
  static const char* const kNames[] = {"keyword:urgent", "embedding:card", "metadata:beta", "keyword:nothing", nullptr};
  static const double kConfidences[] = {0, 0.5, 1, -1, std::numeric_limits<double>::quiet_NaN()};
  const char* names[2];
  double confidences[2];
  for (const char*& name : names) name = kNames[args.below(5)];
  for (double& confidence : confidences) confidence = kConfidences[args.below(5)];
  return vsr_router_decide(router, args.chance(20) ? nullptr : names, args.chance(20) ? nullptr : confidences,
                           args.below(3), decision, error);
}

}  // namespace

TEST_CASE("random routing: every call returns a status of its header and explains a failure", "[c_api][router]") {
  const RouterHandle router = open_router();
  Arguments args(20261121);
  size_t routed = 0, decided = 0, stored = 0;
  for (int i = 0; i < 3000; ++i) {
    const vsr_router* given = args.chance(50) ? nullptr : router.get();
    vsr_error error = VSR_ERROR_INIT;
    vsr_decision* made = reinterpret_cast<vsr_decision*>(1);
    const bool routes = !args.chance(4);
    const vsr_status status = routes ? vsr_router_route(given, args.request(), args.route_options(), &made, &error)
                                     : random_decide(args, given, &made, &error);
    INFO("call " << i << ": " << vsr_status_name(status).data << ": " << error.message);
    REQUIRE(is_expected(status, {VSR_ERR_PARSE, VSR_ERR_DEADLINE}));
    check_error(status, error);
    REQUIRE((made != nullptr) == (status == VSR_OK));
    const DecisionHandle decision(made);
    if (status == VSR_OK) ++(routes ? routed : decided);

    vsr_error after = VSR_ERROR_INIT;
    const vsr_status kept = args.chance(2) ? vsr_router_store(given, decision.get(), args.text(), &after)
                                           : vsr_router_feedback(given, decision.get(), args.number(), &after);
    INFO("afterwards: " << vsr_status_name(kept).data << ": " << after.message);
    REQUIRE(is_expected(kept, {VSR_ERR_PARSE}));
    check_error(kept, after);
    if (kept == VSR_OK) ++stored;
  }
  CHECK(routed > 200);
  CHECK(decided > 50);
  CHECK(stored > 100);
}

TEST_CASE("random routing: compression keeps what it says it keeps", "[c_api][compress]") {
  Arguments args(3);
  size_t succeeded = 0;
  for (int i = 0; i < 3000; ++i) {
    vsr_compress_options options = VSR_COMPRESS_OPTIONS_INIT;
    options.struct_size = args.struct_size(sizeof options);
    options.language = args.name();
    vsr_error error = VSR_ERROR_INIT;
    vsr_compressed* made = reinterpret_cast<vsr_compressed*>(1);
    const vsr_str text = args.text();
    const vsr_status status = vsr_compress(text, args.below(20), args.chance(3) ? nullptr : &options, &made, &error);
    INFO("call " << i << ": " << vsr_status_name(status).data << ": " << error.message);
    REQUIRE(is_expected(status));
    check_error(status, error);
    REQUIRE((made != nullptr) == (status == VSR_OK));
    for (size_t part = 0; part < vsr_compressed_range_count(made); ++part) {
      const vsr_range& kept = *vsr_compressed_range(made, part);
      REQUIRE(kept.start < kept.end);
      REQUIRE(kept.end <= text.size);
    }
    if (status == VSR_OK) ++succeeded;
    vsr_compressed_free(made);
  }
  CHECK(succeeded > 500);
}
