// vsr bench: how fast a model of the user's is on this machine, for one caller and for many.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>

#include "arguments.h"
#include "commands.h"
#include "terminal.h"

namespace vsr::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostCallers = 1024;

struct BenchArguments {
  ModelArguments model;
  std::vector<size_t> lengths = {32, 128, 512};
  size_t batch = 1;
  size_t callers = 1;
  bool mixed = false;
  double seconds = 2;
  bool json = false;
};

// A text of about `tokens` tokens, the special ones included: of words that are a token each in most vocabularies.
struct Sample {
  std::string text;
  size_t tokens;
};

Sample sample_of(const vsr_tokenizer* tokenizer, size_t tokens) {
  static constexpr std::string_view kWords[] = {"the", "of", "and", "to", "in", "is", "on", "for", "it", "was"};
  const auto count = [&](const std::string& text) {
    const Encoding encoding = make<Encoding>([&](vsr_encoding** out, vsr_error* error) {
      return vsr_tokenizer_encode(tokenizer, view(text), nullptr, 1, out, error);
    });
    return vsr_encoding_token_count(encoding.get());
  };
  const size_t specials = count("");
  std::string text;
  for (size_t i = specials; i < tokens; ++i) text += (text.empty() ? "" : " ") + std::string(kWords[i % 10]);
  const size_t found = count(text);
  return {std::move(text), found};
}

// What one caller does again and again: a batch of texts of one length, or with --mixed of the next lengths in turn.
class Calls {
 public:
  Calls(const vsr_engine* engine, const BenchArguments& arguments, const std::vector<Sample>& samples)
      : engine_(engine), arguments_(arguments), samples_(samples) {
    const std::string& tasks = arguments.model.task;
    for (size_t begin = 0; begin < tasks.size();) {
      const size_t end = std::min(tasks.find(',', begin), tasks.size());
      tasks_.push_back(tasks.substr(begin, end - begin));
      begin = end + 1;
    }
    for (const std::string& task : tasks_) names_.push_back(task.c_str());
  }

  // Call number `index`; returns its tokens.
  size_t run(size_t index) const {
    std::vector<vsr_str> texts;
    size_t tokens = 0;
    for (size_t i = 0; i < arguments_.batch; ++i) {
      const Sample& sample = samples_[(index + i) % samples_.size()];
      texts.push_back(view(sample.text));
      tokens += sample.tokens;
    }
    if (names_.empty()) {
      make<Result>([&](vsr_result** out, vsr_error* error) {
        return vsr_embed(engine_, texts.data(), texts.size(), nullptr, out, error);
      });
    } else {
      const Multi answers = make<Multi>([&](vsr_multi_result** out, vsr_error* error) {
        return vsr_classify_all(engine_, texts.data(), nullptr, texts.size(), names_.data(), names_.size(), nullptr,
                                out, error);
      });
      for (size_t i = 0; i < names_.size(); ++i) {
        const vsr_task_outcome& outcome = *vsr_multi_result_outcome(answers.get(), i);
        if (outcome.status != VSR_OK) throw Failure(text_of(outcome.message));
      }
    }
    return tokens;
  }

 private:
  const vsr_engine* engine_;
  const BenchArguments& arguments_;
  const std::vector<Sample>& samples_;
  std::vector<std::string> tasks_;
  std::vector<const char*> names_;
};

struct Measured {
  std::vector<double> milliseconds;  // of each call, ascending
  double tokens_per_second = 0;
  double percentile(double p) const {
    return milliseconds[static_cast<size_t>(p * static_cast<double>(milliseconds.size() - 1))];
  }
};

// The callers begin together; calls that end after the time is up are counted with the time that they took.
Measured measure(const Calls& calls, const BenchArguments& arguments) {
  std::mutex mutex;
  Measured measured;
  size_t tokens = 0;
  std::exception_ptr failed;
  const Clock::time_point start = Clock::now();
  const auto end = start + std::chrono::duration<double>(arguments.seconds);
  const auto seconds_since = [](Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  };
  const auto caller = [&](size_t first) {
    try {
      std::vector<double> own;
      size_t own_tokens = 0;
      for (size_t n = 0; n < 3 || Clock::now() < end; ++n) {
        const Clock::time_point begin = Clock::now();
        own_tokens += calls.run(first + n);
        own.push_back(seconds_since(begin) * 1e3);
      }
      const std::lock_guard lock(mutex);
      tokens += own_tokens;
      measured.milliseconds.insert(measured.milliseconds.end(), own.begin(), own.end());
    } catch (...) {
      const std::lock_guard lock(mutex);
      failed = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 0; i < arguments.callers; ++i) threads.emplace_back(caller, i);
  for (std::thread& thread : threads) thread.join();
  if (failed) std::rethrow_exception(failed);
  measured.tokens_per_second = static_cast<double>(tokens) / seconds_since(start);
  std::sort(measured.milliseconds.begin(), measured.milliseconds.end());
  return measured;
}

Table table() {
  return Table({{"tokens", 12, Align::kRight},
                {"calls", 8, Align::kRight},
                {"tokens/s", 10, Align::kRight},
                {"min ms", 9, Align::kRight},
                {"median", 9, Align::kRight},
                {"p95", 9, Align::kRight},
                {"p99", 9, Align::kRight}});
}

void print(const BenchArguments& arguments, const std::vector<Sample>& samples, const Measured& measured) {
  const Sample& least = samples.front();
  const Sample& most = samples.back();
  if (arguments.json) {
    Json object{{"tokens", Json::array()}, {"batch", arguments.batch}, {"callers", arguments.callers}};
    for (const Sample& sample : samples) object["tokens"].push_back(sample.tokens);
    object["calls"] = measured.milliseconds.size();
    object["tokens_per_second"] = static_cast<float>(measured.tokens_per_second);
    object["min_ms"] = static_cast<float>(measured.milliseconds.front());
    object["median_ms"] = static_cast<float>(measured.percentile(0.5));
    object["p95_ms"] = static_cast<float>(measured.percentile(0.95));
    object["p99_ms"] = static_cast<float>(measured.percentile(0.99));
    print_json(object);
    return;
  }
  const std::string tokens =
      samples.size() == 1 ? format_count(least.tokens) : format_count(least.tokens) + "-" + format_count(most.tokens);
  std::vector<Cell> cells{{tokens},
                          {format_count(measured.milliseconds.size())},
                          {format_count(static_cast<size_t>(measured.tokens_per_second))},
                          {format_number(measured.milliseconds.front(), 2)}};
  for (const double p : {0.5, 0.95, 0.99}) cells.push_back({format_number(measured.percentile(p), 2)});
  table().print_row(cells);
}

void check_arguments(const BenchArguments& arguments) {
  require_model(arguments.model);
  if (arguments.batch == 0) throw UsageError("--batch is 0, expected 1 or more");
  if (arguments.callers == 0 || arguments.callers > kMostCallers) {
    throw UsageError("--callers is " + std::to_string(arguments.callers) + ", expected 1 to " +
                     std::to_string(kMostCallers));
  }
  if (!(arguments.seconds > 0 && arguments.seconds <= 3600)) throw UsageError("--seconds is not between 0 and 3600");
}

void bench(const BenchArguments& arguments) {
  check_arguments(arguments);
  const Engine engine = open_engine(arguments.model);
  const Tokenizer tokenizer = make<Tokenizer>(
      [&](vsr_tokenizer** out, vsr_error* error) { return vsr_engine_tokenizer(engine.get(), nullptr, out, error); });
  std::vector<std::vector<Sample>> runs;
  for (const size_t length : arguments.lengths) {
    if (runs.empty() || !arguments.mixed) runs.emplace_back();
    runs.back().push_back(sample_of(tokenizer.get(), length));
  }
  if (!arguments.json) {
    print_line(styled(format_count(arguments.callers, "caller") + ", " + format_count(arguments.batch, "text") +
                          " a call, " + format_number(arguments.seconds, 1) + " s each",
                      Style::kDim));
    table().print_header();
  }
  for (const std::vector<Sample>& samples : runs) {
    const Calls calls(engine.get(), arguments, samples);
    for (size_t i = 0; i < samples.size(); ++i) calls.run(i);  // pages the weights in
    print(arguments, samples, measure(calls, arguments));
  }
}

}  // namespace

void add_bench_command(CLI::App& program) {
  CLI::App& app = *program.add_subcommand("bench", "measure how fast a model is on this machine");
  const auto arguments = std::make_shared<BenchArguments>();
  add_model_arguments(app, arguments->model);
  app.add_option("--lengths", arguments->lengths, "tokens of a text; several: measured one after another")
      ->type_name("N")
      ->delimiter(',')
      ->check(CLI::Range(size_t{1}, size_t{1} << 20));
  app.add_option("--batch", arguments->batch, "texts of one call")->type_name("N");
  app.add_option("--callers", arguments->callers, "threads that call at the same time")->type_name("N");
  app.add_flag("--mixed", arguments->mixed, "each caller goes through all lengths, in one measurement");
  app.add_option("--seconds", arguments->seconds, "how long to measure")->type_name("S");
  app.add_flag("--json", arguments->json, "one JSON object per line");
  app.callback([arguments] { bench(*arguments); });
}

}  // namespace vsr::cli
