// What a Redis sends: any bytes are replies or an error of the protocol, and whatever a reply holds can be asked of it,
// as the log of a partition too.
#include <hiredis/hiredis.h>

#include "fuzz_target.h"
#include "routing/cache/cache_redis_changes.h"
#include "routing/cache/redis/redis_client.h"

using namespace vsr;
using routing::RedisReplyView;

namespace {

constexpr int kMostReplies = 64;
constexpr size_t kErrorWithoutText = 32;  // what is said of an error that Redis sent no text for, at most

size_t walk(const RedisReplyView& reply, size_t depth) {
  fuzz::demand(depth < 32, "replies are nested a few levels deep");
  const size_t error = reply.error().size();
  size_t bytes = reply.text().value_or("").size() + (error > kErrorWithoutText ? error : 0);
  for (size_t i = 0; i < reply.size(); ++i) bytes += walk(reply[i], depth + 1);
  fuzz::demand(!reply[reply.size()].text(), "beyond the end there is nothing");
  return bytes;
}

void check(const RedisReplyView& reply, size_t input) {
  fuzz::demand(walk(reply, 0) <= input, "a reply is no larger than what was sent");
  std::string last_id = "0-0";
  for (const routing::RedisChange& change : routing::read_changes(reply, "me", last_id)) {
    fuzz::demand(routing::CacheKey::parse(change.key.hex()) == change.key, "keys are keys");
  }
  fuzz::demand(last_id.find('-') != std::string::npos, "a stream's id stays one");
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  const auto text = [](std::string_view value) {
    return "$" + std::to_string(value.size()) + "\r\n" + std::string(value) + "\r\n";
  };
  const std::string key(32, 'a');
  const std::string entry = "*2\r\n" + text("1700000000000-3") + "*6\r\n" + text("k") + text(key) + text("o") +
                            text("me") + text("d") + text("1700000000000");
  return {"+OK\r\n-ERR wrong\r\n:12\r\n$-1\r\n" + text("value") + "*-1\r\n",
          "*2\r\n" + entry + "*2\r\n" + text("17-4") + "*2\r\n" + text("k") + text(key),
          "*1\r\n*2\r\n" + text("log") + "*1\r\n" + entry,
          "%1\r\n+a\r\n#t\r\n,1.5\r\n_\r\n=7\r\ntxt:abc\r\n(123\r\n~0\r\n"};
}

int fuzz::runs() { return 40000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::unique_ptr<redisReader, void (*)(redisReader*)> reader(redisReaderCreate(), &redisReaderFree);
  reader->fn = routing::bounded_reply_functions();
  if (redisReaderFeed(reader.get(), reinterpret_cast<const char*>(data), size) != REDIS_OK) return 0;
  for (int i = 0; i < kMostReplies; ++i) {
    void* reply = nullptr;
    if (redisReaderGetReply(reader.get(), &reply) != REDIS_OK || reply == nullptr) return 0;
    const routing::RedisReply owner(static_cast<redisReply*>(reply));
    check(RedisReplyView(owner.get()), size);
  }
  return 0;
}
