// Answers as plain text.
#include <algorithm>

#include "base/characters.h"
#include "base/utf8.h"
#include "guard/stream/source.h"

namespace vsr::guard {
namespace {

constexpr chat::LaneKey kLane{};
constexpr size_t kMostWaited = 64;

// Bytes at the end that may be the beginning of a character.
size_t cut_character(std::string_view text) {
  for (size_t back = 1; back <= std::min<size_t>(3, text.size()); ++back) {
    const char byte = text[text.size() - back];
    if (base::is_continuation(byte)) continue;
    const auto c = static_cast<unsigned char>(byte);
    const size_t size = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    return size > back ? back : 0;
  }
  return 0;
}

class TextSource : public Source {
 public:
  void feed(PolicyRun& run, std::string_view bytes) override {
    if (run.observes()) {
      run.forward(bytes);
      judge(run, bytes);
    } else if (changes_no_text(run.options()) && !run.holds()) {
      run.hold({.raw = std::string(bytes)});
      judge(run, bytes);
      run.settle(false);
    } else if (run.holds()) {
      hold(run, bytes);
    } else {
      feed_characters(run, bytes);
    }
  }

  void finish(PolicyRun& run) override {
    if (!run.observes() && !cut_.empty()) hold(run, std::exchange(cut_, {}));
    if (run.ended()) return;
    run.finish_all();
    run.act();
    run.settle(true);
  }

  std::string text_event(const chat::LaneKey&, std::string_view text) override { return std::string(text); }
  std::string note_event(const chat::Json&) override { return {}; }
  std::string ending(const chat::Sent&) override { return {}; }
  bool keeps_text() const override { return false; }

 private:
  static void judge(PolicyRun& run, std::string_view bytes) {
    run.feed(kLane, bytes);
    run.act();
  }

  static void hold(PolicyRun& run, std::string_view bytes) {
    if (bytes.empty()) return;
    const size_t begin = run.length(kLane);
    run.hold({.raw = std::string(bytes), .spans = {{kLane, begin, begin + bytes.size()}}});
    judge(run, bytes);
    if (!run.ended()) run.settle(false);
  }

  // Character by character, so that what a policy adds is at the same place however the text arrives.
  void feed_characters(PolicyRun& run, std::string_view bytes) {
    std::string joined;
    if (!cut_.empty()) {
      joined = std::exchange(cut_, {}).append(bytes);
      bytes = joined;
    }
    const size_t cut = cut_character(bytes);
    cut_ = bytes.substr(bytes.size() - cut);
    bytes.remove_suffix(cut);
    while (!bytes.empty() && !run.ended()) {
      const std::string_view one = bytes.substr(0, base::decode_utf8(bytes).size);
      const size_t begin = run.length(kLane);
      run.feed(kLane, one);
      // A marker waits for the end of a word, a bounded one.
      const bool within = in_word(last_) && in_word(one.front()) && does(run.options(), Policy::kWarn);
      last_ = one.back();
      waited_ = run.has_found() && within ? waited_ + one.size() : 0;
      if (!run.has_found() || (waited_ > 0 && waited_ < kMostWaited)) {
        if (!run.ended()) run.forward(one);
      } else {
        run.hold({.raw = std::string(one), .spans = {{kLane, begin, begin + one.size()}}});
        run.act();
        if (!run.ended()) run.settle(false);
      }
      bytes.remove_prefix(one.size());
    }
  }

  static bool in_word(char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
  }

  std::string cut_;    // a character that is not whole
  char last_ = ' ';    // that left
  size_t waited_ = 0;  // bytes of a word that left since something was found
};

}  // namespace

std::unique_ptr<Source> make_text_source() { return std::make_unique<TextSource>(); }

}  // namespace vsr::guard
