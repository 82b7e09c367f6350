#include "stages/files/temporary_name.h"

#include <unistd.h>
#include <xxhash.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>

namespace mezzo::files {
namespace {

constexpr size_t kBootDigits = 8;

std::string eight_digits(uint32_t number) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", number);
  return digits;
}

std::string hash_of(const std::string& text) {
  return eight_digits(static_cast<uint32_t>(XXH3_64bits(text.data(), text.size())));
}

std::string find_machine() {
  std::string boot;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::getline(file, boot);
  std::error_code error;
  const std::string processes = std::filesystem::read_symlink("/proc/self/ns/pid", error).string();
  if (boot.empty() || error) return "";
  return hash_of(boot) + hash_of(processes);
}

}  // namespace

std::string to_string(const Writer& writer) {
  const std::string pid = std::to_string(writer.pid);
  return writer.machine.empty() ? pid : pid + "-" + writer.machine;
}

Writer this_process() {
  static const std::string machine = find_machine();
  return {::getpid(), machine};
}

bool are_of_two_boots(const Writer& one, const Writer& other) {
  if (one.machine.empty() || other.machine.empty()) return false;
  return one.machine.compare(0, kBootDigits, other.machine, 0, kBootDigits) != 0;
}

std::string temporary_tail(const Writer& writer, uint32_t random) {
  return "." + to_string(writer) + "-" + eight_digits(random) + ".part";
}

std::optional<std::string> final_name_of(std::string_view temporary_name, Writer& writer) {
  static const std::regex form("\\.(.+)\\.([0-9]{1,9})-(?:([0-9a-f]{16})-)?[0-9a-f]{8}\\.part");
  std::cmatch parts;
  if (!std::regex_match(temporary_name.begin(), temporary_name.end(), parts, form)) {
    return std::nullopt;
  }
  writer = {std::stoi(parts[2].str()), parts[3].str()};
  return parts[1].str();
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace mezzo::files
