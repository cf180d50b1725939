// Times a tokenizer; bench/tokenizer_speed.py runs it beside Hugging Face's.
//   tokenizer_bench TOKENIZER FILE DOCUMENT_BYTES THREADS ROUNDS
// Prints one line of JSON: milliseconds of CPU time to load, the best and the median round over all documents (CPU time
// of all threads, and the best as time that passes), and the tokens.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "text/load_tokenizer.h"

namespace {

// Time that this process has computed, so that a busy machine does not show; with one thread it is the time that passes
// on an idle one.
double cpu_milliseconds() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Parts of about `bytes` bytes, cut between characters.
std::vector<std::string_view> documents(std::string_view text, size_t bytes) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    size_t end = std::min(bytes, text.size());
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return parts;
}

size_t tokenize(const vsr::text::Tokenizer& tokenizer, const std::vector<std::string_view>& parts, size_t threads) {
  std::vector<size_t> tokens(threads);
  const auto work = [&](size_t which) {
    for (size_t i = which; i < parts.size(); i += threads) tokens[which] += tokenizer.tokenize(parts[i]).ids.size();
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < threads; ++i) others.emplace_back(work, i);
  work(0);
  for (std::thread& thread : others) thread.join();
  size_t all = 0;
  for (const size_t n : tokens) all += n;
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fputs("tokenizer_bench TOKENIZER FILE DOCUMENT_BYTES THREADS ROUNDS\n", stderr);
    return 2;
  }
  try {
    const double begin = cpu_milliseconds();
    const auto tokenizer = vsr::text::load_tokenizer(argv[1]);
    const double load = cpu_milliseconds() - begin;
    const vsr::base::FileContents file(argv[2]);
    const auto parts = documents(file.text(), std::strtoul(argv[3], nullptr, 10));
    const size_t threads = std::strtoul(argv[4], nullptr, 10);
    std::vector<double> rounds;
    double best_wall = 1e300;
    size_t tokens = 0;
    for (unsigned long i = 0; i < std::strtoul(argv[5], nullptr, 10); ++i) {
      const double start = cpu_milliseconds();
      const auto wall = std::chrono::steady_clock::now();
      tokens = tokenize(*tokenizer, parts, threads);
      rounds.push_back(cpu_milliseconds() - start);
      const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - wall;
      best_wall = std::min(best_wall, passed.count());
    }
    std::sort(rounds.begin(), rounds.end());
    std::printf(
        "{\"load_ms\": %.1f, \"best_ms\": %.4f, \"best_wall_ms\": %.4f, \"median_ms\": %.2f, \"tokens\": %zu, "
        "\"documents\": %zu}\n",
        load, rounds.front(), best_wall, rounds[rounds.size() / 2], tokens, parts.size());
  } catch (const vsr::base::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
