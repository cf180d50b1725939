#include "routing/intents/intents_source.h"

#include "base/error.h"
#include "base/file.h"

namespace vsr::routing {

IntentsSource read_intents_source(const std::string& path) {
  const bool is_csv = path.ends_with(".csv");
  if (!is_csv && !path.ends_with(".yaml") && !path.ends_with(".yml")) {
    base::fail(base::Status::kInvalidArgument, path, ": the name of an intents file ends in .yaml, .yml or .csv");
  }
  const base::FileContents file(path);
  return is_csv ? parse_intents_csv(file.text(), path) : parse_intents_yaml(file.text(), path);
}

}  // namespace vsr::routing
