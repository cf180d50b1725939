#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <thread>

#include "routing/cache/cache_codec.h"
#include "routing/cache/redis/redis_client.h"
#include "routing/cache/semantic_cache.h"
#include "support/cache_fixture.h"
#include "support/failure.h"
#include "support/redis_server.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::at;
using vsr::test::eventually;
using vsr::test::failure_of;
using vsr::test::FakeClock;
using vsr::test::kPartition;
using vsr::test::RedisServer;

namespace {

// Timeouts of a busy test machine.
CacheOptions shared_options(const RedisServer& server, const FakeClock& clock = {}) {
  auto options = vsr::test::plane_options(clock);
  options.redis = RedisOptions{};
  options.redis->address = server.socket();
  options.redis->connect_timeout_ms = 2000;
  options.redis->lookup_timeout_ms = 2000;
  options.redis->write_timeout_ms = 5000;
  options.redis->poll_interval_ms = 10;
  return options;
}

bool written(const SemanticCache& cache) {
  return eventually([&] { return cache.stats().redis.waiting == 0; });
}
bool has_similar(SemanticCache& cache, double degrees) {
  return cache.lookup_similar(kPartition, "?", at(degrees)).hit.has_value();
}

std::vector<std::string> strings(const RedisReply& reply) {
  std::vector<std::string> all;
  const RedisReplyView view(reply.get());
  for (size_t i = 0; i < view.size(); ++i) all.emplace_back(view[i].text().value_or(""));
  return all;
}

}  // namespace

TEST_CASE("redis cache: gateways share exact and similar entries, and deletions", "[routing][cache][redis]") {
  if (!RedisServer::present()) return;
  const RedisServer server;
  SemanticCache one(shared_options(server)), two(shared_options(server));
  const std::string key = one.insert(kPartition, "red wine", at(0), "red");
  REQUIRE(written(one));

  const auto hit = two.lookup_exact(kPartition, "red wine");
  REQUIRE(hit);
  CHECK(*hit->response == "red");
  CHECK(hit->tier == CacheTier::kRedis);
  CHECK(two.lookup_exact(kPartition, "red wine")->tier == CacheTier::kMemory);
  CHECK_FALSE(two.lookup_exact({"another"}, "red wine"));

  one.insert(kPartition, "white wine", at(40), "white");
  CHECK(eventually([&] { return has_similar(two, 42); }));
  CHECK(two.stats().redis.loaded >= 1);

  CHECK(one.remove(kPartition, key));
  CHECK_FALSE(one.lookup_exact(kPartition, "red wine"));
  CHECK(eventually([&] { return !has_similar(two, 2); }));
  CHECK_FALSE(two.lookup_exact(kPartition, "red wine"));
  CHECK(has_similar(two, 42));
}

TEST_CASE("redis cache: a gateway that starts later loads what is there", "[routing][cache][redis]") {
  if (!RedisServer::present()) return;
  const RedisServer server;
  SemanticCache one(shared_options(server));
  for (int i = 0; i < 40; ++i) one.insert(kPartition, std::string(1 + i, 'x'), at(9 * i), "answer");
  REQUIRE(written(one));
  SemanticCache two(shared_options(server));
  CHECK_FALSE(two.lookup_exact(kPartition, "unknown"));
  CHECK(eventually([&] { return two.stats().entries == 40; }));
}

TEST_CASE("redis cache: an entry that was inserted again after its removal stays", "[routing][cache][redis]") {
  if (!RedisServer::present()) return;
  const RedisServer server;
  FakeClock clock;
  SemanticCache cache(shared_options(server, clock));
  for (int i = 0; i < 20; ++i) {
    const std::string key = cache.insert(kPartition, "q", at(0), "first");
    cache.remove(kPartition, key);
    CHECK_FALSE(cache.lookup_exact(kPartition, "q"));
    clock.pass(1);
    cache.insert(kPartition, "q", at(0), "second");
    REQUIRE(written(cache));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a few polls
    REQUIRE(has_similar(cache, 0));
  }
}

TEST_CASE("redis cache: other models and other partitions do not meet", "[routing][cache][redis]") {
  if (!RedisServer::present()) return;
  const RedisServer server;
  auto options = shared_options(server);
  SemanticCache one(options);
  one.insert(kPartition, "q", at(0), "a");
  REQUIRE(written(one));
  options.fingerprint = "another model";
  SemanticCache two(options);
  CHECK_FALSE(two.lookup_exact(kPartition, "q"));
  CHECK(two.stats().redis.rejected == 0);
}

TEST_CASE("redis cache: hostile entries are rejected and counted", "[routing][cache][redis]") {
  if (!RedisServer::present()) return;
  const RedisServer server;
  SemanticCache one(shared_options(server));
  one.insert(kPartition, "good", at(0), "a");
  one.insert(kPartition, "victim", at(90), "b");
  REQUIRE(written(one));
  RedisClient client(RedisAddress::parse(server.socket()), 2000, 1 << 24, {});
  const std::string partition = kPartition.encoded();
  const auto value_of = [&](const CacheRecord& record) { return pack_record(record); };
  CacheRecord record{partition, "victim", std::make_shared<std::string>("poison"), at(90), 1, INT64_MAX / 2, -1, 0, 0};
  CacheRecord other_text = record, bad_vector = record;
  other_text.expires_ms = 2;
  other_text.text = "something else";
  bad_vector.vector = {5, 0};
  bad_vector.expires_ms = 2;
  std::string cut = value_of(other_text).substr(0, 60);
  const std::string suffix = ":" + CacheKey::of(partition, "victim").hex();
  std::string name, log;
  for (const std::string& key : strings(client.run({{"KEYS", "*"}}, 2000)->front())) {
    if (key.ends_with(suffix)) name = key;
    if (key.ends_with(":log")) log = key;
  }
  REQUIRE_FALSE(name.empty());
  uint64_t expected = 0;
  for (const std::string& value :
       {std::string("junk"), std::string(), cut, value_of(record), value_of(other_text), value_of(bad_vector)}) {
    client.run({{"SET", name, value}}, 2000);
    SemanticCache two(shared_options(server));
    CHECK_FALSE(two.lookup_exact(kPartition, "victim"));
    CHECK(two.lookup_exact(kPartition, "good"));
    CHECK(two.stats().redis.rejected >= 1);
    ++expected;
  }
  CHECK(expected == 6);
  // Logs with changes that nobody wrote, and keys of other types.
  client.run({{"XADD", log, "*", "k", "not a key"},
              {"XADD", log, "*", "x", "y"},
              {"XADD", log, "*", "k", name, "d", "z"},
              {"DEL", name},
              {"LPUSH", name, "x"}},
             2000);
  SemanticCache three(shared_options(server));
  CHECK_FALSE(three.lookup_exact(kPartition, "victim"));
  CHECK(eventually([&] { return has_similar(three, 0); }));
  CHECK(three.stats().redis.available);
  client.run({{"DEL", log}, {"SET", log, "x"}}, 2000);
  SemanticCache four(shared_options(server));
  CHECK(four.lookup_exact(kPartition, "good"));
  four.insert(kPartition, "new", at(0), "n");
  CHECK(eventually([&] { return four.stats().redis.waiting == 0; }));
}

TEST_CASE("redis cache: kill and restart under load loses no request", "[routing][cache][redis]") {
  if (!RedisServer::present()) return;
  RedisServer server;
  std::mutex mutex;
  std::string said;
  auto options = shared_options(server);
  options.redis->lookup_timeout_ms = 500;
  options.log = [&](vsr::base::LogLevel, std::string_view message) {
    const std::lock_guard lock(mutex);
    said += std::string(message) + "\n";
  };
  SemanticCache cache(options);
  for (int i = 0; i < 50; ++i) cache.insert(kPartition, std::string(1 + i, 'x'), at(7 * i), "answer");
  REQUIRE(written(cache));
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> lost{0}, lookups{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int i = t; !stop; ++i) {
        const auto hit = cache.lookup_exact(kPartition, std::string(1 + i % 50, 'x'));
        lost += !hit || *hit->response != "answer";
        lost += !has_similar(cache, 7 * (i % 50));
        cache.lookup_exact(kPartition, "never asked " + std::to_string(i));
        ++lookups;
      }
    });
  }
  for (int round = 0; round < 2; ++round) {
    server.kill();
    CHECK(eventually([&] { return !cache.stats().redis.available; }));
    const uint64_t before = lookups;
    CHECK(eventually([&] { return lookups > before + 200; }));
    cache.insert(kPartition, "made while it was gone " + std::to_string(round), at(0), "later");
    CHECK(cache.stats().redis.waiting > 0);
    server.start();
    CHECK(eventually([&] { return cache.stats().redis.available; }));
    CHECK(written(cache));
  }
  stop = true;
  for (auto& thread : threads) thread.join();
  CHECK(lost == 0);
  CHECK(cache.stats().redis.failures > 0);
  CHECK_FALSE(cache.stats().redis.last_error.empty());
  SemanticCache other(shared_options(server));
  CHECK(other.lookup_exact(kPartition, "made while it was gone 1"));
  const std::lock_guard lock(mutex);
  CHECK(said.find("goes on with memory alone") != std::string::npos);
  CHECK(said.find("is in use") != std::string::npos);
}

TEST_CASE("redis cache: a server that hangs costs one timeout", "[routing][cache][redis]") {
  if (!RedisServer::present()) return;
  RedisServer server;
  auto options = shared_options(server);
  options.redis->lookup_timeout_ms = 20;
  options.redis->write_timeout_ms = 200;
  SemanticCache cache(options);
  cache.insert(kPartition, "q", at(0), "a");
  REQUIRE(written(cache));
  server.pause();
  for (int i = 0; i < 200; ++i) CHECK_FALSE(cache.lookup_exact(kPartition, "unknown " + std::to_string(i)));
  CHECK(cache.lookup_exact(kPartition, "q"));
  CHECK(eventually([&] { return !cache.stats().redis.available; }));
  CHECK(cache.stats().redis.lookups < 50);
  server.resume();
  CHECK(eventually([&] { return cache.stats().redis.available; }));
}

TEST_CASE("redis cache: no server at all is no error", "[routing][cache][redis]") {
  auto options = vsr::test::plane_options({});
  options.redis = RedisOptions{};
  options.redis->address = "/nowhere/at/all";
  SemanticCache cache(options);
  cache.insert(kPartition, "q", at(0), "a");
  CHECK(cache.lookup_exact(kPartition, "q"));
  CHECK_FALSE(cache.lookup_exact(kPartition, "r"));
  CHECK(eventually([&] { return cache.stats().redis.failures > 0; }));
  CHECK_FALSE(cache.stats().redis.available);
  CHECK(cache.stats().redis.waiting == 1);
}

TEST_CASE("redis address: forms are read, and passwords are not repeated", "[routing][redis]") {
  const auto parse = [](const std::string& text) { return RedisAddress::parse(text); };
  CHECK(parse("cache").host == "cache");
  CHECK(parse("cache").port == 6379);
  CHECK(parse("cache:1").port == 1);
  CHECK(parse("[::1]:70").host == "::1");
  CHECK(parse("[::1]:70").without_password() == "[::1]:70");
  CHECK(parse("/run/s").socket == "/run/s");
  CHECK(parse("unix:/run/s").socket == "/run/s");
  const auto url = parse("redis://me:p@ss:w@cache:7/3");
  CHECK(url.user == "me");
  CHECK(url.password == "p@ss:w");
  CHECK(url.database == 3);
  CHECK(url.without_password() == "cache:7");
  for (const char* text :
       {"", ":1", "cache:", "cache:0", "cache:65536", "cache:1x", "[::1", "[::1]x", "unix:", "redis://",
        "redis://secret@cache", "redis://u:secret@cache:x", "redis://u:secret@cache/y"}) {
    const auto failure = failure_of([&] { parse(text); });
    INFO(text);
    CHECK(failure.status == Status::kInvalidArgument);
    CHECK(failure.message.find("secret") == std::string::npos);
  }
  CHECK(failure_of([&] { parse("rediss://cache"); }).status == Status::kUnsupported);
}
