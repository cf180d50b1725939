// Layout of a record (base/bytes.h has that of numbers and strings):
//
//   partition string  text string  response string  created i64  expires i64  least_similarity f32  good u32  bad u32
//   route string  has_vector u32 (0 or 1)  and then: dim x f32
//
// A record on its own begins with "vsrr", version u32, checksum u64 of the rest.
#include "routing/cache/cache_codec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace vsr::routing {
namespace {

constexpr std::string_view kMagic = "vsrr";
constexpr uint32_t kVersion = 2;

void check_partition(const base::ByteReader& in, std::string_view encoded) {
  base::ByteReader parts(encoded, in.source() + ": partition");
  for (const char* part : {"tenant", "model", "policy"}) parts.text(part);
  if (parts.left() > 0) parts.fail_here(parts.left(), " bytes follow the three parts");
}

void check_times(const base::ByteReader& in, const CacheRecord& record) {
  // The first comparison keeps the difference from overflowing.
  const bool ordered = record.created_ms >= 0 && record.expires_ms >= record.created_ms;
  if (ordered && record.expires_ms - record.created_ms <= kMaxTtlMs) return;
  in.fail_here("created at ", record.created_ms, " and expires at ", record.expires_ms,
               ", expected at most a year between them");
}

}  // namespace

uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

void write_record(base::ByteWriter& out, const CacheRecord& record) {
  out.text(record.partition);
  out.text(record.text);
  out.text(*record.response);
  out.number(record.created_ms);
  out.number(record.expires_ms);
  out.number(record.least_similarity);
  out.number(record.good);
  out.number(record.bad);
  out.text(record.route);
  out.number(static_cast<uint32_t>(!record.vector.empty()));
  out.raw(record.vector.data(), record.vector.size() * sizeof(float));
}

CacheRecord read_record(base::ByteReader& in, size_t dim) {
  CacheRecord record;
  record.partition = in.text("partition");
  check_partition(in, record.partition);
  record.text = in.text("text");
  record.response = std::make_shared<const std::string>(in.text("response"));
  record.created_ms = in.number<int64_t>("created");
  record.expires_ms = in.number<int64_t>("expires");
  check_times(in, record);
  record.least_similarity = in.number<float>("least_similarity");
  if (!(record.least_similarity >= -1 && record.least_similarity <= 2)) {
    in.fail_here("least_similarity is ", record.least_similarity, ", expected -1 to 2");
  }
  record.good = in.number<uint32_t>("good");
  record.bad = in.number<uint32_t>("bad");
  record.route = in.text("route");
  const auto has_vector = in.number<uint32_t>("has_vector");
  if (has_vector > 1) in.fail_here("has_vector is ", has_vector, ", expected 0 or 1");
  if (has_vector == 1) record.vector = in.unit_vector(dim, "vector");
  return record;
}

std::string pack_record(const CacheRecord& record) {
  base::ByteWriter body;
  write_record(body, record);
  base::ByteWriter out;
  out.raw(kMagic.data(), kMagic.size());
  out.number(kVersion);
  out.number(checksum(body.bytes()));
  out.raw(body.bytes().data(), body.bytes().size());
  return out.take();
}

CacheRecord unpack_record(std::string_view bytes, size_t dim, const std::string& source) {
  base::ByteReader in(bytes, source);
  if (in.left() < kMagic.size() || in.raw(kMagic.size(), "magic") != kMagic) in.fail_here("not a record of the cache");
  const auto version = in.number<uint32_t>("version");
  if (version != kVersion) {
    base::fail(base::Status::kUnsupported, source, ": version ", version, ", this vsr reads version ", kVersion);
  }
  const auto expected = in.number<uint64_t>("checksum");
  if (expected != checksum(bytes.substr(bytes.size() - in.left()))) in.fail_here("checksum does not fit the contents");
  CacheRecord record = read_record(in, dim);
  if (in.left() > 0) in.fail_here(in.left(), " bytes follow the record");
  return record;
}

}  // namespace vsr::routing
