// Counters, gauges and histograms, rendered as OpenMetrics text
// (https://github.com/OpenObservability/OpenMetrics, version 1.0). Observing takes no lock and no memory; finding the
// series of given labels takes a lock, so hot paths keep the reference.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::base {

// Only ever grows. Thread-safe, as are the other two.
class Counter {
 public:
  void add(uint64_t amount = 1) { value_.fetch_add(amount, std::memory_order_relaxed); }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

class Gauge {
 public:
  void set(double value) { value_.store(value, std::memory_order_relaxed); }
  void add(double amount) { value_.fetch_add(amount, std::memory_order_relaxed); }
  double value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> value_{0};
};

// How many observations are at most each bound, their number and sum.
class Histogram {
 public:
  // `bounds`: ascending and finite; the last bucket, +Inf, is added.
  explicit Histogram(const std::vector<double>& bounds);
  // NaN is not counted: it would spoil the sum for good.
  void observe(double value);

  struct Reading {
    std::vector<uint64_t> cumulative;  // one per bound, and +Inf, which is the number of observations
    double sum;
  };
  // Observations made meanwhile may be in a bucket and not yet in the sum.
  Reading read() const;

 private:
  std::vector<double> bounds_;
  std::unique_ptr<std::atomic<uint64_t>[]> buckets_;
  std::atomic<double> sum_{0};
};

// 50 microseconds to 10 seconds, in seconds.
const std::vector<double>& latency_bounds();

struct MetricName {
  std::string name;  // [a-zA-Z_:][a-zA-Z0-9_:]*, without _total, _bucket, ...; with the unit at its end, if it has one
  std::string help = {};
  std::string unit = {};                 // "seconds", "bytes"; empty: none
  std::vector<std::string> labels = {};  // names; `le` and names that begin with __ are taken
  size_t max_series = 256;               // label values come from outside, so their number is bounded
};

// All series of one metric, one per tuple of label values.
template <class Metric>
class MetricFamily {
 public:
  using Make = std::function<std::unique_ptr<Metric>()>;
  MetricFamily(MetricName name, Make make) : name_(std::move(name)), make_(std::move(make)) {}

  // The series of these values, one per label name, made at first use; it lives as long as the registry. Once there are
  // `max_series`, any further tuple is counted in one series whose labels are all "other". Bytes that are not UTF-8
  // become U+FFFD. Throws kInvalidArgument for a wrong number of values.
  Metric& with(const std::vector<std::string_view>& values);

  const MetricName& name() const { return name_; }
  // In the order of the label values.
  using Visit = std::function<void(const std::vector<std::string>& values, const Metric& metric)>;
  void for_each(const Visit& visit) const;

 private:
  MetricName name_;
  Make make_;
  mutable std::shared_mutex mutex_;
  std::map<std::vector<std::string>, std::unique_ptr<Metric>> series_;
};

class MetricRegistry {
 public:
  // Registers a metric, or returns that of the same name. Throws kInvalidArgument for a name or label that OpenMetrics
  // does not allow, bounds that do not ascend, and a name that is registered with other labels or as another type.
  MetricFamily<Counter>& counter(const MetricName& name);
  MetricFamily<Gauge>& gauge(const MetricName& name);
  MetricFamily<Histogram>& histogram(const MetricName& name, const std::vector<double>& bounds = latency_bounds());

  // Called before each rendering, to set gauges that are read from elsewhere. Lives as long as the registry.
  void before_render(std::function<void()> collect);

  // application/openmetrics-text; version=1.0.0; charset=utf-8. Metrics in the order of their names. Thread-safe.
  std::string render() const;

 private:
  struct Entry {
    std::unique_ptr<MetricFamily<Counter>> counter = nullptr;
    std::unique_ptr<MetricFamily<Gauge>> gauge = nullptr;
    std::unique_ptr<MetricFamily<Histogram>> histogram = nullptr;
    std::vector<double> bounds = {};
    const MetricName* name() const;  // null: a new entry
  };
  // The family in that member of the name's entry, made by `make` when the name is new.
  template <class Family, class Make>
  Family& find_or_make(const MetricName& name, std::unique_ptr<Family> Entry::*member, Make&& make);
  void render_entry(std::string& out, const Entry& entry) const;

  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::vector<std::function<void()>> collectors_;
};

}  // namespace vsr::base
