// A snapshot of the semantic cache.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "routing/cache/cache_entry.h"

namespace vsr::routing {

// Collects records, in the order in which they are to be evicted, and ends as the bytes of the file.
class CacheFileWriter {
 public:
  CacheFileWriter(size_t dim, const std::string& fingerprint);
  void add(const CacheRecord& record);
  std::string finish();

 private:
  std::string head_;
  base::ByteWriter records_;
  uint64_t count_ = 0;
};

// Whether a file begins as a snapshot does and is no larger than `most` bytes; reads no more than its beginning. Throws
// kParse or kLimit where not, and what OpenFile does.
void check_cache_file(const std::string& path, size_t most);

// Throws kParse and kUnsupported for bytes that no writer wrote, kInvalidArgument for those of another model. `path` is
// what errors call the file.
std::vector<CacheRecord> read_cache_file(std::string_view bytes, const std::string& path, size_t dim,
                                         const std::string& fingerprint);

}  // namespace vsr::routing
