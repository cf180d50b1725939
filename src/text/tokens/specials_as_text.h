// Who writes a text may spell out special tokens ("[SEP]", "<|im_end|>"). To most callers, as to transformers, they are
// the tokens; to who guards against that text they are words of it, since tokens of a template hide what is around
// them.
#pragma once

namespace vsr::text {

// While it lives, what this thread tokenizes has no special tokens but those of the template: transformers'
// split_special_tokens=True, and besides, a spelling that the model's own vocabulary has is cut after its first
// character.
class SpecialsAsText {
 public:
  explicit SpecialsAsText(bool active = true);
  ~SpecialsAsText();
  SpecialsAsText(const SpecialsAsText&) = delete;
  SpecialsAsText& operator=(const SpecialsAsText&) = delete;

  static bool active() { return active_; }

 private:
  static thread_local bool active_;
  bool before_;
};

}  // namespace vsr::text
