#include "base/metrics.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <thread>

#include "base/log.h"
#include "support/failure.h"

using namespace vsr::base;
using vsr::test::failure_of;

TEST_CASE("metrics: counters, gauges and histograms are rendered as OpenMetrics", "[base][metrics]") {
  MetricRegistry registry;
  registry.counter({.name = "vsr_requests", .help = "Requests seen.", .labels = {"decision"}}).with({"math"}).add(3);
  registry.gauge({.name = "vsr_cache_bytes", .help = "Held.", .unit = "bytes"}).with({}).set(1.5);
  auto& latency = registry.histogram({.name = "vsr_signal_seconds", .unit = "seconds", .labels = {"signal"}}, {0.1, 1})
                      .with({"pii"});
  for (const double seconds : {0.1, 0.5, 0.75, 4.0}) latency.observe(seconds);
  CHECK(registry.render() ==
        "# TYPE vsr_cache_bytes gauge\n"
        "# UNIT vsr_cache_bytes bytes\n"
        "# HELP vsr_cache_bytes Held.\n"
        "vsr_cache_bytes 1.5\n"
        "# TYPE vsr_requests counter\n"
        "# HELP vsr_requests Requests seen.\n"
        "vsr_requests_total{decision=\"math\"} 3\n"
        "# TYPE vsr_signal_seconds histogram\n"
        "# UNIT vsr_signal_seconds seconds\n"
        "vsr_signal_seconds_bucket{signal=\"pii\",le=\"0.1\"} 1\n"
        "vsr_signal_seconds_bucket{signal=\"pii\",le=\"1\"} 3\n"
        "vsr_signal_seconds_bucket{signal=\"pii\",le=\"+Inf\"} 4\n"
        "vsr_signal_seconds_sum{signal=\"pii\"} 5.35\n"
        "vsr_signal_seconds_count{signal=\"pii\"} 4\n"
        "# EOF\n");
}

TEST_CASE("metrics: label values and help texts are escaped and are UTF-8", "[base][metrics]") {
  MetricRegistry registry;
  registry.counter({.name = "c", .help = "a\\b\n\"c\"", .labels = {"l"}}).with({"x\"y\\z\n\xFF"}).add();
  CHECK(registry.render() ==
        "# TYPE c counter\n# HELP c a\\\\b\\n\\\"c\\\"\nc_total{l=\"x\\\"y\\\\z\\n\xEF\xBF\xBD\"} 1\n# EOF\n");
}

TEST_CASE("metrics: an empty registry ends with EOF", "[base][metrics]") {
  CHECK(MetricRegistry().render() == "# EOF\n");
}

TEST_CASE("metrics: label values from outside cannot grow without bound", "[base][metrics]") {
  MetricRegistry registry;
  auto& family = registry.counter({.name = "c", .labels = {"user"}, .max_series = 3});
  for (int i = 0; i < 100; ++i) family.with({std::to_string(i)}).add();
  CHECK(registry.render() ==
        "# TYPE c counter\nc_total{user=\"0\"} 1\nc_total{user=\"1\"} 1\nc_total{user=\"2\"} 1\n"
        "c_total{user=\"other\"} 97\n# EOF\n");
  family.with({"1"}).add();
  CHECK(family.with({"1"}).value() == 2);
}

TEST_CASE("metrics: names that OpenMetrics does not allow are refused", "[base][metrics]") {
  MetricRegistry registry;
  const auto refused = [&](const MetricName& name) {
    return failure_of([&] { registry.counter(name); }).status == Status::kInvalidArgument;
  };
  CHECK(refused({.name = ""}));
  CHECK(refused({.name = "1a"}));
  CHECK(refused({.name = "a-b"}));
  CHECK(refused({.name = "a_total"}));
  CHECK(refused({.name = "a", .unit = "seconds"}));
  CHECK(refused({.name = "a", .labels = {"le"}}));
  CHECK(refused({.name = "a", .labels = {"__x"}}));
  CHECK(refused({.name = "a", .labels = {"x:y"}}));
  CHECK(refused({.name = "a", .labels = {"x", "x"}}));
  CHECK(failure_of([&] {
          registry.histogram({.name = "h"}, {1, 1});
        }).message == "metric h: bound 1 is 1, expected ascending numbers");
  CHECK(registry.render() == "# EOF\n");
}

TEST_CASE("metrics: one name is one metric", "[base][metrics]") {
  MetricRegistry registry;
  auto& first = registry.counter({.name = "c", .labels = {"a"}});
  CHECK(&registry.counter({.name = "c", .labels = {"a"}}) == &first);
  CHECK(failure_of([&] { registry.counter({.name = "c", .labels = {"b"}}); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { registry.gauge({.name = "c", .labels = {"a"}}); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { first.with({}); }).message == "metric c has 1 labels, 0 values were given");
}

TEST_CASE("metrics: values that are not finite do not spoil the text", "[base][metrics]") {
  MetricRegistry registry;
  registry.gauge({.name = "g"}).with({}).set(-std::numeric_limits<double>::infinity());
  auto& histogram = registry.histogram({.name = "h"}, {}).with({});
  histogram.observe(std::numeric_limits<double>::quiet_NaN());
  histogram.observe(2);
  CHECK(registry.render() ==
        "# TYPE g gauge\ng -Inf\n# TYPE h histogram\nh_bucket{le=\"+Inf\"} 1\nh_sum 2\nh_count 1\n# EOF\n");
}

TEST_CASE("metrics: what is read from elsewhere is collected before rendering", "[base][metrics]") {
  MetricRegistry registry;
  auto& gauge = registry.gauge({.name = "g"}).with({});
  int calls = 0;
  registry.before_render([&] { gauge.set(++calls); });
  CHECK(registry.render() == "# TYPE g gauge\ng 1\n# EOF\n");
  CHECK(registry.render() == "# TYPE g gauge\ng 2\n# EOF\n");
}

TEST_CASE("metrics: nothing is lost between threads", "[base][metrics]") {
  MetricRegistry registry;
  auto& counters = registry.counter({.name = "c", .labels = {"t"}});
  auto& histogram = registry.histogram({.name = "h"}, {1}).with({});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        counters.with({std::to_string((t + i) % 5)}).add();
        histogram.observe(i % 2 == 0 ? 0.5 : 2);
        if (i % 500 == 0) registry.render();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  uint64_t total = 0;
  counters.for_each([&](const auto&, const Counter& counter) { total += counter.value(); });
  CHECK(total == 8000);
  CHECK(histogram.read().cumulative == std::vector<uint64_t>{4000, 8000});
  CHECK(histogram.read().sum == 4000 * 2.5);
}

TEST_CASE("log: parts are joined for a sink, and dropped without one", "[base][log]") {
  std::string seen;
  const LogSink sink = [&](LogLevel level, std::string_view message) {
    seen += std::to_string(static_cast<int>(level)) + " " + std::string(message);
  };
  log(sink, LogLevel::kWarning, "redis at ", "a:", 1, " is gone");
  log({}, LogLevel::kError, "nobody listens");
  CHECK(seen == "2 redis at a:1 is gone");
}
