// The text parts of one content as a chat template prints them that puts nothing between them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vsr::routing {

// Parts are read one by one, each on lines of its own. A word or a number that is cut in two by the end of a part is
// read nowhere then, so this holds, besides, what is around the joints: parts up to 2 KB whole, of longer ones the
// kilobyte at each end. It never takes more bytes than the parts.
class JoinedParts {
 public:
  void add(std::string_view part);
  // What was joined, each stretch on lines of its own; empty where no two parts meet within a line.
  std::string take();

 private:
  void end_stretch();

  std::string stretch_, out_;
  bool joined_ = false;  // the stretch holds a joint
};

}  // namespace vsr::routing
