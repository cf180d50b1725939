#include "intents_file.h"

#include "failure.h"
#include "input.h"

namespace vsr::cli {

IntentsFile read_intents_file(const std::string& path) {
  if (path.ends_with(".csv")) return parse_intents_csv(read_file(path), path);
  if (path.ends_with(".yaml") || path.ends_with(".yml")) return parse_intents_yaml(read_file(path), path);
  throw Failure(path + ": the name of an intents file ends in .yaml, .yml or .csv");
}

}  // namespace vsr::cli
