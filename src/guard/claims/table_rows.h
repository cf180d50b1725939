// Rows of tables as sentences, each cell after the name of its column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vsr::guard {

class TableRows {
 public:
  // A fact with its rows "| a | b |" written out by the header above them, here or in a fact before: "Tariff a; Price
  // b."; the other lines as they are.
  std::string read(std::string_view text);

 private:
  std::string row(std::string_view line);

  std::vector<std::string> header_;
};

}  // namespace vsr::guard
