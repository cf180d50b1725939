// What ends a command early: exit code 1 for what could not be done, 2 for a wrong way of asking.
#pragma once

#include <stdexcept>
#include <string>

namespace vsr::cli {

class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message, int exit_code = 1)
      : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

class UsageError : public Failure {
 public:
  explicit UsageError(const std::string& message) : Failure(message, 2) {}
};

}  // namespace vsr::cli
