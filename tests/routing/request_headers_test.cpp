#include "routing/request/request_headers.h"

#include <catch2/catch.hpp>

#include "routing/config/config_plugins.h"
#include "support/failure.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::failure_of;

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

TEST_CASE("request headers: names and values that could smuggle in headers are refused", "[routing]") {
  const auto status = [](const HeaderMutationPlugin& plugin) {
    return failure_of([&] { planned(plugin); }).status;
  };
  for (const std::string name : {"", ":path", "a b", "a\r\nb", "\xC3\xA9", "a:"}) {
    CAPTURE(name);
    CHECK(status({.add = {{name, "1"}}}) == Status::kInvalidArgument);
    CHECK(status({.update = {{name, "1"}}}) == Status::kInvalidArgument);
    CHECK(status({.remove = {name}}) == Status::kInvalidArgument);
  }
  for (const std::string& value : {std::string("a\r\nb: c"), std::string("a\0b", 3), std::string("\x7F")}) {
    CHECK(status({.add = {{"a", value}}}) == Status::kInvalidArgument);
  }
  CHECK(planned({.add = {{"a", "tab\tand \xC3\xA9"}}}) == List{"a=tab\tand \xC3\xA9"});
}
