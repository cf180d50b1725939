// Milliseconds of one forward pass by vsr's kernels and by LibTorch's plain operators, in turns in one run.
//
//     build/bin/forward_bench FOLDER [--threads N] [--seconds S] [--lengths 32 128 512 2048]
//
// One text per pass, of random tokens. Times are processor time per thread (the least of all passes), which other
// programs on the machine disturb least. "difference" is the largest between the two paths' hidden states.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/json.h"
#include "core/kernels/path.h"
#include "core/weights.h"
#include "models/registry.h"

namespace {

using vsr::core::PackedBatch;

struct Arguments {
  std::string folder;
  int threads = 1;
  double seconds = 3;
  std::vector<int64_t> lengths;
};

Arguments read_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--threads") {
      arguments.threads = std::stoi(words.at(++i));
    } else if (words[i] == "--seconds") {
      arguments.seconds = std::stod(words.at(++i));
    } else if (words[i] == "--lengths") {
      while (i + 1 < words.size()) arguments.lengths.push_back(std::stoll(words[++i]));
    } else {
      arguments.folder = words[i];
    }
  }
  if (arguments.lengths.empty()) arguments.lengths = {32, 128, 512, 2048};
  return arguments;
}

PackedBatch random_batch(int64_t length, int64_t vocab_size) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int32_t> ids(0, static_cast<int32_t>(vocab_size - 1));
  vsr::text::Encoding encoding;
  for (int64_t i = 0; i < length; ++i) encoding.ids.push_back(ids(random));
  encoding.type_ids.assign(static_cast<size_t>(length), 0);
  return vsr::core::pack({&encoding, 1});
}

double milliseconds_of_process() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

struct Side {
  at::Tensor hidden;
  double least = std::numeric_limits<double>::infinity();
  double spent = 0;

  template <class Pass>
  void run(const Pass& pass) {
    const double begin = milliseconds_of_process();
    hidden = pass();
    const double took = milliseconds_of_process() - begin;
    least = std::min(least, took);
    spent += took;
  }
};

void measure(const vsr::core::Encoder& encoder, int64_t length, const Arguments& arguments) {
  const PackedBatch batch = random_batch(length, encoder.info().vocab_size);
  const auto pass = [&] { return encoder.forward(batch, {}); };
  Side kernels, plain;
  for (int i = 0; i < 3 || kernels.spent < arguments.seconds * 1e3; ++i) {
    kernels.run(pass);
    const vsr::core::kernels::PlainPath path;
    plain.run(pass);
  }
  const double largest = plain.hidden.abs().max().item<double>();
  const double difference = (kernels.hidden - plain.hidden).abs().max().item<double>();
  const double threads = arguments.threads;
  std::printf("%7lld %10.2f %10.2f %8.2f %12.1f %12.1e\n", static_cast<long long>(length), kernels.least / threads,
              plain.least / threads, plain.least / kernels.least,
              1e3 * kernels.least / threads / static_cast<double>(length), difference / largest);
  std::fflush(stdout);
}

int run(const Arguments& arguments) {
  const c10::InferenceMode inference;
  at::set_num_threads(arguments.threads);
  const auto config = vsr::base::read_json_file(arguments.folder + "/config.json");
  const auto store = vsr::core::WeightStore::open_folder(arguments.folder);
  const auto parts = vsr::models::make_model({config, vsr::core::WeightScope(*store), 2});
  std::printf("%s, %d threads, kernels for %s\n", arguments.folder.c_str(), arguments.threads,
              std::string(vsr::core::kernels::isa_name(vsr::core::kernels::runnable_isas().back())).c_str());
  std::printf("%7s %10s %10s %8s %12s %12s\n", "tokens", "kernels", "plain", "ratio", "us/token", "difference");
  for (const int64_t length : arguments.lengths) measure(*parts.encoder, length, arguments);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: forward_bench FOLDER [--threads N] [--seconds S] [--lengths N...]\n");
    return 2;
  }
  try {
    return run(read_arguments({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "forward_bench: %s\n", error.what());
    return 1;
  }
}
