// "Did you mean": the nearest of the names that would have been right, for messages about one that is not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vsr::base {

// ` (did you mean "models"?)`, or nothing when no name is within two edits. Names of more than 100 bytes have no
// suggestion, so that the time is linear in the number of names.
std::string suggestion(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace vsr::base
