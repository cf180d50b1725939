// One record of the cache as bytes, for snapshots and Redis.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "routing/cache/cache_entry.h"

namespace vsr::routing {

// No entry lives longer, whatever a caller, a file or a server says.
constexpr int64_t kMaxTtlMs = int64_t{366} * 24 * 3600 * 1000;

uint64_t checksum(std::string_view bytes);  // 64 bits of XXH3

// Throws kLimit for texts beyond 4 GiB.
void write_record(base::ByteWriter& out, const CacheRecord& record);

// Throws kParse for anything that write_record() would not have written: lengths beyond the end, a partition that is
// none, times that contradict each other, vectors of another dimension or length.
CacheRecord read_record(base::ByteReader& in, size_t dim);

// A record on its own, with version and checksum. `source` is what errors call it.
std::string pack_record(const CacheRecord& record);
CacheRecord unpack_record(std::string_view bytes, size_t dim, const std::string& source);

}  // namespace vsr::routing
