#include <string>

#include "support/handles.h"
#include "vsr/vsr.hpp"

using namespace vsr::test;

TEST_CASE("mask: a request is masked and its answer restored through C++", "[c_api][mask]") {
  vsr::MaskOptions options;
  options.key = "k";
  options.tenant = "t";
  const vsr::Mask mask(options);
  const std::string masked = mask.text("jane.doe@example.com");
  CHECK(masked.starts_with("[EMAIL_ADDRESS_"));
  CHECK(mask.request(R"({"messages":[{"role":"user","content":"jane.doe@example.com"}]})") ==
        R"({"messages":[{"role":"user","content":")" + masked + R"("}]})");
  CHECK(mask.restore("to " + masked) == "to jane.doe@example.com");
  vsr::Guard stream = mask.stream();
  const std::string body =
      R"(data: {"choices":[{"index":0,"delta":{"content":"to )" + masked + "\"}}]}\n\ndata: [DONE]\n\n";
  std::string out;
  for (const char& c : body) out += stream.feed({&c, 1}).forward();
  out += stream.finish().forward();
  CHECK(out.find("to jane.doe@example.com") != std::string::npos);
  CHECK(mask.describe() == R"({"masked":1,"types":{"EMAIL_ADDRESS":1}})");
}

TEST_CASE("mask: what is wrong with an argument names it", "[c_api][mask]") {
  vsr_error error = VSR_ERROR_INIT;
  vsr_mask* mask = nullptr;
  vsr_mask_options options = VSR_MASK_OPTIONS_INIT;
  options.threshold = 2;
  CHECK(vsr_mask_create(nullptr, &options, &mask, &error) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(std::string(error.message).find("threshold") != std::string::npos);
  vsr_string* text = nullptr;
  CHECK(vsr_mask_text(nullptr, str("x"), 0, nullptr, &text, &error) == VSR_ERR_INVALID_ARGUMENT);
  REQUIRE(vsr_mask_create(nullptr, nullptr, &mask, &error) == VSR_OK);
  CHECK(vsr_mask_request(mask, str("{"), 0, nullptr, &text, &error) == VSR_ERR_PARSE);
  CHECK(text == nullptr);
  vsr_guard* stream = nullptr;
  CHECK(vsr_mask_stream(mask, 9, &stream, &error) == VSR_ERR_INVALID_ARGUMENT);
  REQUIRE(vsr_mask_stream(mask, VSR_STREAM_TEXT, &stream, &error) == VSR_OK);
  vsr_mask_free(mask);  // any order
  vsr_guard_free(stream);
  vsr_mask_free(nullptr);
}
