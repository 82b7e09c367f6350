#include "pipeline/run/disk_space.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "pipeline/plan/disk_forecast.h"
#include "pipeline/text.h"

namespace mezzo::run {
namespace fs = std::filesystem;

void refuse_full_disk(plan::JobPlan& plan, const DoneSheets& done) {
  struct Disk {
    std::string folder;
    uint64_t free_bytes = 0;
    uint64_t wanted_bytes = 0;
    std::vector<plan::SheetPlan*> sheets;
  };
  std::map<dev_t, Disk> disks;
  for (size_t i = 0; i < plan.sheets.size(); ++i) {
    plan::SheetPlan& sheet = plan.sheets[i];
    if (sheet.failure || done.contains(i)) continue;
    const uint64_t wanted_bytes = plan::uncompressed_bytes(sheet);
    if (wanted_bytes == 0) continue;
    const std::string folder = files::existing_folder(*plan.files, sheet.plates.front().path);
    const auto free_bytes = files::free_space(*plan.files, sheet.plates.front().path);
    struct stat found {};
    if (!free_bytes || plan.files->status(folder, found) != 0) continue;  // writing will say why
    Disk& disk = disks[found.st_dev];
    disk.folder = folder;
    disk.free_bytes = *free_bytes;
    disk.wanted_bytes += wanted_bytes;
    disk.sheets.push_back(&sheet);
  }
  for (auto& [device, disk] : disks) {
    if (disk.wanted_bytes <= disk.free_bytes) continue;
    for (plan::SheetPlan* sheet : disk.sheets) {
      sheet->failure = {
          ErrorKind::kDiskFull,
          fmt::format("{}: the uncompressed plates of this job need {} on the disk of {}, which "
                      "has {} free",
                      sheet->input,
                      bytes_text(disk.wanted_bytes),
                      fs::absolute(disk.folder).lexically_normal().string(),
                      bytes_text(disk.free_bytes)),
          "make room, choose another folder, or compress"};
    }
  }
}

std::optional<plan::Failure> shortage(const plan::JobPlan& plan,
                                      const plan::SheetPlan& sheet,
                                      uint64_t reserve_bytes) {
  const uint64_t wanted = reserve_bytes + plan::uncompressed_bytes(sheet);
  if (wanted == 0) return std::nullopt;
  const auto free_bytes = files::free_space(*plan.files, sheet.plates.front().path);
  if (!free_bytes || *free_bytes >= wanted) return std::nullopt;
  return plan::Failure{ErrorKind::kDiskFull,
                       fmt::format("{}: the disk of its plates has {} free, and {} must be free "
                                   "before a page begins",
                                   sheet.input,
                                   bytes_text(*free_bytes),
                                   bytes_text(wanted)),
                       "make room there"};
}

}  // namespace mezzo::run
