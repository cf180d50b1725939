// What a call that must fail fails with.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "base/error.h"

namespace vsr::test {

struct Failure {
  std::optional<base::Status> status;  // nothing: the call succeeded
  std::string message;
  friend bool operator==(const Failure&, const Failure&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const Failure& failure) {
  return failure.status ? out << "status " << static_cast<int>(*failure.status) << ", " << failure.message
                        : out << "no failure";
}

template <class Body>
Failure failure_of(Body&& body) {
  try {
    body();
  } catch (const base::Error& error) {
    return {error.status(), error.what()};
  }
  return {};
}

}  // namespace vsr::test
