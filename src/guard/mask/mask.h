// Personal data out of a request, and back into its answer.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "guard/mask/placeholders.h"
#include "inference/inference.h"

namespace vsr::guard {

struct MaskOptions {
  std::string key = {};     // of the placeholders; empty: a random one
  std::string tenant = {};  // the same value of another tenant has another placeholder
  std::shared_ptr<const inference::Inference> models = nullptr;
  std::string pii_task = {};         // entities that have no form, such as names; empty: not asked
  float threshold = 0.5F;            // least score of what is masked
  std::set<std::string> types = {};  // Presidio's names; empty: all but URL
};

// What one tenant's requests have masked. Thread-safe.
class Mask {
 public:
  // Throws kInvalidArgument and kNotFound for a task that the models do not have.
  explicit Mask(MaskOptions options);

  // Throws kLimit for more values than Placeholders keeps, and what the models throw: then nothing may leave.
  std::string text(std::string_view text, const base::CallLimits& limits) const;
  // A request of any API: every string and long number of the JSON but names of roles, types, models and ids, and bytes
  // of images, sounds and files. What is not masked stays byte for byte. Throws kParse for what is no JSON in UTF-8.
  std::string request(std::string_view json, const base::CallLimits& limits) const;
  std::string restored(std::string_view text) const;
  const std::shared_ptr<const Placeholders>& placeholders() const { return read_; }

 private:
  struct Text {
    std::string_view text;
    bool ask_model;
  };
  std::vector<std::optional<std::string>> masked(const std::vector<Text>& texts, const base::CallLimits& limits) const;
  std::optional<std::string> masked_patterns(std::string text) const;

  const MaskOptions options_;
  const std::shared_ptr<Placeholders> placeholders_;
  const std::shared_ptr<const Placeholders> read_;
};

// How answers are read back.
struct Restoring {
  std::shared_ptr<const Placeholders> placeholders;
  bool fail_on_unknown = false;  // what looks like a placeholder and is none ends the answer; else it stays
};

// An answer that is whole: its strings with values in the place of placeholders; in JSON that a string holds (arguments
// of calls) as that needs them. `unknown`: whether one is none of these.
std::string restored_body(std::string_view json, const Placeholders& placeholders, bool& unknown);

}  // namespace vsr::guard
