#include "base/metrics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace vsr::base {
namespace {

constexpr std::string_view kOther = "other";
// What OpenMetrics appends to names of its own.
constexpr std::array<std::string_view, 8> kSuffixes = {"_total", "_created", "_bucket", "_count",
                                                       "_sum",   "_gcount",  "_gsum",   "_info"};

bool is_name(std::string_view name, bool colon) {
  const auto letter = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (colon && c == ':');
  };
  if (name.empty() || !letter(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

void check_name(const MetricName& metric) {
  const std::string& name = metric.name;
  if (!is_name(name, true)) fail(Status::kInvalidArgument, "\"", name, "\" is no name of a metric");
  for (const std::string_view suffix : kSuffixes) {
    if (name.ends_with(suffix))
      fail(Status::kInvalidArgument, "metric ", name, " ends with ", suffix, ", which is added");
  }
  if (!metric.unit.empty() && !name.ends_with("_" + metric.unit)) {
    fail(Status::kInvalidArgument, "metric ", name, " does not end with its unit, _", metric.unit);
  }
  for (const std::string& label : metric.labels) {
    if (!is_name(label, false) || label.starts_with("__") || label == "le") {
      fail(Status::kInvalidArgument, "metric ", name, ": \"", label, "\" is no name of a label");
    }
    if (std::count(metric.labels.begin(), metric.labels.end(), label) > 1) {
      fail(Status::kInvalidArgument, "metric ", name, " has label ", label, " twice");
    }
  }
  if (metric.max_series == 0) fail(Status::kInvalidArgument, "metric ", name, ": max_series is 0, expected 1 or more");
}

void check_bounds(const std::string& name, const std::vector<double>& bounds) {
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (std::isfinite(bounds[i]) && (i == 0 || bounds[i - 1] < bounds[i])) continue;
    fail(Status::kInvalidArgument, "metric ", name, ": bound ", i, " is ", bounds[i], ", expected ascending numbers");
  }
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

// {a="x",b="y"}, with `le` last if it is not empty; nothing without labels.
std::string label_set(const std::vector<std::string>& names, const std::vector<std::string>& values,
                      const std::string& le = {}) {
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) {
    out += (out.empty() ? "{" : ",") + names[i] + "=\"" + escaped(values[i]) + "\"";
  }
  if (!le.empty()) out += (out.empty() ? "{le=\"" : ",le=\"") + le + "\"";
  return out.empty() ? out : out + "}";
}

void render_head(std::string& out, const MetricName& name, const char* type) {
  out += "# TYPE " + name.name + " " + type + "\n";
  if (!name.unit.empty()) out += "# UNIT " + name.name + " " + name.unit + "\n";
  if (!name.help.empty()) out += "# HELP " + name.name + " " + escaped(CleanText(name.help).view()) + "\n";
}

}  // namespace

const std::vector<double>& latency_bounds() {
  static const std::vector<double> bounds = {0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                             0.05,    0.1,    0.25,    0.5,    1,     2.5,    5,     10};
  return bounds;
}

Histogram::Histogram(const std::vector<double>& bounds)
    : bounds_(bounds), buckets_(std::make_unique<std::atomic<uint64_t>[]>(bounds.size() + 1)) {}

void Histogram::observe(double value) {
  if (std::isnan(value)) return;
  const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
  buckets_[bucket].fetch_add(1, std::memory_order_relaxed);
  sum_.fetch_add(value, std::memory_order_relaxed);
}

Histogram::Reading Histogram::read() const {
  Reading reading{std::vector<uint64_t>(bounds_.size() + 1), sum_.load(std::memory_order_relaxed)};
  uint64_t total = 0;
  for (size_t i = 0; i <= bounds_.size(); ++i) {
    reading.cumulative[i] = total += buckets_[i].load(std::memory_order_relaxed);
  }
  return reading;
}

template <class Metric>
Metric& MetricFamily<Metric>::with(const std::vector<std::string_view>& values) {
  if (values.size() != name_.labels.size()) {
    fail(Status::kInvalidArgument, "metric ", name_.name, " has ", name_.labels.size(), " labels, ", values.size(),
         " values were given");
  }
  std::vector<std::string> key;
  for (const std::string_view value : values) key.emplace_back(CleanText(value).view());
  {
    const std::shared_lock lock(mutex_);
    const auto found = series_.find(key);
    if (found != series_.end()) return *found->second;
  }
  const std::unique_lock lock(mutex_);
  if (series_.size() >= name_.max_series && !series_.contains(key)) key.assign(key.size(), std::string(kOther));
  auto& metric = series_[key];
  if (metric == nullptr) metric = make_();
  return *metric;
}

template <class Metric>
void MetricFamily<Metric>::for_each(const Visit& visit) const {
  const std::shared_lock lock(mutex_);
  for (const auto& [values, metric] : series_) visit(values, *metric);
}

template class MetricFamily<Counter>;
template class MetricFamily<Gauge>;
template class MetricFamily<Histogram>;

const MetricName* MetricRegistry::Entry::name() const {
  if (counter != nullptr) return &counter->name();
  if (gauge != nullptr) return &gauge->name();
  return histogram != nullptr ? &histogram->name() : nullptr;
}

template <class Family, class Make>
Family& MetricRegistry::find_or_make(const MetricName& name, std::unique_ptr<Family> Entry::*member, Make&& make) {
  check_name(name);
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[name.name];
  if (entry.name() == nullptr) make(entry);
  if (entry.*member == nullptr || entry.name()->labels != name.labels) {
    fail(Status::kInvalidArgument, "metric ", name.name, " is registered as another type or with other labels");
  }
  return *(entry.*member);
}

MetricFamily<Counter>& MetricRegistry::counter(const MetricName& name) {
  return find_or_make(name, &Entry::counter, [&](Entry& entry) {
    entry.counter = std::make_unique<MetricFamily<Counter>>(name, [] { return std::make_unique<Counter>(); });
  });
}

MetricFamily<Gauge>& MetricRegistry::gauge(const MetricName& name) {
  return find_or_make(name, &Entry::gauge, [&](Entry& entry) {
    entry.gauge = std::make_unique<MetricFamily<Gauge>>(name, [] { return std::make_unique<Gauge>(); });
  });
}

MetricFamily<Histogram>& MetricRegistry::histogram(const MetricName& name, const std::vector<double>& bounds) {
  check_bounds(name.name, bounds);
  return find_or_make(name, &Entry::histogram, [&](Entry& entry) {
    entry.bounds = bounds;
    const auto make = [bounds] { return std::make_unique<Histogram>(bounds); };
    entry.histogram = std::make_unique<MetricFamily<Histogram>>(name, make);
  });
}

void MetricRegistry::before_render(std::function<void()> collect) {
  const std::lock_guard lock(mutex_);
  collectors_.push_back(std::move(collect));
}

void MetricRegistry::render_entry(std::string& out, const Entry& entry) const {
  const MetricName& name = *entry.name();
  using Values = std::vector<std::string>;
  if (entry.counter != nullptr) {
    render_head(out, name, "counter");
    entry.counter->for_each([&](const Values& values, const Counter& counter) {
      out += name.name + "_total" + label_set(name.labels, values) + " " + std::to_string(counter.value()) + "\n";
    });
  } else if (entry.gauge != nullptr) {
    render_head(out, name, "gauge");
    entry.gauge->for_each([&](const Values& values, const Gauge& gauge) {
      out += name.name + label_set(name.labels, values) + " " + number(gauge.value()) + "\n";
    });
  } else {
    render_head(out, name, "histogram");
    entry.histogram->for_each([&](const Values& values, const Histogram& histogram) {
      const auto reading = histogram.read();
      for (size_t i = 0; i < reading.cumulative.size(); ++i) {
        const std::string le = i < entry.bounds.size() ? number(entry.bounds[i]) : "+Inf";
        out += name.name + "_bucket" + label_set(name.labels, values, le) + " ";
        out += std::to_string(reading.cumulative[i]) + "\n";
      }
      const std::string labels = label_set(name.labels, values);
      out += name.name + "_sum" + labels + " " + number(reading.sum) + "\n";
      out += name.name + "_count" + labels + " " + std::to_string(reading.cumulative.back()) + "\n";
    });
  }
}

std::string MetricRegistry::render() const {
  std::vector<std::function<void()>> collectors;
  {
    const std::lock_guard lock(mutex_);
    collectors = collectors_;
  }
  for (const auto& collect : collectors) collect();
  std::string out;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, entry] : entries_) render_entry(out, entry);
  return out + "# EOF\n";
}

}  // namespace vsr::base
