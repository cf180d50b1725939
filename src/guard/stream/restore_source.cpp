// Answers that are no streams and hold placeholders: every string of the body, when it is whole.
#include <string>
#include <utility>

#include "base/error.h"
#include "guard/mask/mask.h"
#include "guard/stream/source.h"

namespace vsr::guard {
namespace {

class RestoreSource : public Source {
 public:
  explicit RestoreSource(size_t most_bytes) : most_bytes_(most_bytes) {}

  void feed(PolicyRun& run, std::string_view bytes) override {
    if (passed_over_) return run.forward(bytes);
    body_ += bytes;
    if (body_.size() > most_bytes_) pass_over(run, "an answer is longer than what is read");
  }

  void finish(PolicyRun& run) override {
    if (passed_over_) return;
    const Restoring& restoring = *run.options().restoring;
    bool unknown = false;
    std::string restored;
    try {
      restored = restored_body(body_, *restoring.placeholders, unknown);
    } catch (const base::Error&) {
      return pass_over(run, "an answer is no JSON that can be read");
    }
    if (unknown && restoring.fail_on_unknown) return run.overload("a placeholder that is not known");
    run.forward(restored);
  }

  std::string text_event(const chat::LaneKey&, std::string_view) override { return {}; }
  std::string note_event(const chat::Json&) override { return {}; }
  std::string ending(const chat::Sent&) override {
    return R"({"error":{"message":"the answer cannot be restored","type":"content_filter","code":"content_filter"}})";
  }
  bool keeps_text() const override { return false; }

 private:
  // As it came, unless that is not allowed.
  void pass_over(PolicyRun& run, std::string why) {
    passed_over_ = true;
    run.overload(std::move(why));
    const std::string body = std::exchange(body_, {});
    if (!run.ended()) run.forward(body);
  }

  size_t most_bytes_;
  std::string body_;
  bool passed_over_ = false;
};

}  // namespace

std::unique_ptr<Source> make_restore_source(size_t most_bytes) { return std::make_unique<RestoreSource>(most_bytes); }

}  // namespace vsr::guard
