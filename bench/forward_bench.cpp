// Milliseconds of one forward pass by vsr's kernels and by LibTorch's plain operators, in turns in one run; with
// --dtype those of that type and of float32, both by vsr's kernels.
//
//     build/bin/forward_bench FOLDER [--dtype TYPE] [--threads N] [--seconds S] [--lengths 32 128 512 2048]
//
// One text per pass, of random tokens. Times are processor time per thread (the least of all passes), which other
// programs on the machine disturb least. "difference" is the largest between the two sides' hidden states.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/json.h"
#include "core/kernels/path.h"
#include "core/weights/weights.h"
#include "models/registry.h"

namespace {

using vsr::core::PackedBatch;

struct Arguments {
  std::string folder;
  std::string dtype = "float32";
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
    } else if (words[i] == "--dtype") {
      arguments.dtype = words.at(++i);
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

// The encoder of a checkpoint, with the weights that it points into.
struct Loaded {
  std::shared_ptr<vsr::core::WeightStore> store;
  vsr::models::LoadedParts parts;

  Loaded(const std::string& folder, vsr::core::LinearType type) : store(vsr::core::WeightStore::open_folder(folder)) {
    store->set_linear_type(type);
    const auto config = vsr::base::read_json_file(folder + "/config.json");
    parts = vsr::models::make_model({config, vsr::core::WeightScope(*store), 2});
  }
};

at::Tensor run(const vsr::core::Encoder& encoder, const PackedBatch& batch) {
  const vsr::core::BlockRange all{0, encoder.info().num_hidden_layers};
  return encoder.final_norm(encoder.run_blocks(encoder.embed(batch), batch, all), batch);
}

// `peer` is null for the plain operators.
void measure(const vsr::core::Encoder& encoder, const vsr::core::Encoder* peer, int64_t length,
             const Arguments& arguments) {
  const PackedBatch batch = random_batch(length, encoder.info().vocab_size);
  Side own, other;
  for (int i = 0; i < 3 || own.spent < arguments.seconds * 1e3; ++i) {
    own.run([&] { return run(encoder, batch); });
    other.run([&] {
      if (peer != nullptr) return run(*peer, batch);
      const vsr::core::kernels::PlainPath path;
      return run(encoder, batch);
    });
  }
  const double largest = other.hidden.abs().max().item<double>();
  const double difference = (own.hidden - other.hidden).abs().max().item<double>();
  const double threads = arguments.threads;
  std::printf("%7lld %10.2f %10.2f %8.2f %12.1f %12.1e\n", static_cast<long long>(length), own.least / threads,
              other.least / threads, other.least / own.least, 1e3 * own.least / threads / static_cast<double>(length),
              difference / largest);
  std::fflush(stdout);
}

int run(const Arguments& arguments) {
  const c10::InferenceMode inference;
  at::set_num_threads(arguments.threads);
  const vsr::core::LinearType type = vsr::core::linear_type_named(arguments.dtype, at::kCPU);
  const Loaded own(arguments.folder, type);
  std::optional<Loaded> peer;
  if (type != vsr::core::LinearType::kFloat32) peer.emplace(arguments.folder, vsr::core::LinearType::kFloat32);
  std::printf("%s, %d threads, kernels for %s\n", arguments.folder.c_str(), arguments.threads,
              std::string(vsr::core::kernels::isa_name(vsr::core::kernels::runnable_isas().back())).c_str());
  std::printf("%7s %10s %10s %8s %12s %12s\n", "tokens", peer ? arguments.dtype.c_str() : "kernels",
              peer ? "float32" : "plain", "ratio", "us/token", "difference");
  const int64_t most = own.parts.encoder->info().max_position_embeddings;
  for (const int64_t length : arguments.lengths) {
    if (length > most) {
      std::printf("%7lld not run: the model reads %lld tokens\n", static_cast<long long>(length),
                  static_cast<long long>(most));
      continue;
    }
    measure(*own.parts.encoder, peer ? peer->parts.encoder.get() : nullptr, length, arguments);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: forward_bench FOLDER [--dtype TYPE] [--threads N] [--seconds S] [--lengths N...]\n");
    return 2;
  }
  try {
    return run(read_arguments({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "forward_bench: %s\n", error.what());
    return 1;
  }
}
