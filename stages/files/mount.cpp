#include "stages/files/mount.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

#include "stages/files/descriptor.h"

namespace mezzo::files {

std::string file_system_of(int fd) {
  struct stat found {};
  if (::fstat(fd, &found) != 0) return {};
  const std::string device =
      std::to_string(major(found.st_dev)) + ":" + std::to_string(minor(found.st_dev));
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string number, parent, its_device, word;
    words >> number >> parent >> its_device;
    if (its_device != device) continue;
    while (words >> word && word != "-") {
    }
    words >> word;
    return word;
  }
  return {};
}

std::string file_system_of(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC));
  return file ? file_system_of(file.get()) : "";
}

bool has_fixed_modes(const std::string& file_system) {
  constexpr std::array<std::string_view, 5> kFixed = {
      "vfat", "msdos", "exfat", "fuseblk", "fuse.exfat"};
  return std::ranges::find(kFixed, file_system) != kFixed.end();
}

char character_for_few(const std::string& name) {
  const size_t at = name.find_first_of(":?*\"<>|\\");
  return at == std::string::npos ? '\0' : name[at];
}

}  // namespace mezzo::files
