#include "routing/cache/semantic_cache.h"

#include <catch2/catch.hpp>
#include <list>
#include <map>
#include <random>
#include <thread>

#include "routing/cache/cache_codec.h"
#include "support/cache_fixture.h"
#include "support/failure.h"
#include "support/temp_folder.h"

using namespace vsr::routing;
using vsr::base::Status;
using vsr::test::at;
using vsr::test::failure_of;
using vsr::test::FakeClock;
using vsr::test::kPartition;
using vsr::test::plane_options;
using vsr::test::TempFolder;

namespace {

std::string exact(SemanticCache& cache, std::string_view text, const PartitionKey& partition = kPartition) {
  const auto hit = cache.lookup_exact(partition, text);
  return hit ? *hit->response : "";
}
std::string similar(SemanticCache& cache, std::string_view text, double degrees,
                    const PartitionKey& partition = kPartition) {
  const auto answer = cache.lookup_similar(partition, text, at(degrees));
  return answer.hit ? *answer.hit->response : "";
}

}  // namespace

TEST_CASE("semantic cache: the exact text, then the nearest above the threshold", "[routing][cache]") {
  SemanticCache cache(plane_options({}));
  const std::string binary("a\0b\xFF", 4);
  cache.insert(kPartition, "red wine", at(0), binary);
  cache.insert(kPartition, "white wine", at(30), "white");
  CHECK(exact(cache, "red wine") == binary);
  CHECK(exact(cache, "Red wine").empty());
  const auto answer = cache.lookup_similar(kPartition, "wine of red colour", at(10));
  REQUIRE(answer.hit);
  CHECK(*answer.hit->response == binary);
  CHECK(answer.hit->text == "red wine");
  CHECK(answer.hit->similarity == Approx(0.98481).margin(1e-4));
  CHECK_FALSE(answer.hit->exact);
  CHECK(similar(cache, "pale wine", 25) == "white");
  CHECK(similar(cache, "beer", 70).empty());
  CHECK(cache.lookup_similar(kPartition, "beer", at(70), 0.7).hit.has_value());
  const auto stats = cache.stats();
  CHECK(stats.exact_lookups == 2);
  CHECK(stats.exact_hits == 1);
  CHECK(stats.similar_lookups == 4);
  CHECK(stats.similar_hits == 3);
  CHECK(stats.entries == 2);
}

TEST_CASE("semantic cache: nothing passes from one partition to another", "[routing][cache]") {
  SemanticCache cache(plane_options({}));
  const PartitionKey mine = {"ab", "c", ""}, others[] = {{"a", "bc", ""}, {"ab", "", "c"}, {"", "abc", ""}, {}};
  cache.insert(mine, "q", at(0), "secret");
  for (const auto& other : others) {
    CHECK(exact(cache, "q", other).empty());
    CHECK(similar(cache, "q", 0, other).empty());
  }
  CHECK(exact(cache, "q", mine) == "secret");
  CHECK(cache.clear({}) == 0);
  CHECK(cache.clear(mine) == 1);
  CHECK(cache.stats().partitions == 0);
}

TEST_CASE("semantic cache: a veto says why, and the next nearest may still answer", "[routing][cache]") {
  auto options = plane_options({});
  options.veto = true;
  SemanticCache cache(options);
  cache.insert(kPartition, "alarm at 5 am", at(0), "five");
  auto answer = cache.lookup_similar(kPartition, "alarm at 6 am", at(1));
  CHECK_FALSE(answer.hit);
  CHECK(answer.veto == "numbers differ: \"6 am\" and \"5 am\"");
  CHECK(answer.nearest > 0.99f);
  CHECK(cache.stats().vetoes == 1);
  cache.insert(kPartition, "the alarm at 6 am", at(5), "six");
  CHECK(similar(cache, "alarm at 6 am", 1) == "six");
  CHECK(cache.stats().vetoes == 1);
}

TEST_CASE("semantic cache: a doubt of the veto is for the pair check, which asks about the nearest first",
          "[routing][cache]") {
  auto options = plane_options({});
  options.veto = true;
  options.least_same = 0.7;
  SemanticCache cache(options);
  cache.insert(kPartition, "what drives moths away", at(0), "camphor");
  cache.insert(kPartition, "moths in the closet need which remedy", at(4), "cedar");
  const std::string_view text = "how do i get rid of moths";
  CHECK_FALSE(cache.lookup_similar(kPartition, text, at(1)).hit);
  CHECK(cache.stats().vetoes == 1);

  std::vector<std::string> asked;
  std::vector<double> answers = {0.69, 0.7};
  const PairCheck check = [&](std::string_view question, std::span<const std::string_view> cached) {
    CHECK(question == text);
    asked.assign(cached.begin(), cached.end());
    return answers;
  };
  const auto answer = cache.lookup_similar(kPartition, text, at(1), std::nullopt, check);
  CHECK(asked == std::vector<std::string>{"what drives moths away", "moths in the closet need which remedy"});
  REQUIRE(answer.hit);
  CHECK(*answer.hit->response == "cedar");
  answers = {0.1, 0.2};
  const auto none = cache.lookup_similar(kPartition, text, at(1), std::nullopt, check);
  CHECK_FALSE(none.hit);
  CHECK(none.veto == "the pair check takes it for another question");
  CHECK(cache.stats().unlike == 1);
  // What the veto refuses is not asked about.
  asked.clear();
  CHECK_FALSE(cache.lookup_similar(kPartition, "what drives 2 moths away", at(1), std::nullopt, check).hit);
  CHECK(asked.empty());
}

TEST_CASE("semantic cache: with a bound on errors, matches are held back until enough is known of them",
          "[routing][cache]") {
  auto options = plane_options({});
  options.max_error_rate = 0.05;
  SemanticCache cache(options);
  cache.insert(kPartition, "red wine", at(0), "red");
  const auto ask = [&](int times) {
    int served = 0;
    for (int i = 0; i < times; ++i) served += cache.lookup_similar(kPartition, "rosy wine", at(5)).hit.has_value();
    return served;
  };
  CHECK(ask(200) < 40);
  std::optional<CacheHit> held;
  while (!held) held = cache.lookup_similar(kPartition, "rosy wine", at(5)).held_back;
  CHECK(*held->response == "red");
  for (int i = 0; i < 400; ++i) cache.feedback(kPartition, held->key, CacheFeedback::kWouldFit, held->similarity);
  CHECK(ask(200) == 200);
  CHECK(cache.stats().good == 0);  // counts what was served
  // Once wrong, this entry is not served at that similarity again.
  cache.feedback(kPartition, held->key, CacheFeedback::kWouldNotFit, held->similarity);
  CHECK(ask(50) == 0);

  options.max_error_rate = 0;
  CHECK(failure_of([&] { SemanticCache wrong(options); }).status == Status::kInvalidArgument);
}

TEST_CASE("semantic cache: entries expire", "[routing][cache]") {
  FakeClock clock;
  auto options = plane_options(clock);
  options.ttl_ms = 1000;
  SemanticCache cache(options);
  cache.insert(kPartition, "a", at(0), "a");
  cache.insert(kPartition, "b", at(90), "b", 5000);
  clock.pass(999);
  CHECK(cache.lookup_exact(kPartition, "a")->age_ms == 999);
  clock.pass(1);
  CHECK(exact(cache, "a").empty());
  CHECK(similar(cache, "a", 0).empty());
  CHECK(exact(cache, "b") == "b");
  CHECK(cache.stats().expirations == 1);
  clock.pass(5000);
  cache.sweep();
  CHECK(cache.stats().entries == 0);
  CHECK(cache.stats().bytes == 0);
}

TEST_CASE("semantic cache: bounds on entries and bytes evict what was used longest ago", "[routing][cache]") {
  auto options = plane_options({});
  options.max_entries = 3;
  SemanticCache cache(options);
  for (const char* text : {"a", "b", "c"}) cache.insert(kPartition, text, {}, text);
  CHECK(exact(cache, "a") == "a");
  cache.insert({"another"}, "d", {}, "d");
  CHECK(exact(cache, "b").empty());
  CHECK(exact(cache, "a") == "a");
  CHECK(cache.stats().evictions == 1);

  options.max_bytes = 20000;
  options.max_entry_bytes = 8000;
  SemanticCache small(options);
  for (const char* text : {"a", "b", "c"}) small.insert(kPartition, text, at(0), std::string(7990, 'x'));
  CHECK(small.stats().entries == 2);
  CHECK(small.stats().bytes <= 20000);
  CHECK(exact(small, "a").empty());
  CHECK(small.insert(kPartition, "big", at(0), std::string(8000, 'x')).empty());
  CHECK(small.stats().rejected == 1);
}

TEST_CASE("semantic cache: feedback removes bad answers and keeps bad matches away", "[routing][cache]") {
  SemanticCache cache(plane_options({}));
  cache.insert(kPartition, "red wine", at(0), "red");
  const auto hit = *cache.lookup_similar(kPartition, "rosy wine", at(10)).hit;
  CHECK(cache.feedback(kPartition, hit.key, CacheFeedback::kBadMatch, hit.similarity));
  CHECK(similar(cache, "rosy wine", 10).empty());
  CHECK(similar(cache, "reddish wine", 3) == "red");
  CHECK(exact(cache, "red wine") == "red");
  CHECK(cache.feedback(kPartition, hit.key, CacheFeedback::kGood));
  CHECK(cache.stats().error_rate() == 0.5);
  CHECK(cache.feedback(kPartition, hit.key, CacheFeedback::kBadAnswer));
  CHECK(exact(cache, "red wine").empty());
  CHECK_FALSE(cache.feedback(kPartition, hit.key, CacheFeedback::kGood));
  CHECK(cache.stats().bad_answers == 1);
}

TEST_CASE("semantic cache: entries are removed by their keys", "[routing][cache]") {
  SemanticCache cache(plane_options({}));
  const std::string key = cache.insert(kPartition, "a", at(0), "1");
  CHECK(key == cache.insert(kPartition, "a", at(0), "2"));
  CHECK(exact(cache, "a") == "2");
  CHECK(cache.stats().entries == 1);
  CHECK_FALSE(cache.remove({"another"}, key));
  CHECK(cache.remove(kPartition, key));
  CHECK_FALSE(cache.remove(kPartition, key));
  CHECK(similar(cache, "a", 0).empty());
}

TEST_CASE("semantic cache: what is out of range is refused", "[routing][cache]") {
  SemanticCache cache(plane_options({}));
  const auto message = [](auto body) { return failure_of(body).message; };
  const std::vector<float> three = {1, 0, 0}, two_long = {2, 0}, not_a_number = {NAN, 0}, zero = {0, 0};
  CHECK(message([&] { cache.insert(kPartition, "a", three, "x"); }) == "vector has 3 numbers, expected 2");
  CHECK(message([&] { cache.lookup_similar(kPartition, "a", two_long); }) == "vector has length 2, expected 1");
  CHECK(failure_of([&] { cache.lookup_similar(kPartition, "a", not_a_number); }).status == Status::kInvalidArgument);
  CHECK(message([&] { cache.lookup_similar(kPartition, "a", at(0), 1.5); }) ==
        "cache threshold is 1.5, expected 0 to 1");
  CHECK(failure_of([&] { cache.insert(kPartition, "a", at(0), "x", 0); }).status == Status::kInvalidArgument);
  CHECK(message([&] { cache.remove(kPartition, "xyz"); }) ==
        "\"xyz\" is no key of the cache, expected 32 hexadecimal digits");
  CHECK(failure_of([&] { cache.feedback(kPartition, std::string(32, 'a'), CacheFeedback::kBadMatch, NAN); }).status ==
        Status::kInvalidArgument);
  cache.insert(kPartition, "empty direction", zero, "x");
  CHECK(exact(cache, "empty direction") == "x");
  CHECK_FALSE(cache.lookup_similar(kPartition, "a", zero).hit);
  auto options = plane_options({});
  options.max_entries = 0;
  CHECK(failure_of([&] { SemanticCache{options}; }).message == "cache max_entries is 0, expected 1 or more");
}

TEST_CASE("semantic cache: any sequence of calls agrees with a naive model", "[routing][cache]") {
  struct Known {
    std::string partition, text, response;
    int64_t expires_ms;
  };
  FakeClock clock;
  auto options = plane_options(clock);
  options.max_entries = 12;
  options.veto = false;
  options.threshold = 0.99;
  SemanticCache cache(options);
  std::list<Known> model;  // the least recently used first
  std::mt19937 random(GENERATE(1, 2, 3));
  const auto drop_expired = [&] { model.remove_if([&](const Known& known) { return known.expires_ms <= *clock.ms; }); };
  const auto find = [&](const std::string& partition, const std::string& text) {
    return std::find_if(model.begin(), model.end(),
                        [&](const Known& known) { return known.partition == partition && known.text == text; });
  };
  for (int step = 0; step < 3000; ++step) {
    const std::string partition = std::to_string(random() % 3);
    const int degrees = static_cast<int>(random() % 24) * 15;  // neighbours are below the threshold
    const std::string text = std::to_string(degrees);
    drop_expired();
    const auto known = find(partition, text);
    switch (random() % 5) {
      case 0:
      case 1: {
        const int64_t ttl_ms = 1 + static_cast<int64_t>(random() % 60);
        const std::string response = "r" + std::to_string(step);
        cache.insert({partition}, text, at(degrees), response, ttl_ms);
        if (known != model.end()) model.erase(known);
        model.push_back({partition, text, response, *clock.ms + ttl_ms});
        if (model.size() > options.max_entries) model.pop_front();
        break;
      }
      case 2:
      case 3: {
        const std::string expected = known == model.end() ? "" : known->response;
        const bool by_text = random() % 2 == 0;
        CHECK((by_text ? exact(cache, text, {partition}) : similar(cache, "?", degrees + 2, {partition})) == expected);
        if (known != model.end()) model.splice(model.end(), model, known);
        break;
      }
      default: {
        const std::string key = CacheKey::of(PartitionKey{partition}.encoded(), text).hex();
        CHECK(cache.remove({partition}, key) == (known != model.end()));
        if (known != model.end()) model.erase(known);
        clock.pass(static_cast<int64_t>(random() % 6));
      }
    }
    drop_expired();
    cache.sweep();
    REQUIRE(cache.stats().entries == model.size());
  }
}

TEST_CASE("semantic cache: a snapshot keeps entries, expiry, order of use and feedback", "[routing][cache]") {
  FakeClock clock;
  const TempFolder folder;
  const std::string path = folder / "cache.bin";
  auto options = plane_options(clock);
  {
    SemanticCache cache(options);
    cache.insert(kPartition, "a", at(0), "A", 1000);
    cache.insert({"b", "", ""}, "b", {}, "B");
    const std::string key = cache.insert(kPartition, "c", at(90), "C");
    cache.feedback(kPartition, key, CacheFeedback::kBadMatch, 0.99f);
    cache.insert(kPartition, "old", at(180), "O", 1);
    CHECK(exact(cache, "a") == "A");  // now used after b and c
    clock.pass(1);
    cache.save(path);
  }
  SemanticCache cache(options);
  CHECK(cache.load(path) == 3);
  CHECK(similar(cache, "?", 2) == "A");
  CHECK(exact(cache, "b", {"b", "", ""}) == "B");
  CHECK(similar(cache, "?", 90 + 10).empty());
  CHECK(similar(cache, "?", 90 + 3) == "C");
  CHECK(exact(cache, "old").empty());
  clock.pass(999);
  CHECK(exact(cache, "a").empty());

  clock.pass(-999);
  options.max_entries = 1;
  SemanticCache tiny(options);
  CHECK(tiny.load(path) == 3);
  CHECK(exact(tiny, "a") == "A");
}

TEST_CASE("semantic cache: snapshots that are cut, changed or of another model are refused whole", "[routing][cache]") {
  const TempFolder folder;
  const std::string path = folder / "cache.bin";
  const auto options = plane_options({});
  SemanticCache cache(options);
  cache.insert(kPartition, "a", at(0), "A");
  cache.save(path);
  const std::string good = vsr::test::read_file(path);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x20);
    folder.write("changed.bin", changed);
    CHECK(failure_of([&] { cache.load(folder / "changed.bin"); }).status.has_value());
    folder.write("cut.bin", good.substr(0, i));
    CHECK(failure_of([&] { cache.load(folder / "cut.bin"); }).status == Status::kParse);
  }
  CHECK(cache.stats().entries == 1);
  auto other = options;
  other.fingerprint = "another";
  CHECK(failure_of([&] { SemanticCache(other).load(path); }).message ==
        path + ": made with model \"plane\" (dim 2), this one is \"another\" (dim 2)");
  CHECK(failure_of([&] { cache.load(folder / "absent"); }).status == Status::kNotFound);
  CHECK(failure_of([&] { cache.save(folder / "absent/x"); }).status == Status::kNotFound);
}

TEST_CASE("semantic cache: many threads may do anything at once", "[routing][cache]") {
  const TempFolder folder;
  FakeClock clock;
  auto options = plane_options(clock);
  options.max_entries = 50;
  SemanticCache cache(options);
  std::atomic<size_t> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i < 1500; ++i) {
        const PartitionKey partition = {std::to_string(random() % 4)};
        const int degrees = static_cast<int>(random() % 120) * 3;
        const std::string text = "question " + std::string(static_cast<size_t>(degrees / 3), 'x');
        const std::string response = partition.tenant + "/" + text;
        if (random() % 3 == 0) cache.insert(partition, text, at(degrees), response, 1 + random() % 40);
        if (const auto hit = cache.lookup_exact(partition, text)) wrong += *hit->response != response;
        if (const auto hit = cache.lookup_similar(partition, "question", at(degrees), 0.9).hit) {
          wrong += hit->response->substr(0, 2) != partition.tenant + "/";
          if (random() % 20 == 0) cache.feedback(partition, hit->key, CacheFeedback::kBadMatch, hit->similarity);
          if (random() % 20 == 0) cache.remove(partition, hit->key);
        }
        if (random() % 50 == 0) clock.pass(3);
        if (random() % 300 == 0) cache.clear(partition);
        if (random() % 400 == 0) cache.save(folder / "snapshot");
        if (random() % 100 == 0) cache.stats();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(cache.stats().entries <= 50);
  cache.clear();
  CHECK(cache.stats().entries == 0);
  CHECK(cache.stats().bytes == 0);
  CHECK(cache.stats().partitions == 0);
}

TEST_CASE("cache key: partitions and texts are kept apart, and hex is read back", "[routing][cache]") {
  CHECK(CacheKey::of("ab", "c") != CacheKey::of("a", "bc"));
  const CacheKey key = CacheKey::of("p", "text");
  CHECK(CacheKey::parse(key.hex()) == key);
  CHECK_FALSE(CacheKey::parse(key.hex().substr(1)));
  CHECK_FALSE(CacheKey::parse(std::string(32, 'G')));
}
