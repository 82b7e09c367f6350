#include "stages/colour/table_cache.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "stages/colour/table_file.h"
#include "stages/files/cache_folder.h"
#include "stages/files/sha256.h"

namespace mezzo::colour {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostTables = 64;
constexpr const char* kSuffix = ".lut";

std::string name_of(const std::string& key) {
  files::Sha256 digest;
  digest.add(key.data(), key.size());
  return digest.hex() + kSuffix;
}

/// Removes the oldest tables. What fails is left for the next time.
void remove_old_tables(const std::string& folder) {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> tables;
  for (fs::directory_iterator at(folder, ignored), end; at != end && !ignored;
       at.increment(ignored)) {
    if (at->path().extension() != kSuffix) continue;
    std::error_code failed;
    const fs::file_time_type time = fs::last_write_time(at->path(), failed);
    if (!failed) tables.emplace_back(time, at->path());
  }
  if (tables.size() <= kMostTables) return;
  const auto kept = static_cast<int64_t>(kMostTables);
  std::ranges::nth_element(tables, tables.begin() + kept - 1, std::greater());
  for (auto old = tables.begin() + kept; old != tables.end(); ++old) {
    fs::remove(old->second, ignored);
  }
}

}  // namespace

std::string table_cache_folder() {
  const std::string folder = files::cache_folder();
  return folder.empty() ? folder : folder + "/colour";
}

std::shared_ptr<const prepress::ColourTable> cached_table(
    const std::string& key,
    const std::function<std::shared_ptr<const prepress::ColourTable>()>& make,
    const std::string& folder) {
  if (folder.empty()) return make();
  const std::string path = folder + "/" + name_of(key);
  try {
    return read_table(path);
  } catch (const Error&) {
    // Not made yet, or damaged.
  }
  auto table = make();
  try {
    write_table(path, *table);
    remove_old_tables(folder);
  } catch (const Error&) {
    // Made again the next time.
  }
  return table;
}

}  // namespace mezzo::colour
