// A folder whose files are in one input, for readers that take a folder: parts divided by 0x1E, each of which begins
// with the letter of its file. Where there is a /dev/shm, it lies in memory.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "fuzz_target.h"

namespace vsr::fuzz {

class InputFolder {
 public:
  // The letters and their files.
  explicit InputFolder(std::map<char, std::string> files) : files_(std::move(files)) {
    const std::filesystem::path memory = "/dev/shm";
    const auto base = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    std::string name = (base / "vsr-fuzz-XXXXXX").string();
    demand(::mkdtemp(name.data()) != nullptr, "mkdtemp");
    path_ = name;
    for (const auto& [letter, file] : files_) {
      std::filesystem::create_directories((std::filesystem::path(path_) / file).parent_path());
    }
  }
  ~InputFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  InputFolder(const InputFolder&) = delete;
  InputFolder& operator=(const InputFolder&) = delete;

  const std::string& path() const { return path_; }

  // Writes what `input` has and removes what it lacks. A part under 'w' is the header of a safetensors file, and as
  // much of `data` follows it as the header's offsets reach.
  void fill(std::string_view input, std::string_view data) {
    std::map<char, std::string_view> parts;
    while (!input.empty()) {
      const size_t end = std::min(input.find(kDivider), input.size());
      if (end > 0) parts[input[0]] = input.substr(1, end - 1);
      input.remove_prefix(std::min(end + 1, input.size()));
    }
    for (const auto& [letter, file] : files_) {
      const std::string path = path_ + "/" + file;
      const auto part = parts.find(letter);
      if (part == parts.end()) {
        ::unlink(path.c_str());
      } else {
        write(path, part->second, letter == 'w' ? &data : nullptr);
      }
    }
  }

  static std::string part(char letter, std::string_view content) {
    return std::string(1, letter).append(content).append(1, kDivider);
  }

 private:
  static constexpr char kDivider = '\x1E';

  // The largest number that ends a pair of offsets.
  static size_t reach(std::string_view header) {
    size_t most = 0;
    for (size_t at = header.find("data_offsets\":["); at != std::string_view::npos;
         at = header.find("data_offsets\":[", at + 1)) {
      const size_t comma = header.find(',', at);
      if (comma == std::string_view::npos) break;
      most = std::max<size_t>(most, std::strtoul(std::string(header.substr(comma + 1, 10)).c_str(), nullptr, 10));
    }
    return most;
  }

  static void write(const std::string& path, std::string_view content, const std::string_view* data) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    demand(fd >= 0, "open");
    std::string bytes;
    if (data != nullptr) {
      const uint64_t length = content.size();
      bytes.resize(8);
      std::memcpy(bytes.data(), &length, 8);
      bytes.append(content).append(data->substr(0, reach(content)));
      content = bytes;
    }
    demand(::write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size()), "write");
    ::close(fd);
  }

  std::map<char, std::string> files_;
  std::string path_;
};

}  // namespace vsr::fuzz
