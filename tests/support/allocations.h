// How much memory a piece of code takes at its greatest, by what it asks `new` for. The program's operators count.
#pragma once

#include <cstddef>

namespace vsr::test {

// Of all threads, since it was made.
class AllocationPeak {
 public:
  AllocationPeak();
  size_t bytes() const;

 private:
  size_t before_;
};

}  // namespace vsr::test
