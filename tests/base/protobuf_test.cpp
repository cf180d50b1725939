#include <catch2/catch.hpp>

#include "base/protobuf.h"
#include "support/failure.h"
#include "support/spm_writer.h"

using namespace vsr;

namespace {

const std::string kPath = "x.model";

std::string message_of(const std::string& bytes) {
  const test::Failure failure = test::failure_of([&] {
    base::ProtobufReader reader(bytes, kPath, "message");
    while (reader.next()) {
    }
  });
  CHECK(failure.status == base::Status::kParse);
  return failure.message;
}

}  // namespace

TEST_CASE("protobuf: fields of every wire type are read in order", "[base]") {
  const std::string bytes = test::number_field(1, 0xFFFFFFFFFFFFFFFF) + test::float_field(2, -1.5F) +
                            test::bytes_field(536870911, "text") + test::varint(4 << 3 | 1) + std::string(8, 'x');
  base::ProtobufReader reader(bytes, kPath, "message");
  REQUIRE(reader.next());
  CHECK(reader.field() == 1);
  CHECK(reader.as_int32() == -1);
  CHECK(reader.as_bool());
  REQUIRE(reader.next());
  CHECK(reader.as_float() == -1.5F);
  REQUIRE(reader.next());
  CHECK(reader.field() == 536870911);
  CHECK(reader.as_text() == "text");
  REQUIRE(reader.next());
  CHECK(reader.field() == 4);
  CHECK_FALSE(reader.next());
}

TEST_CASE("protobuf: what is no message is refused, whatever it claims", "[base]") {
  CHECK(message_of("\x80") == "x.model: message: ends within a number");
  CHECK(message_of(std::string(11, '\x80')) == "x.model: message: has a number of more than ten bytes");
  CHECK(message_of(test::varint(0)) == "x.model: message: has field number 0");
  CHECK(message_of(test::varint(uint64_t{1} << 35)) == "x.model: message: has field number 4294967296");
  CHECK(message_of(test::varint(1 << 3 | 3)) == "x.model: message: field 1 has wire type 3");
  CHECK(message_of(test::varint(1 << 3 | 5) + "abc") == "x.model: message: field 1 has 4 bytes, 3 are left");
  CHECK(message_of(test::varint(1 << 3 | 2) + test::varint(UINT64_MAX) + "abc") ==
        "x.model: message: field 1 has 18446744073709551615 bytes, 3 are left");
}

TEST_CASE("protobuf: a value of another wire type is an error that names the field", "[base]") {
  const std::string bytes = test::number_field(7, 1);
  base::ProtobufReader reader(bytes, kPath, "message");
  REQUIRE(reader.next());
  CHECK(test::failure_of([&] { reader.as_float(); }).message == "x.model: message: field 7 is no float");
  CHECK(test::failure_of([&] { reader.as_bytes(); }).message == "x.model: message: field 7 is no string or message");
}
