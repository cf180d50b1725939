#include "routing/intents/intents_file.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "base/error.h"
#include "routing/support/fake_embedder.h"

using namespace vsr::routing;
using vsr::base::Error;
using vsr::base::Status;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = fs::temp_directory_path() / ("vsr-intents-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    fs::create_directory(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  size_t files() const { return std::distance(fs::directory_iterator(path_), {}); }

 private:
  fs::path path_;
};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::shared_ptr<PlaneEmbedder> plane() { return std::make_shared<PlaneEmbedder>(); }

std::unique_ptr<Intents> sample() {
  auto intents = std::make_unique<Intents>(plane(), IntentsOptions{NeighbourRule::kBest, 7, 0.25f});
  add(*intents, "east", {"1,0", "1,0.5"});
  add(*intents, "gone", {"1,1"});
  add(*intents, "north", {"0,1"}, 0.5f);
  add(*intents, "east", {std::string_view("1,-1\0tail", 9)});
  intents->remove("gone");
  return intents;
}

// The parts of a file, to write what vsrint would never write.
struct Crafted {
  std::string bytes = "vsrint\r\n";

  template <class Number>
  Crafted& number(Number value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Crafted& u32(uint32_t value) { return number(value); }
  Crafted& u64(uint64_t value) { return number(value); }
  Crafted& f32(float value) { return number(value); }
  Crafted& text(const std::string& value) {
    u32(value.size());
    bytes += value;
    return *this;
  }
  Crafted& head(uint32_t version = 1, uint32_t dim = 2, uint32_t rule = 1, uint32_t top_k = 5, float threshold = 0,
                const std::string& fingerprint = "plane weights=1") {
    return u32(version).u32(dim).u32(rule).u32(top_k).f32(threshold).text(fingerprint);
  }
  Crafted& label(const std::string& label, uint32_t has_threshold = 0, float threshold = 0) {
    return text(label).u32(has_threshold).f32(threshold);
  }
  Crafted& example(uint32_t intent, const std::string& example) { return u32(intent).text(example); }
};

void check_refused(const Crafted& crafted, const std::string& message, Status status = Status::kParse) {
  try {
    read_intents(crafted.bytes, "f", "plane weights=1", 2);
    FAIL("accepted, expected: " << message);
  } catch (const Error& error) {
    CHECK(error.what() == "f: " + message);
    CHECK(error.status() == status);
  }
}

}  // namespace

TEST_CASE("intents file: what was saved routes alike after loading, without embedding again", "[routing][intents]") {
  const Folder folder;
  const auto intents = sample();
  intents->save(folder.file("a"));
  CHECK(folder.files() == 1);
  const auto embedder = plane();
  const auto loaded = Intents::load(folder.file("a"), embedder);
  CHECK(embedder->embedded == 0);
  CHECK(loaded->describe() == intents->describe());
  for (const char* text : {"1,0.2", "-1,0.1", "0.3,1", "1,-1"}) {
    const Match before = route(*intents, text), after = route(*loaded, text);
    CHECK(after.matched == before.matched);
    CHECK(after.nearest == before.nearest);
    CHECK(after.score == before.score);
    CHECK(after.runner_up == before.runner_up);
    CHECK(after.runner_up_score == before.runner_up_score);
  }
  loaded->save(folder.file("b"));
  CHECK(read(folder.file("b")) == read(folder.file("a")));
  // The set goes on: known examples, with their NULs, are still known.
  add(*loaded, "east", {std::string_view("1,-1\0tail", 9), "1,0"});
  loaded->save(folder.file("b"));
  CHECK(read(folder.file("b")) == read(folder.file("a")));
}

TEST_CASE("intents file: an empty set can be saved and loaded", "[routing][intents]") {
  const Folder folder;
  Intents(plane(), {}).save(folder.file("a"));
  const auto loaded = Intents::load(folder.file("a"), plane());
  CHECK(route(*loaded, "1,0").nearest.empty());
  add(*loaded, "a", {"1,0"});
  CHECK(route(*loaded, "1,0").nearest == "a");
}

TEST_CASE("intents file: saving replaces a file in one step and keeps its permissions", "[routing][intents]") {
  const Folder folder;
  const std::string path = folder.file("a");
  write(path, "something else");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  sample()->save(path);
  CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(folder.files() == 1);
  CHECK(Intents::load(path, plane()) != nullptr);

  const auto check_fails = [](const std::string& target, Status status) {
    try {
      sample()->save(target);
      FAIL("saved to " << target);
    } catch (const Error& error) {
      CHECK(error.status() == status);
      CHECK(std::string(error.what()).rfind(target + ": ", 0) == 0);
    }
  };
  check_fails(folder.file("no/such/folder"), Status::kNotFound);
  fs::create_directory(folder.file("taken"));
  check_fails(folder.file("taken"), Status::kIo);
  CHECK(folder.files() == 2);  // nothing temporary is left behind
}

TEST_CASE("intents file: another model's file is refused, with both named", "[routing][intents]") {
  const Folder folder;
  sample()->save(folder.file("a"));
  try {
    Intents::load(folder.file("a"), std::make_shared<PlaneEmbedder>("other weights=2"));
    FAIL("loaded");
  } catch (const Error& error) {
    CHECK(error.status() == Status::kInvalidArgument);
    CHECK(error.what() ==
          folder.file("a") + ": made with model \"plane weights=1\" (dim 2), this one is \"other weights=2\" (dim 2)");
  }
  CHECK_THROWS_AS(Intents::load(folder.file("none"), plane()), Error);
}

TEST_CASE("intents file: a file cut anywhere, or with bytes to spare, is refused", "[routing][intents]") {
  const Folder folder;
  sample()->save(folder.file("a"));
  const std::string bytes = read(folder.file("a"));
  REQUIRE(bytes.size() > 100);
  CHECK_NOTHROW(read_intents(bytes, "f", "plane weights=1", 2));
  for (size_t size = 0; size < bytes.size(); ++size) {
    INFO("cut to " << size);
    CHECK_THROWS_AS(read_intents(std::string_view(bytes).substr(0, size), "f", "plane weights=1", 2), Error);
  }
  CHECK_THROWS_AS(read_intents(bytes + '\0', "f", "plane weights=1", 2), Error);
}

TEST_CASE("intents file: lies are refused by name", "[routing][intents]") {
  using C = Crafted;
  check_refused(C{""}, "not a file of intents (hint: vsr_intents_save() writes them)");
  check_refused(C{"vsrint\n\nxxxx"}, "not a file of intents (hint: vsr_intents_save() writes them)");
  check_refused(C().head(2), "version 2, this vsr reads version 1", Status::kUnsupported);
  check_refused(C().head(1, 0), "dim is 0, expected 1 to 65536");
  check_refused(C().head(1, 3), R"(made with model "plane weights=1" (dim 3), this one is "plane weights=1" (dim 2))",
                Status::kInvalidArgument);
  check_refused(C().head(1, 2, 4), "rule is 4, expected 1 to 3");
  check_refused(C().head(1, 2, 1, 0), "top_k is 0, expected 1 to 1024");
  check_refused(C().head(1, 2, 1, 5, NAN), "threshold is nan, expected -1 to 1");
  check_refused(C().head().u32(UINT32_MAX), "number of intents is 4294967295, more than the file's 0 bytes hold");
  check_refused(C().head().u32(1).text("").u64(0), "a label is empty");
  check_refused(C().head().u32(1).label("\xc3").u64(0), "label \"\xc3\" is not UTF-8");
  check_refused(C().head().u32(2).label("a").label("a").u64(0), "label \"a\" occurs twice");
  check_refused(C().head().u32(1).label("a", 2).u64(0), "has_threshold of \"a\" is 2, expected 0 or 1");
  check_refused(C().head().u32(1).label("a", 1, 2).u64(0), "threshold of an intent is 2, expected -1 to 1");
  check_refused(C().head().u32(1).u32(UINT32_MAX).u64(0),
                "label at byte 55 takes 4294967295 bytes, the file has 8 left");
  const auto one = [] { return C().head().u32(1).label("a"); };
  check_refused(one().u64(UINT64_MAX), "number of examples is 18446744073709551615, more than the file's 0 bytes hold");
  check_refused(one().u64(0), "intent \"a\" has no examples");
  check_refused(one().u64(1).example(1, "x").f32(1).f32(0), "example 0 is of intent 1, there are 1");
  check_refused(one().u64(2).example(0, "x").example(0, "x").f32(1).f32(0).f32(1).f32(0),
                "example 1 of \"a\" occurs twice");
  check_refused(one().u64(1).example(0, "x").f32(1).f32(0).f32(0), "vectors take 8 bytes, the file has 12 left");
  check_refused(one().u64(1).example(0, "x").f32(1).f32(1), "vector 0 has length 1.41421, expected 1");
  check_refused(one().u64(1).example(0, "x").f32(NAN).f32(1), "vector 0 has length nan, expected 1");
  check_refused(one().u64(1).example(0, "x").f32(INFINITY).f32(0), "vector 0 has length inf, expected 1");
  CHECK_NOTHROW(read_intents(one().u64(1).example(0, "x").f32(0).f32(0).bytes, "f", "plane weights=1", 2));
}

TEST_CASE("intents file: damaged bytes are refused or read, never worse", "[routing][intents]") {
  const Folder folder;
  sample()->save(folder.file("a"));
  const std::string bytes = read(folder.file("a"));
  std::mt19937 random(11);
  size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = bytes;
    for (unsigned n = 1 + random() % 3; n > 0; --n) damaged[random() % damaged.size()] = static_cast<char>(random());
    try {
      const auto saved = read_intents(damaged, "f", "plane weights=1", 2);
      const auto matches = saved.state.match(std::vector<float>{1, 0}, saved.options);
      CHECK(matches.size() == 1);
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
}
