// Layout (base/bytes.h has that of numbers and strings, cache_codec.cpp that of records):
//
//   "vsrcch\r\n"  version u32  dim u32  fingerprint string  count u64  count x record  checksum u64 of all before it
#include "routing/cache/cache_file.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "routing/cache/cache_codec.h"

namespace vsr::routing {
namespace {

using base::ByteReader;
using base::ByteWriter;
using base::fail;
using base::Status;

constexpr std::string_view kMagic = "vsrcch\r\n";
constexpr uint32_t kVersion = 2;
constexpr size_t kLeastRecord = 60;

void check_sum(const ByteReader& in, std::string_view bytes) {
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(uint64_t));
  ByteReader tail(bytes.substr(body.size()), in.source());
  if (tail.number<uint64_t>("checksum") != checksum(body)) {
    in.fail_here("checksum does not fit the contents (hint: the file was cut or changed)");
  }
}

void read_model(ByteReader& in, size_t dim, const std::string& fingerprint) {
  const auto file_dim = in.number<uint32_t>("dim");
  const auto file_fingerprint = in.text("fingerprint");
  if (file_dim == dim && file_fingerprint == fingerprint) return;
  fail(Status::kInvalidArgument, in.source(), ": made with model \"", file_fingerprint, "\" (dim ", file_dim,
       "), this one is \"", fingerprint, "\" (dim ", dim, ")");
}

}  // namespace

CacheFileWriter::CacheFileWriter(size_t dim, const std::string& fingerprint) {
  ByteWriter head;
  head.raw(kMagic.data(), kMagic.size());
  head.number(kVersion);
  head.number(static_cast<uint32_t>(dim));
  head.text(fingerprint);
  head_ = head.take();
}

void CacheFileWriter::add(const CacheRecord& record) {
  write_record(records_, record);
  ++count_;
}

std::string CacheFileWriter::finish() {
  ByteWriter out;
  out.raw(head_.data(), head_.size());
  out.number(count_);
  const std::string records = records_.take();
  out.raw(records.data(), records.size());
  out.number(checksum(out.bytes()));
  return out.take();
}

void check_cache_file(const std::string& path, size_t most) {
  const base::OpenFile file(path);
  std::string magic(std::min(kMagic.size(), file.size()), 0);
  file.read(0, magic.data(), magic.size());
  if (magic != kMagic) fail(Status::kParse, path, ": not a snapshot of the semantic cache");
  if (file.size() > most) {
    fail(Status::kLimit, path, ": ", file.size(), " bytes, a cache of this max_bytes writes at most ", most);
  }
}

std::vector<CacheRecord> read_cache_file(std::string_view bytes, const std::string& path, size_t dim,
                                         const std::string& fingerprint) {
  ByteReader in(bytes, path);
  if (in.left() < kMagic.size() || in.raw(kMagic.size(), "magic") != kMagic) {
    in.fail_here("not a snapshot of the semantic cache");
  }
  const auto version = in.number<uint32_t>("version");
  if (version != kVersion)
    fail(Status::kUnsupported, path, ": version ", version, ", this vsr reads version ", kVersion);
  if (in.left() < sizeof(uint64_t)) in.fail_here("checksum is missing");
  check_sum(in, bytes);
  read_model(in, dim, fingerprint);
  std::vector<CacheRecord> records(in.count<uint64_t>("number of records", kLeastRecord));
  for (CacheRecord& record : records) record = read_record(in, dim);
  if (in.left() != sizeof(uint64_t)) in.fail_here(in.left(), " bytes follow the records, expected the checksum's 8");
  return records;
}

}  // namespace vsr::routing
