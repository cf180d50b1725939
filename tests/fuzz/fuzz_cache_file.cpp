// routing::read_cache_file and unpack_record: any bytes are records or an error, and accepted ones are written the
// same. Checksums are set right, so that mutations get past them.
#include <cstring>

#include "fuzz_target.h"
#include "routing/cache/cache_codec.h"
#include "routing/cache/cache_file.h"

using namespace vsr;
using routing::CacheRecord;

namespace {

constexpr size_t kDim = 2;
const std::string kFingerprint = "m";

CacheRecord sample(const std::string& text, std::vector<float> vector) {
  return {routing::PartitionKey{"t", "m", "p"}.encoded(),
          text,
          std::make_shared<std::string>("answer"),
          std::move(vector),
          1000,
          2000,
          -1,
          1,
          2};
}

std::string file_of(const std::vector<CacheRecord>& records) {
  routing::CacheFileWriter writer(kDim, kFingerprint);
  for (const auto& record : records) writer.add(record);
  return writer.finish();
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {file_of({}), file_of({sample("a", {1, 0}), sample("", {})}), file_of({sample("b", {0.6f, 0.8f})}),
          routing::pack_record(sample("c", {0, 1}))};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string bytes(fuzz::text_of(data, size));
  if (size > 16) {
    const std::string_view all(bytes);
    if (bytes.starts_with("vsrr")) {
      const uint64_t sum = routing::checksum(all.substr(16));
      std::memcpy(bytes.data() + 8, &sum, sizeof sum);
    } else {
      const uint64_t sum = routing::checksum(all.substr(0, size - 8));
      std::memcpy(bytes.data() + size - 8, &sum, sizeof sum);
    }
  }
  fuzz::accept_errors([&] {
    const auto records = routing::read_cache_file(bytes, "f", kDim, kFingerprint);
    fuzz::demand(file_of(records) == bytes, "a snapshot that was read is written the same");
  });
  fuzz::accept_errors([&] {
    const auto record = routing::unpack_record(bytes, kDim, "r");
    fuzz::demand(routing::pack_record(record) == bytes, "a record that was read is written the same");
  });
  return 0;
}
