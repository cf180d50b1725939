#include "base/suggestion.h"

#include <catch2/catch.hpp>

using vsr::base::suggestion;

TEST_CASE("suggestion: the nearest name within two edits", "[base][suggestion]") {
  CHECK(suggestion("modls", {"tasks", "models", "model"}) == R"( (did you mean "models"?))");
  CHECK(suggestion("xyz", {"tasks", "models"}).empty());
  CHECK(suggestion("a", {}).empty());
  CHECK(suggestion(std::string(101, 'a'), {"a"}).empty());
}
