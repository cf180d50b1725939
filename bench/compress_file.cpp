// Compresses texts; bench/compression_quality.py and people read what it prints.
//   compress_file MAX_TOKENS FOCUS [--jsonl | --rounds N] < input
// The input is one text, and so is the output; --jsonl: each line is a JSON string, and so is each of the output;
// --rounds: prints the milliseconds of CPU time of the best and the median round instead.

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "routing/compress/compress.h"

namespace {

double cpu_milliseconds() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void compress_lines(const vsr::routing::CompressOptions& options) {
  for (std::string line; std::getline(std::cin, line);) {
    const std::string text = nlohmann::json::parse(line).get<std::string>();
    std::cout << nlohmann::json(vsr::routing::compress(text, options).text).dump() << '\n';
  }
}

void time_rounds(const std::string& text, const vsr::routing::CompressOptions& options, size_t count) {
  std::vector<double> rounds;
  vsr::routing::Compressed result;
  for (size_t i = 0; i < count; ++i) {
    const double start = cpu_milliseconds();
    result = vsr::routing::compress(text, options);
    rounds.push_back(cpu_milliseconds() - start);
  }
  std::sort(rounds.begin(), rounds.end());
  std::cout << "{\"best_ms\": " << rounds.front() << ", \"median_ms\": " << rounds[rounds.size() / 2]
            << ", \"tokens_before\": " << result.tokens_before << ", \"tokens_after\": " << result.tokens_after
            << ", \"bytes\": " << text.size() << "}\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2) {
    std::cerr << "compress_file MAX_TOKENS FOCUS [--jsonl | --rounds N]\n";
    return 2;
  }
  try {
    const vsr::routing::CompressOptions options{.max_tokens = std::strtoul(arguments[0].c_str(), nullptr, 10),
                                                .focus = std::strtod(arguments[1].c_str(), nullptr)};
    if (arguments.size() > 2 && arguments[2] == "--jsonl") {
      compress_lines(options);
      return 0;
    }
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    if (arguments.size() > 3 && arguments[2] == "--rounds") {
      time_rounds(text, options, std::max(std::strtoul(arguments[3].c_str(), nullptr, 10), 1UL));
    } else {
      std::cout << vsr::routing::compress(text, options).text << '\n';
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
