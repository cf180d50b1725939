#include "core/weights/safetensors.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/failure.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

using namespace vsr::core;
using vsr::base::Status;
using vsr::test::Failure;
using vsr::test::failure_of;
using vsr::test::safetensors_bytes;
using vsr::test::SafetensorsWriter;
using vsr::test::TempFolder;

namespace {

// What opening a file with these bytes fails with; "<f>" replaces its path.
Failure open_failure(std::string_view bytes) {
  const TempFolder folder;
  const std::string path = folder.write("m.safetensors", bytes);
  Failure failure = failure_of([&] { const SafetensorsFile file(path); });
  for (size_t at = 0; (at = failure.message.find(path)) != std::string::npos;) {
    failure.message.replace(at, path.size(), "<f>");
  }
  return failure;
}

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

}  // namespace

TEST_CASE("safetensors: tensors are found with type, shape and data", "[core][safetensors]") {
  const TempFolder folder;
  const std::string path = folder.write("m.safetensors", SafetensorsWriter()
                                                             .add("a", {2, 3}, {1, 2, 3, 4, 5, 6})
                                                             .add("half", "F16", {2}, "abcd")
                                                             .add("none", "F32", {0, 7}, "")
                                                             .add("flag", "BOOL", {}, "x")
                                                             .bytes());
  const SafetensorsFile file(path);
  REQUIRE(file.tensors().size() == 4);
  for (const StoredTensor& tensor : file.tensors()) {
    if (tensor.name == "a") {
      CHECK(tensor.type == StoredType::kF32);
      CHECK(tensor.shape == std::vector<int64_t>{2, 3});
      CHECK(tensor.bytes == 24);
      float values[6] = {};
      file.file()->read(tensor.offset, values, sizeof values);
      CHECK(values[5] == 6);
    }
    if (tensor.name == "flag") {
      char value = 0;
      file.file()->read(tensor.offset, &value, 1);
      CHECK(value == 'x');
    }
    if (tensor.name == "none") CHECK(tensor.bytes == 0);
  }
}

TEST_CASE("safetensors: metadata is no tensor, and a file without tensors is one", "[core][safetensors]") {
  const TempFolder folder;
  const SafetensorsFile file(folder.write("m", safetensors_bytes(R"({"__metadata__":{"format":"pt"}})", "")));
  CHECK(file.tensors().empty());
}

TEST_CASE("safetensors: files that are cut off, or none at all, are rejected", "[core][safetensors]") {
  CHECK(open_failure("") == Failure{Status::kWeights, "<f>: 0 bytes are no safetensors file"});
  CHECK(open_failure("1234567") == Failure{Status::kWeights, "<f>: 7 bytes are no safetensors file"});
  CHECK(open_failure("version https://git-lfs.github.com/spec/v1\n").message.find("Git LFS pointer?") !=
        std::string::npos);
  const std::string good = SafetensorsWriter().add("a", {2}, {1, 2}).bytes();
  for (size_t size = 0; size < good.size(); ++size) {
    if (open_failure(good.substr(0, size)).status != Status::kWeights) FAIL("cut to " << size << " bytes");
  }
  CHECK(open_failure(good.substr(0, good.size() - 1)).message.find("(hint: is the file truncated?)") !=
        std::string::npos);
  CHECK(open_failure(good + "x") == Failure{Status::kWeights, "<f>: 1 bytes at the end belong to no tensor"});
}

TEST_CASE("safetensors: a lying header length is rejected before anything is read", "[core][safetensors]") {
  for (const uint64_t length : {uint64_t{3}, uint64_t{100'000'001}, UINT64_MAX, UINT64_MAX - 7, uint64_t{1} << 63}) {
    CAPTURE(length);
    std::string file(8, '\0');
    std::memcpy(file.data(), &length, 8);
    const Failure failure = open_failure(file + "{}");
    CHECK(failure.status == Status::kWeights);
    CHECK(failure.message.find("<f>: header of " + std::to_string(length) + " bytes") == 0);
  }
  std::string empty_header(8, '\0');
  CHECK(open_failure(empty_header + "abc") == Failure{Status::kWeights, "<f>: empty, expected JSON"});
}

TEST_CASE("safetensors: every broken header names the tensor and what is wrong", "[core][safetensors]") {
  const std::string eight(8, '\0');
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"([])", "<f>: the document is an array, expected an object"},
      {R"({"a": 1})", R"(<f>: "a" is an integer, expected an object)"},
      {R"({"a": )" + entry("F32", "[2]", "[0, 8]") + R"(, "a": )" + entry("F32", "[2]", "[0, 8]") + "}",
       R"(<f>: "a" is given twice)"},
      {R"({"a": {"shape": [2], "data_offsets": [0, 8]}})", R"(<f>: "a.dtype" is missing)"},
      {R"({"a": {"dtype": "F32", "data_offsets": [0, 8]}})", R"(<f>: "a.shape" is missing)"},
      {R"({"a": {"dtype": "F32", "shape": [2]}})", R"(<f>: "a.data_offsets" is missing)"},
      {R"({"a": )" + entry("F32", "2", "[0, 8]") + "}", R"(<f>: "a.shape" is an integer, expected an array)"},
      {R"({"a": )" + entry("F32", "[2.5]", "[0, 8]") + "}",
       R"(<f>: "a.shape[0]" is a fractional number, expected an integer)"},
      {R"({"a": )" + entry("F32", "[-2]", "[0, 8]") + "}", R"(<f>: "a": shape has the negative extent -2)"},
      {R"({"a": )" + entry("F32", "[99999999999999999999]", "[0, 8]") + "}",
       R"(<f>: "a.shape[0]" is a fractional number, expected an integer)"},
      {R"({"a": )" + entry("F32", "[18446744073709551615]", "[0, 8]") + "}",
       R"(<f>: "a.shape[0]" is 18446744073709551615, out of range)"},
      {R"({"a": )" + entry("F32", "[4294967296, 4294967296, 4]", "[0, 8]") + "}",
       R"(<f>: "a": shape has more elements than memory can address)"},
      {R"({"a": )" + entry("F32", "[3]", "[0, 8]") + "}",
       R"(<f>: "a": data_offsets span 8 bytes, shape and dtype need 12)"},
      {R"({"a": )" + entry("F32", "[2]", "[0, 8, 9]") + "}", R"(<f>: "a": data_offsets has 3 numbers, expected 2)"},
      {R"({"a": )" + entry("F32", "[2]", "[8, 0]") + "}",
       R"(<f>: "a": data_offsets [8, 0] lie outside the file's 8 data bytes (hint: is the file truncated?))"},
      {R"({"a": )" + entry("F32", "[2]", "[-8, 0]") + "}",
       R"(<f>: "a": data_offsets [-8, 0] lie outside the file's 8 data bytes (hint: is the file truncated?))"},
      {R"({"a": )" + entry("F32", "[3]", "[0, 12]") + "}",
       R"(<f>: "a": data_offsets [0, 12] lie outside the file's 8 data bytes (hint: is the file truncated?))"},
      {R"({"a": )" + entry("F32", "[1]", "[0, 4]") + R"(, "b": )" + entry("F32", "[2]", "[0, 8]") + "}",
       R"(<f>: "b" overlaps the tensor before it)"},
      {R"({"a": )" + entry("F32", "[1]", "[4, 8]") + "}", R"(<f>: "a" leaves a gap after the tensor before it)"},
      {R"({"a": )" + entry("F32", "[1]", "[0, 4]") + "}", "<f>: 4 bytes at the end belong to no tensor"},
      {R"({"a)", "<f>: not valid JSON at byte 3 (line 1, column 4)"},
  };
  for (const auto& [header, message] : cases) {
    CAPTURE(header);
    CHECK(open_failure(safetensors_bytes(header, eight)) == Failure{Status::kWeights, message});
  }
}

TEST_CASE("safetensors: an unknown dtype is unsupported", "[core][safetensors]") {
  CHECK(open_failure(safetensors_bytes(R"({"a": )" + entry("F8_E4M3", "[8]", "[0, 8]") + "}", std::string(8, 'x'))) ==
        Failure{Status::kUnsupported, R"(<f>: "a": dtype "F8_E4M3" is unknown)"});
}

TEST_CASE("safetensors: a name with control characters stays on one line of the message", "[core][safetensors]") {
  const Failure failure = open_failure(safetensors_bytes(R"({"a\nb\u0000": 1})", ""));
  CHECK(failure.message == R"(<f>: "a b " is an integer, expected an object)");
}
