#include "routing/request/context_view.h"

#include <catch2/catch.hpp>

#include "base/blake2b.h"
#include "routing/config/reader/config_plugins.h"
#include "support/failure.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::failure_of;

namespace {

std::string seen(const RequestContext& context, const ContextReads& reads) {
  vsr::base::Blake2b digest;
  ContextView(context, reads).add_to(digest);
  return digest.finish();
}

const ContextReads kAll = {.user = true, .groups = true, .headers = {"a", "b"}, .metadata = {"a", "b"}};

}  // namespace

TEST_CASE("context view: what is not declared cannot be read", "[routing][cache]") {
  const RequestContext context{.user = "u", .groups = {"g"}, .headers = {{"h", "1"}}, .metadata = {{"m", "2"}}};
  const ContextReads none;
  const ContextView view(context, none);
  CHECK(failure_of([&] { view.user(); }).status == Status::kInternal);
  CHECK(failure_of([&] { view.groups(); }).status == Status::kInternal);
  CHECK(failure_of([&] { view.header("h"); }).message ==
        "header h is read and no kind of signal or plugin declares it");
  CHECK(failure_of([&] { view.metadata("m"); }).status == Status::kInternal);
  const ContextReads reads{.user = true, .groups = true, .headers = {"h"}, .metadata = {"m"}};
  const ContextView declared(context, reads);
  CHECK(declared.user() == "u");
  CHECK(declared.groups() == context.groups);
  CHECK(*declared.header("h") == "1");
  CHECK(*declared.metadata("m") == "2");
}

TEST_CASE("context view: senders that look the same are the same, and no others", "[routing][cache]") {
  const RequestContext contexts[] = {{},
                                     {.user = "a"},
                                     {.groups = {"a"}},
                                     {.groups = {""}},
                                     {.groups = {"a", "b"}},
                                     {.groups = {"ab"}},
                                     {.headers = {{"a", ""}}},
                                     {.headers = {{"a", "b"}}},
                                     {.headers = {{"b", "a"}}},
                                     {.headers = {{"a", "1"}, {"b", "2"}}},
                                     {.metadata = {{"a", ""}}},
                                     {.metadata = {{"a", "b"}}},
                                     {.metadata = {{"b", ""}, {"a", ""}}}};
  for (const RequestContext& one : contexts) {
    for (const RequestContext& other : contexts) CHECK((seen(one, kAll) == seen(other, kAll)) == (&one == &other));
    CHECK(seen(one, {}) == seen({}, {}));
  }
  CHECK(seen({.groups = {"a", "b", "a"}}, kAll) == seen({.groups = {"b", "a"}}, kAll));
  CHECK(seen({.headers = {{"c", "1"}}}, kAll) == seen({}, kAll));
}

TEST_CASE("plugin kinds: each that runs declares what it reads of the context", "[routing][cache]") {
  for (const PluginKind& kind : plugin_kinds()) {
    CAPTURE(kind.type);
    CHECK((kind.describe == nullptr) == (kind.reads == nullptr));
  }
}
