// A policy as it is written on the command line: "quality=0.8,latency=0.2,language=de".
#pragma once

#include <string>

#include "vsr/vsr.h"

namespace vsr::cli {

class Policy {
 public:
  // Throws UsageError for what is no policy.
  explicit Policy(const std::string& text);
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  const vsr_policy_options* get() const { return &policy_; }

 private:
  void set(const std::string& name, const std::string& value);
  std::string language_;
  vsr_policy_options policy_ = VSR_POLICY_OPTIONS_INIT;
};

}  // namespace vsr::cli
