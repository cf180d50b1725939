#include "guard/stream/stream.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "base/error.h"
#include "guard/stream/policy_run.h"
#include "guard/stream/source.h"

namespace vsr::guard {
namespace {

constexpr auto kFields = std::to_array<std::string_view>({"data", "event", "id", "retry"});
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t kMostBlank = 1024;

// By the first bytes: a field or a comment of a server-sent event, a brace, or else text. Nothing: too few bytes.
std::optional<StreamFormat> detect(std::string_view bytes, bool last) {
  if (bytes.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(bytes) && !last) return std::nullopt;
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  const size_t blank = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  if (blank > kMostBlank) return StreamFormat::kText;
  bytes.remove_prefix(blank);
  if (bytes.empty()) return last ? std::optional(StreamFormat::kText) : std::nullopt;
  if (bytes.front() == '{') return StreamFormat::kJson;
  if (bytes.front() == ':') return StreamFormat::kSse;
  for (const std::string_view field : kFields) {
    if (bytes.size() <= field.size()) {
      if (field.starts_with(bytes) && !last) return std::nullopt;
    } else if (bytes.starts_with(field) && bytes[field.size()] == ':') {
      return StreamFormat::kSse;
    }
  }
  return StreamFormat::kText;
}

std::unique_ptr<Source> make_source(StreamFormat format, const StreamOptions& options) {
  switch (format) {
    case StreamFormat::kSse:
      return make_sse_source(options.event_bytes);
    case StreamFormat::kJson:
      return options.restoring ? make_restore_source(options.body_bytes) : make_body_source(options.body_bytes);
    case StreamFormat::kAuto:
    case StreamFormat::kText:
      break;
  }
  return make_text_source();
}

void check_task(const FactSet& facts, const std::string& task, inference::TaskUse use, const char* option) {
  if (task.empty()) return;
  if (facts.models() == nullptr) {
    base::fail(base::Status::kInvalidArgument, option, ": task \"", task,
               "\" without models (hint: facts with a model)");
  }
  const std::string missing = facts.models()->missing(task, use);
  if (!missing.empty()) base::fail(base::Status::kNotFound, option, ": ", missing);
}

// What misuse by a second thread would corrupt; languages above C promise their users that it does not.
class OneAtATime {
 public:
  explicit OneAtATime(std::atomic_flag& in_use) : in_use_(in_use) {
    if (in_use_.test_and_set(std::memory_order_acquire))
      base::fail(base::Status::kState, "guard: two threads use it at the same time");
  }
  ~OneAtATime() { in_use_.clear(std::memory_order_release); }
  OneAtATime(const OneAtATime&) = delete;
  OneAtATime& operator=(const OneAtATime&) = delete;

 private:
  std::atomic_flag& in_use_;
};

}  // namespace

struct Stream::State : OwnEvents {
  State(std::shared_ptr<const FactSet> facts, StreamOptions options)
      : run(std::move(facts), std::move(options), *this) {
    if (run.options().format != StreamFormat::kAuto) source = make_source(run.options().format, run.options());
  }

  std::string text_event(const chat::LaneKey& lane, std::string_view text) override {
    return source ? source->text_event(lane, text) : std::string();
  }
  std::string note_event(const chat::Json& note) override { return source ? source->note_event(note) : std::string(); }
  std::string ending(const chat::Sent& sent) override { return source ? source->ending(sent) : std::string(); }
  bool keeps_text() const override { return source && source->keeps_text(); }

  void feed(std::string_view bytes, bool last) {
    if (!source) {
      first += bytes;
      const auto format = detect(first, last);
      if (!format) return;
      source = make_source(*format, run.options());
      const std::string all = std::exchange(first, {});
      if (!all.empty()) source->feed(run, all);
    } else if (!bytes.empty()) {
      source->feed(run, bytes);
    }
  }

  std::unique_ptr<Source> source;  // null: not known yet
  PolicyRun run;
  std::string first;  // too few bytes to know
  bool finished = false;
  std::atomic_flag in_use = ATOMIC_FLAG_INIT;
};

Stream::Stream(std::shared_ptr<const FactSet> facts, StreamOptions options) {
  check_task(*facts, options.pii_task, inference::TaskUse::kFindEntities, "pii_task");
  check_task(*facts, options.jailbreak_task, inference::TaskUse::kClassify, "jailbreak_task");
  state_ = std::make_unique<State>(std::move(facts), std::move(options));
}
Stream::~Stream() = default;
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;

StreamStep Stream::feed(std::string_view bytes) {
  const OneAtATime one(state_->in_use);
  if (state_->finished) base::fail(base::Status::kState, "guard: fed after its end");
  PolicyRun& run = state_->run;
  if (run.ended()) return run.take_step();
  run.begin_step();
  if (bytes.empty()) {
    run.settle(false);
  } else {
    state_->feed(bytes, false);
  }
  return run.take_step();
}

StreamStep Stream::finish() {
  const OneAtATime one(state_->in_use);
  if (std::exchange(state_->finished, true)) base::fail(base::Status::kState, "guard: finished twice");
  PolicyRun& run = state_->run;
  if (run.ended()) return run.take_step();
  run.begin_step();
  state_->feed({}, true);
  if (!run.ended()) state_->source->finish(run);
  return run.take_step();
}

std::string Stream::describe() const {
  const OneAtATime one(state_->in_use);
  chat::Json json = state_->run.describe();
  std::string flagged;
  for (const auto& [kind, count] : json["events"].items()) {
    flagged += (flagged.empty() ? "" : ", ") + kind + "=" + std::to_string(count.get<size_t>());
  }
  json["headers"] = {{"x-vsr-guard-events", flagged.empty() ? "none" : flagged},
                     {"x-vsr-guard-checked", std::to_string(json["checked"].get<size_t>())},
                     {"x-vsr-guard-overloads", std::to_string(json["overloads"].get<size_t>())}};
  return chat::dump_json(json);
}

}  // namespace vsr::guard
