// What vsr reads and writes, whatever locale the host has set.
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

#include "base/error.h"
#include "base/json.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/text_stream.h"
#include "base/yaml.h"
#include "support/failure.h"
#include "support/host_locale.h"

using namespace vsr::base;
using vsr::test::CommaStreams;
using vsr::test::failure_of;
using vsr::test::HostLocale;

namespace {

void check_numbers() {
  const YamlNode yaml = parse_yaml("%YAML 1.2\n---\na: 0.5\nb: 1234567\nc: 1e3\nd: +2.25\n", "r.yaml");
  CHECK(yaml.required("a").as_number() == 0.5);
  CHECK(yaml.required("b").as_number() == 1234567);
  CHECK(yaml.required("b").as_integer() == 1234567);
  CHECK(yaml.required("c").as_number() == 1000);
  CHECK(yaml.required("d").as_number() == 2.25);
  CHECK(failure_of([] { parse_yaml("a: 0,5", "r.yaml").required("a").as_number(); }).message ==
        R"(r.yaml:1:4: "a" is "0,5", expected a number)");

  const JsonObject json(parse_json(R"({"a": 0.25, "b": 10000.0, "c": 1234567})", "c.json"));
  CHECK(json.required<double>("a") == 0.25);
  CHECK(json.required<double>("b") == 10000);
  CHECK(json.required<int64_t>("c") == 1234567);

  CHECK(text_of(1234567, " ", 0.5) == "1234567 0.5");
  CHECK(fixed_decimals(1234.5678, 3) == "1234.568");
  CHECK(failure_of([] { fail(Status::kLimit, 1234567, " of ", 0.5); }).message == "1234567 of 0.5");
  std::string logged;
  log([&](LogLevel, std::string_view line) { logged = line; }, LogLevel::kInfo, 1234567, " of ", 0.5);
  CHECK(logged == "1234567 of 0.5");
  MetricRegistry registry;
  registry.gauge({"g"}).with({}).set(1234.5);
  CHECK(registry.render().find("g 1234.5\n") != std::string::npos);
}

}  // namespace

TEST_CASE("locale: numbers are read and written alike in every one", "[base][locale]") {
  check_numbers();
  const CommaStreams streams;
  check_numbers();
}

TEST_CASE("locale: the C library's does not matter either", "[base][locale]") {
  for (const char* name : {"de_DE", "ps_AF"}) {
    CAPTURE(name);
    const HostLocale locale(name);
    if (!locale.set()) {
      WARN("no locale " << name << " on this machine, and none could be made");
      continue;
    }
    char text[16];
    std::snprintf(text, sizeof text, "%.1f", 0.5);
    if (std::string(text) == "0.5") WARN("the locale " << name << " writes numbers as C does on this machine");
    check_numbers();
  }
}
