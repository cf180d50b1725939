// Loads a YAML file that holds one document.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

namespace vsr::cli {

// "file:line:column", or "file" where there is no place.
std::string yaml_place(const std::string& path, const YAML::Mark& mark);

// Throws Failure with a place for what is not YAML, for an empty file and for a second document.
YAML::Node load_yaml_document(const std::string& bytes, const std::string& path);

}  // namespace vsr::cli
