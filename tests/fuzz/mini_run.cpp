// Runs a fuzz target without libFuzzer: its seeds, mutations of them with a fixed seed, or the files given.
//   fuzz_json [--runs N] [--seed S] [file...]
// When a target aborts, the input is in the file that the last line names.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "fuzz_target.h"

namespace {

constexpr unsigned kMaxSeconds = 60;       // of one input
constexpr rlim_t kMaxMemory = 4ULL << 30;  // of the process

std::string current;  // the input being tried
std::string crash_path;

// Only calls that a signal's handler may make.
void keep_input(int signal) {
  const int fd = ::open(crash_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd >= 0) {
    [[maybe_unused]] const ssize_t written = ::write(fd, current.data(), current.size());
    ::close(fd);
    const char* line = "the input is kept in ";
    [[maybe_unused]] ssize_t told = ::write(2, line, std::strlen(line));
    told = ::write(2, crash_path.data(), crash_path.size());
    told = ::write(2, "\n", 1);
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void try_input(std::string input) {
  current = std::move(input);
  ::alarm(kMaxSeconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(current.data()), current.size());
}

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, uint64_t seed) : seeds_(std::move(seeds)), random_(seed) {}

  std::string next() {
    std::string input = pick(seeds_);
    for (size_t n = 1 + below(4); n > 0; --n) mutate(input);
    return input;
  }

 private:
  size_t below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  template <class List>
  const typename List::value_type& pick(const List& list) {
    return list[below(list.size())];
  }

  // What parsers trip over.
  static constexpr std::array<std::string_view, 28> kPieces{"{",
                                                            "}",
                                                            "[",
                                                            "]",
                                                            "\"",
                                                            ":",
                                                            ",",
                                                            "null",
                                                            "true",
                                                            "-1",
                                                            "0",
                                                            "1e999",
                                                            "18446744073709551615",
                                                            "9223372036854775807",
                                                            "2147483648",
                                                            "0.5",
                                                            "\\u0000",
                                                            "\\ud800",
                                                            "\xFF",
                                                            "\xF0\x9F",
                                                            "\xEF\xBF\xBD",
                                                            "\n",
                                                            "\t",
                                                            "&a ",
                                                            "*a",
                                                            "---\n",
                                                            "- ",
                                                            "~"};

  void mutate(std::string& input) {
    const size_t at = below(input.size() + 1);
    switch (below(8)) {
      case 0:
        if (!input.empty()) input[below(input.size())] ^= static_cast<char>(1U << below(8));
        break;
      case 1:
        input.insert(at, pick(kPieces));
        break;
      case 2:
        input.erase(at, 1 + below(8));
        break;
      case 3:
        input.erase(at);
        break;
      case 4:
        input.insert(at, input.substr(below(input.size() + 1), below(40)));
        break;
      case 5:
        input = input.substr(0, at) + tail_of(pick(seeds_));
        break;
      case 6:
        replace_number(input, at);
        break;
      default:
        if (!input.empty()) input[below(input.size())] = static_cast<char>(below(256));
    }
  }

  std::string tail_of(const std::string& other) { return other.substr(below(other.size() + 1)); }

  void replace_number(std::string& input, size_t at) {
    const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    const auto begin = std::find_if(input.begin() + static_cast<ptrdiff_t>(at), input.end(), digit);
    const auto end = std::find_if_not(begin, input.end(), digit);
    if (begin != end) input.replace(begin, end, pick(kPieces));
  }

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

struct Arguments {
  int runs = vsr::fuzz::runs();
  uint64_t seed = 1;
  std::vector<std::string> files;
};

Arguments read_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--runs" && i + 1 < argc) {
      arguments.runs = std::stoi(argv[++i]);
    } else if (argument == "--seed" && i + 1 < argc) {
      arguments.seed = std::stoull(argv[++i]);
    } else {
      arguments.files.push_back(argument);
    }
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  const std::string program = std::filesystem::path(argv[0]).filename().string();
  crash_path = (std::filesystem::temp_directory_path() / (program + ".crash")).string();
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM}) ::signal(signal, &keep_input);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these map terabytes
  const rlimit limit{kMaxMemory, kMaxMemory};
  ::setrlimit(RLIMIT_AS, &limit);
#endif
  if (!arguments.files.empty()) {
    for (const std::string& path : arguments.files) {
      std::ifstream file(path, std::ios::binary);
      try_input({std::istreambuf_iterator<char>(file), {}});
    }
    return 0;
  }
  const std::vector<std::string> seeds = vsr::fuzz::seeds();
  for (const std::string& seed : seeds) try_input(seed);
  Mutator mutator(seeds, arguments.seed);
  for (int i = 0; i < arguments.runs; ++i) try_input(mutator.next());
  std::printf("%s: %zu seeds and %d mutations\n", program.c_str(), seeds.size(), arguments.runs);
}
