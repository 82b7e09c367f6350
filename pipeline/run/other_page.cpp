#include "pipeline/run/other_page.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>

#include "kernels/base/error.h"
#include "kernels/prepress/folded_name.h"
#include "pipeline/plan/provenance.h"
#include "stages/files/descriptor.h"
#include "stages/files/folder.h"
#include "stages/files/temporary_name.h"
#include "stages/tiff/plate/plate_reader.h"

namespace mezzo::run {
namespace {

bool is_of_page(files::FileSystem& files,
                const std::string& plate,
                const std::vector<std::string>& sample_hashes) {
  try {
    const tiff::PlateReader reader(plate, files);
    if (reader.page_count() != sample_hashes.size()) return false;
    for (uint32_t i = 0; i < reader.page_count(); ++i) {
      if (plan::sample_hash_of(reader.page(i).description) != sample_hashes[i]) return false;
    }
    return true;
  } catch (const Error& error) {
    return error.kind() == ErrorKind::kMissing;
  }
}

/// The folded names to look for in a folder, each with the index of its plate.
using Wanted = std::multimap<std::string, size_t>;

void find_in_folder(files::FileSystem& files,
                    const std::string& folder,
                    const Wanted& wanted,
                    std::vector<std::string>& found) {
  const files::Descriptor opened(files.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return;
  files::for_each_name(opened.get(), folder, [&](const char* name) {
    const auto [begin, end] = wanted.equal_range(prepress::folded_name(name));
    for (auto plate = begin; plate != end; ++plate) {
      std::string& file = found[plate->second];
      if (file.empty()) file = (std::filesystem::path(folder) / name).string();
    }
  });
}

}  // namespace

std::vector<std::string> files_with_names_of(files::FileSystem& files,
                                             const std::vector<std::string>& plates) {
  std::vector<std::string> found(plates.size());
  std::map<std::string, Wanted> folders;
  for (size_t i = 0; i < plates.size(); ++i) {
    struct stat status {};
    if (files.status_of_name(plates[i], status) == 0) {
      found[i] = plates[i];
    } else {
      const std::string name = std::filesystem::path(plates[i]).filename();
      folders[files::folder_of(plates[i])].emplace(prepress::folded_name(name), i);
    }
  }
  for (const auto& [folder, wanted] : folders) find_in_folder(files, folder, wanted, found);
  return found;
}

void refuse_other_page(files::FileSystem& files,
                       const std::string& plate,
                       const std::string& taken,
                       const std::vector<std::string>& sample_hashes) {
  if (is_of_page(files, taken, sample_hashes)) return;
  const std::string other =
      taken == plate ? ""
                     : fmt::format(": {} differs {}, and many file systems take the two for one",
                                   taken,
                                   prepress::difference_of_names(taken, plate));
  throw Error(
      ErrorKind::kUsage,
      fmt::format("{}: a plate of another page, or another file, has this name{}", plate, other),
      "rename the page, move that file away, or let it be replaced (a hot folder: "
      "'name_clashes: replace')");
}

}  // namespace mezzo::run
