#include "core/weights/weights.h"

#include <ATen/ops/sum.h>
#include <ATen/ops/tensor.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>

#include "core/nn/nn_embedding.h"
#include "support/failure.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

using namespace vsr::core;
using vsr::base::Status;
using vsr::test::bytes_of;
using vsr::test::Failure;
using vsr::test::failure_of;
using vsr::test::SafetensorsWriter;
using vsr::test::TempFolder;

namespace {

std::vector<float> values(const at::Tensor& tensor) {
  const at::Tensor dense = tensor.contiguous();
  return {dense.const_data_ptr<float>(), dense.const_data_ptr<float>() + dense.numel()};
}

std::string index_of(const std::string& weight_map) { return R"({"weight_map": )" + weight_map + "}"; }

}  // namespace

TEST_CASE("weights: every stored floating-point type is read as float32", "[core][weights]") {
  const TempFolder folder;
  const std::vector<double> doubles{1.5, -0.25};
  const std::vector<uint16_t> halves{0x3E00, 0xB400};  // 1.5, -0.25
  const std::vector<uint16_t> brains{0x3FC0, 0xBE80};  // 1.5, -0.25
  const auto store =
      WeightStore::open_file(folder.write("m.safetensors", SafetensorsWriter()
                                                               .add("f32", {2}, {1.5F, -0.25F})
                                                               .add("f64", "F64", {2}, bytes_of(doubles))
                                                               .add("f16", "F16", {2}, bytes_of(halves))
                                                               .add("bf16", "BF16", {2}, bytes_of(brains))
                                                               .bytes()));
  for (const char* name : {"f32", "f64", "f16", "bf16"}) {
    CAPTURE(name);
    CHECK(values(store->take(name, {2})) == std::vector<float>{1.5F, -0.25F});
  }
  CHECK(store->parameters() == 8);
  CHECK(store->bytes_in_memory() == 32);
  store->finish({});
}

TEST_CASE("weights: a table of half precision stays so, and gives float32 rows", "[core][weights]") {
  const TempFolder folder;
  const std::vector<double> doubles{1, 2, 3, 4, 5, 6};
  const std::vector<uint16_t> halves{0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};
  const std::vector<uint16_t> brains{0x3F80, 0x4000, 0x4040, 0x4080, 0x40A0, 0x40C0};
  const auto store =
      WeightStore::open_file(folder.write("m.safetensors", SafetensorsWriter()
                                                               .add("f32", {3, 2}, {1, 2, 3, 4, 5, 6})
                                                               .add("f64", "F64", {3, 2}, bytes_of(doubles))
                                                               .add("f16", "F16", {3, 2}, bytes_of(halves))
                                                               .add("bf16", "BF16", {3, 2}, bytes_of(brains))
                                                               .bytes()));
  const at::Tensor ids = at::tensor({2, 0, 2}, at::kLong);
  for (const auto& [name, type] : {std::pair{"f32", at::kFloat}, std::pair{"f64", at::kFloat},
                                   std::pair{"f16", at::kHalf}, std::pair{"bf16", at::kBFloat16}}) {
    CAPTURE(name);
    const at::Tensor table = store->take_table(name, {3, 2});
    CHECK(table.scalar_type() == type);
    CHECK(values(vsr::core::embedding(table, ids)) == std::vector<float>{5, 6, 1, 2, 5, 6});
  }
  CHECK(store->bytes_in_memory() == 6 * (4 + 4 + 2 + 2));
}

TEST_CASE("weights: tensors at odd addresses are read, and outlive the store", "[core][weights]") {
  const TempFolder folder;
  at::Tensor kept;
  {
    const auto store = WeightStore::open_file(folder.write(
        "m.safetensors", SafetensorsWriter().add("pad", "U8", {1}, "x").add("a", {2}, {3.0F, 4.0F}).bytes()));
    kept = store->take("a", {2});
  }
  CHECK(values(kept) == std::vector<float>{3.0F, 4.0F});
}

TEST_CASE("weights: what does not fit is named with what was expected", "[core][weights]") {
  const TempFolder folder;
  const std::string path =
      folder.write("m.safetensors",
                   SafetensorsWriter().add("w", {2, 1}, {1, 2}).add("ids", "I64", {1}, std::string(8, '\0')).bytes());
  const auto store = WeightStore::open_file(path);
  CHECK(failure_of([&] {
          store->take("v", {2, 3});
        }) == Failure{Status::kWeights, path + ": \"v\" is missing, expected [2, 3]"});
  CHECK(failure_of([&] {
          store->take("w", {1, 2});
        }) == Failure{Status::kWeights, path + ": \"w\" is [2, 1], config.json needs [1, 2]"});
  CHECK(failure_of([&] { store->take("ids", {1}); }) ==
        Failure{Status::kWeights, path + ": \"ids\" holds integers, expected floating point"});
  const WeightScope scope = WeightScope(*store).scope("encoder").scope("layer", 3);
  CHECK(failure_of([&] { scope.take("w", {1}); }).message == path + ": \"encoder.layer.3.w\" is missing, expected [1]");
}

TEST_CASE("weights: values that are not finite are rejected in every type", "[core][weights]") {
  const TempFolder folder;
  const float inf = std::numeric_limits<float>::infinity();
  const auto take = [&](const std::string& dtype, const std::string& data, int64_t count) {
    const std::string path = folder.write("m.safetensors", SafetensorsWriter().add("w", dtype, {count}, data).bytes());
    return failure_of([&] { WeightStore::open_file(path)->take("w", {count}); });
  };
  const Failure expected{Status::kWeights, folder / "m.safetensors: \"w\" holds values that are not finite"};
  for (const float bad : {inf, -inf, std::nanf("")}) CHECK(take("F32", bytes_of<float>({0, bad, 1}), 3) == expected);
  CHECK(take("F64", bytes_of<double>({0, std::nan("")}), 2) == expected);
  CHECK(take("F16", bytes_of<uint16_t>({0x3C00, 0x7C00}), 2) == expected);  // infinity
  CHECK(take("F16", bytes_of<uint16_t>({0xFE00}), 1) == expected);          // NaN
  CHECK(take("BF16", bytes_of<uint16_t>({0xFF80}), 1) == expected);         // -infinity
  CHECK_FALSE(take("F16", bytes_of<uint16_t>({0x7BFF, 0xFBFF, 0x0001}), 3).status);
  CHECK_FALSE(take("F32", bytes_of<float>({std::numeric_limits<float>::max(), 1e-45F}), 2).status);
}

TEST_CASE("weights: tensors that nobody took are an error unless ignored", "[core][weights]") {
  const TempFolder folder;
  const std::string path = folder.write(
      "m.safetensors", SafetensorsWriter().add("a", {1}, {1}).add("cls.x", {1}, {1}).add("m.ids", {1}, {1}).bytes());
  const auto store = WeightStore::open_file(path);
  store->take("a", {1});
  store->finish({"cls.*", "*.ids"});
  store->finish({"cls.x", "m.ids"});
  CHECK(failure_of([&] {
          store->finish({"cls.*", "*.idx"});
        }) == Failure{Status::kWeights, path + ": 1 tensors that the architecture does not have: \"m.ids\" "
                                               "(hint: does config.json name another architecture?)"});
  CHECK(failure_of([&] { store->finish({}); }).message.find("2 tensors") != std::string::npos);
}

TEST_CASE("weights: LayerNorm's old parameter names are read as the new ones", "[core][weights]") {
  const TempFolder folder;
  const auto store = WeightStore::open_file(
      folder.write("m.safetensors",
                   SafetensorsWriter().add("x.LayerNorm.gamma", {1}, {2}).add("x.LayerNorm.beta", {1}, {3}).bytes()));
  CHECK(values(store->take("x.LayerNorm.weight", {1})) == std::vector<float>{2});
  CHECK(values(store->take("x.LayerNorm.bias", {1})) == std::vector<float>{3});
  CHECK(failure_of([&] {
          WeightStore::open_file(folder.write(
              "twice.safetensors",
              SafetensorsWriter().add("LayerNorm.gamma", {1}, {2}).add("LayerNorm.weight", {1}, {3}).bytes()));
        }).message.find("\"LayerNorm.weight\" is also in") != std::string::npos);
}

TEST_CASE("weights: shards are read through their index", "[core][weights]") {
  const TempFolder folder;
  folder.write("s1.safetensors", SafetensorsWriter().add("a", {1}, {1}).bytes());
  folder.write("s2.safetensors", SafetensorsWriter().add("b", {1}, {2}).bytes());
  folder.write("model.safetensors.index.json", index_of(R"({"a": "s1.safetensors", "b": "s2.safetensors"})"));
  const auto store = WeightStore::open_folder(folder.path().string());
  CHECK(values(store->take("a", {1})) == std::vector<float>{1});
  CHECK(values(store->take("b", {1})) == std::vector<float>{2});
}

TEST_CASE("weights: an index that lies is rejected", "[core][weights]") {
  const TempFolder folder;
  folder.write("s1.safetensors", SafetensorsWriter().add("a", {1}, {1}).bytes());
  folder.write("s2.safetensors", SafetensorsWriter().add("b", {1}, {2}).bytes());
  folder.write("copy.safetensors", SafetensorsWriter().add("a", {1}, {1}).bytes());
  const std::string index = folder / "model.safetensors.index.json";
  const auto open = [&](const std::string& text) {
    folder.write("model.safetensors.index.json", text);
    return failure_of([&] { WeightStore::open_folder(folder.path().string()); });
  };
  CHECK(open(index_of(R"({"a": "gone.safetensors"})")).status == Status::kNotFound);
  CHECK(open(index_of(R"({"a": "gone.safetensors"})")).message.find("gone.safetensors") != std::string::npos);
  for (const char* shard : {"../s1.safetensors", "/etc/passwd", "x/s1.safetensors", "..", ".", ""}) {
    CAPTURE(shard);
    CHECK(open(index_of(std::string(R"({"a": ")") + shard + "\"}")) ==
          Failure{Status::kParse, index + ": weight_map[\"a\"] is \"" + shard + "\", expected a file of this folder"});
  }
  CHECK(open(index_of(R"({"b": "s1.safetensors"})")) ==
        Failure{Status::kWeights, index + ": \"b\" is not in s1.safetensors"});
  CHECK(open(index_of(R"({"a": "s2.safetensors", "b": "s1.safetensors"})")).message ==
        index + ": \"a\" is not in s2.safetensors");
  CHECK(open(index_of(R"({"a": "s1.safetensors", "x": "copy.safetensors"})")).message.find("is also in") !=
        std::string::npos);
  CHECK(open("{}") == Failure{Status::kParse, index + ": \"weight_map\" is missing"});
  CHECK(open(index_of("[]")).status == Status::kParse);
  CHECK(open(index_of(R"({"a": 3})")) ==
        Failure{Status::kParse, index + ": \"weight_map.a\" is an integer, expected a string"});
}

TEST_CASE("weights: a link that leads nowhere is not passed over for the index", "[core][weights]") {
  const TempFolder folder;
  folder.write("s1.safetensors", SafetensorsWriter().add("a", {1}, {1}).bytes());
  folder.write("model.safetensors.index.json", index_of(R"({"a": "s1.safetensors"})"));
  std::filesystem::create_symlink("gone", folder / "model.safetensors");
  CHECK(failure_of([&] { WeightStore::open_folder(folder.path().string()); }).message ==
        folder / "model.safetensors: No such file or directory");
}

TEST_CASE("weights: the content hash tells stored values and names apart", "[core][weights]") {
  const TempFolder folder;
  const auto hash = [&](const std::string& name, const std::vector<float>& data) {
    return WeightStore::open_file(
               folder.write("m.safetensors",
                            SafetensorsWriter().add(name, {static_cast<int64_t>(data.size())}, data).bytes()))
        ->content_hash();
  };
  CHECK(hash("a", {1, 2, 3}) == hash("a", {1, 2, 3}));
  CHECK(hash("a", {1, 2, 3}) != hash("a", {1, 2, 4}));
  CHECK(hash("a", {1, 2, 3}) != hash("a", {2, 1, 3}));
  CHECK(hash("a", {1, 2, 3}) != hash("b", {1, 2, 3}));
}

TEST_CASE(
    "weights: a file that is truncated while it is in use is an error where it is read, and does no harm elsewhere",
    "[core][weights]") {
  const TempFolder folder;
  const std::string path = folder.write(
      "m.safetensors", SafetensorsWriter().add("table", {2, 3}, {1, 2, 3, 4, 5, 6}).add("late", {2}, {7, 8}).bytes());
  const auto store = WeightStore::open_file(path);
  const at::Tensor table = store->take_table("table", {2, 3});
  const at::Tensor taken = store->take("late", {2});
  std::filesystem::resize_file(path, 10);
  CHECK(table.sum().item<float>() == 21);
  CHECK(taken.sum().item<float>() == 15);
  const std::string changed = path + ": was changed since it was opened";
  CHECK(failure_of([&] { store->take("late", {2}); }).message.rfind(changed, 0) == 0);
  CHECK(failure_of([&] { store->content_hash(); }).message.rfind(changed, 0) == 0);
}
