#include <cstring>

#include "support/handles.h"

using namespace vsr::test;

namespace {

// A call that fails with a message of the caller's making: the path is in it.
vsr_status fail_with(const std::string& path, vsr_error* error) {
  vsr_tokenizer* tokenizer = nullptr;
  const vsr_status status = vsr_tokenizer_load(path.c_str(), &tokenizer, error);
  CHECK(tokenizer == nullptr);
  return status;
}

}  // namespace

TEST_CASE("types: the library has the header's ABI version", "[c_api]") {
  CHECK(vsr_abi_version() == VSR_ABI_VERSION);
  CHECK_THAT(vsr_version().data, Catch::Matchers::Matches("[0-9]+\\.[0-9]+\\.[0-9]+"));
  CHECK_THAT(vsr_torch_version().data, Catch::Matchers::Matches("2\\.[0-9]+\\.[0-9]+.*"));
}

TEST_CASE("types: every status has its name", "[c_api]") {
  CHECK(vsr_status_name(VSR_OK) == std::string("VSR_OK"));
  CHECK(vsr_status_name(VSR_ERR_INVALID_ARGUMENT) == std::string("VSR_ERR_INVALID_ARGUMENT"));
  CHECK(vsr_status_name(VSR_ERR_DEADLINE) == std::string("VSR_ERR_DEADLINE"));
  for (vsr_status status = VSR_OK; status <= VSR_ERR_DEADLINE; ++status) {
    CHECK_FALSE(vsr_status_name(status) == "VSR_ERR_UNKNOWN");
  }
  for (const vsr_status unknown : {-1, VSR_ERR_DEADLINE + 1, INT32_MAX, INT32_MIN}) {
    CHECK(vsr_status_name(unknown) == std::string("VSR_ERR_UNKNOWN"));
  }
}

TEST_CASE("types: an error is optional, names what is wrong and is left alone by success", "[c_api]") {
  CHECK(fail_with("/nowhere/tokenizer.json", nullptr) == VSR_ERR_NOT_FOUND);
  vsr_error error = VSR_ERROR_INIT;
  CHECK(fail_with("/nowhere/tokenizer.json", &error) == VSR_ERR_NOT_FOUND);
  CHECK(error.code == VSR_ERR_NOT_FOUND);
  CHECK_THAT(error.message, Catch::Contains("/nowhere/tokenizer.json"));
  const std::string before = error.message;
  vsr_string* json = nullptr;
  REQUIRE(vsr_engine_describe(embedder(), &json, &error) == VSR_OK);
  const StringHandle owner(json);
  CHECK(error.code == VSR_ERR_NOT_FOUND);
  CHECK(error.message == before);
}

TEST_CASE("types: a message is cut where a character ends", "[c_api]") {
  const std::string euro = "\xE2\x82\xAC";
  for (size_t shift = 0; shift < 3; ++shift) {
    std::string path = "/" + std::string(shift, 'x');
    for (int i = 0; i < 1000; ++i) path += euro;
    vsr_error error = VSR_ERROR_INIT;
    CHECK(fail_with(path, &error) != VSR_OK);
    const std::string message = error.message;
    CHECK(message.size() < sizeof error.message);
    CHECK(message.size() >= sizeof error.message - 1 - 2);
    CHECK(message.substr(message.size() - 3) == euro);
  }
}

TEST_CASE("types: a message is one line of UTF-8 whatever the path holds", "[c_api]") {
  vsr_error error = VSR_ERROR_INIT;
  CHECK(fail_with("/a\nb\tc\x1b[31m\xFF\xC3/d", &error) == VSR_ERR_NOT_FOUND);
  CHECK_THAT(error.message, Catch::Contains("/a b c [31m\xEF\xBF\xBD\xEF\xBF\xBD/d"));
}

TEST_CASE("types: no more of an error is written than its struct_size allows", "[c_api]") {
  for (const uint32_t size : {0u, 4u, 7u, 8u, 9u, 12u, 40u, 519u}) {
    vsr_error error;
    std::memset(&error, 0x55, sizeof error);
    error.struct_size = size;
    CHECK(fail_with("/nowhere/tokenizer.json", &error) == VSR_ERR_NOT_FOUND);
    CHECK(error.struct_size == size);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&error);
    for (size_t i = std::max<size_t>(size, 4); i < sizeof error; ++i) REQUIRE(bytes[i] == 0x55);
    if (size >= 8) CHECK(error.code == VSR_ERR_NOT_FOUND);
    if (size > 8) CHECK(std::memchr(error.message, 0, size - 8) != nullptr);
  }
  struct Larger {
    vsr_error error;
    uint64_t beyond;
  } larger;
  std::memset(&larger, 0x55, sizeof larger);
  larger.error.struct_size = sizeof larger;
  CHECK(fail_with(std::string(2000, 'x'), &larger.error) != VSR_OK);
  CHECK(std::strlen(larger.error.message) < sizeof larger.error.message);
  CHECK(larger.beyond == 0x5555555555555555u);
}

TEST_CASE("types: a NULL string is empty", "[c_api]") {
  CHECK(vsr_string_text(nullptr) == "");
  vsr_string_free(nullptr);
}
