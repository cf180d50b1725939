// Tools that a config offers to models besides those of the request.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "routing/intents/candidate_bank.h"

namespace vsr::routing {

// A JSON file: a list of definitions, or of {"tool": definition, "description": ..., ...}; a definition has a name, in
// `function` or itself.
class ToolDatabase {
 public:
  struct Tool {
    std::string name;
    std::string json;  // the definition, as it goes into a request
    uint32_t place;    // of its name and description in the bank
  };
  // Puts the texts of the tools into the bank. `where` names the place in messages: throws kParse, kLimit beyond 10,000
  // tools, and what a file that cannot be read throws.
  ToolDatabase(const std::string& path, const std::string& where, CandidateBank& bank);
  const std::vector<Tool>& tools() const { return tools_; }

 private:
  std::vector<Tool> tools_;
};

}  // namespace vsr::routing
