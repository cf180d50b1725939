#include "routing/request/joined_parts.h"

#include <utility>

#include "base/characters.h"

namespace vsr::routing {
namespace {

// More than any number, address or sentence takes.
constexpr size_t kReach = 1024;

std::string_view head(std::string_view part) {
  const size_t end = base::floor_boundary(part, kReach);
  return part.substr(0, end);
}

std::string_view tail(std::string_view part) {
  const size_t begin = base::ceil_boundary(part, part.size() - kReach);
  return part.substr(begin);
}

}  // namespace

void JoinedParts::add(std::string_view part) {
  if (part.empty()) return;
  // A line that ends there is read as it would be with nothing between.
  if (part.front() == '\n' || (!stretch_.empty() && stretch_.back() == '\n')) end_stretch();
  joined_ = !stretch_.empty();
  if (part.size() <= 2 * kReach) {
    stretch_ += part;
    return;
  }
  if (joined_) stretch_ += head(part);
  end_stretch();
  stretch_ = tail(part);
}

void JoinedParts::end_stretch() {
  if (joined_) {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    out_ += stretch_;
  }
  stretch_.clear();
  joined_ = false;
}

std::string JoinedParts::take() {
  end_stretch();
  return std::move(out_);
}

}  // namespace vsr::routing
