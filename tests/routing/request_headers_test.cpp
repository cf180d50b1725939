#include "routing/rewrite/request_headers.h"

#include <catch2/catch.hpp>

#include "routing/config/reader/config_plugins.h"

using namespace vsr::routing;

namespace {

// "name=value" of what is set, "-name" of what is removed.
std::vector<std::string> planned(const HeaderMutationPlugin& plugin,
                                 const std::map<std::string, std::string>& present = {}) {
  const RequestContext context{.headers = present};
  const ContextReads reads = context_reads(Plugins{.header_mutation = plugin});
  std::vector<std::string> written;
  for (const HeaderChange& change : plan_headers(plugin, {context, reads})) {
    written.push_back(change.kind == HeaderChange::Kind::kSet ? change.name + "=" + change.value : "-" + change.name);
  }
  return written;
}

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("request headers: add keeps what is there, update sets, remove removes", "[routing]") {
  const HeaderMutationPlugin plugin{
      .add = {{"X-Tier", "gold"}, {"X-New", "1"}}, .update = {{"X-Route", "vsr"}}, .remove = {"X-Debug"}};
  CHECK(planned(plugin) == List{"x-tier=gold", "x-new=1", "x-route=vsr", "-x-debug"});
  CHECK(planned(plugin, {{"x-tier", "silver"}, {"x-route", "old"}}) == List{"x-new=1", "x-route=vsr", "-x-debug"});
  CHECK(planned({}).empty());
}

TEST_CASE("request headers: each name is changed once, and removing wins", "[routing]") {
  CHECK(planned({.add = {{"a", "1"}, {"b", "2"}}, .update = {{"A", "3"}}, .remove = {"B"}}) == List{"a=3", "-b"});
}
