#include "pipeline/plan/tiles.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/registry.h"
#include "kernels/screen/tile_method.h"
#include "manifests/named_files.h"
#include "pipeline/plan/job_plan.h"
#include "pipeline/text.h"
#include "stages/screen/tile_file.h"

namespace mezzo::plan {
namespace {

/// Of the thresholds of a job's screens, whatever its memory: `check` has them all at once.
constexpr uint64_t kMostBytes = 128ULL << 20;

uint64_t bytes_of(const TileFile& tile) {
  return tile.values->values.size() * sizeof tile.values->values[0];
}

}  // namespace

const TileFile& TileReader::file(const std::string& path, files::FileSystem& files) {
  const std::pair key(path, &files);
  const auto known = read_.find(key);
  if (known != read_.end()) return known->second;
  TileFile tile = screen::read_tile(path, files);
  refuse_too_many(key, tile);
  return read_.emplace(key, std::move(tile)).first->second;
}

void TileReader::refuse_too_many(const Key& key, const TileFile& tile) {
  const uint64_t with_it = bytes() + bytes_of(tile);
  uint64_t all = with_it;  // and those that were refused
  for (const auto& [other, missing] : missing_) {
    if (other != key) all += missing;
  }
  if (all > kMostBytes) {
    throw Error(
        ErrorKind::kLimit,
        fmt::format("{}: with the thresholds of this screen the job has more than {} of them",
                    tile.path,
                    bytes_text(kMostBytes)),
        "split the job");
  }
  if (with_it <= room_bytes_) return;
  missing_[key] = bytes_of(tile);
  throw Error(ErrorKind::kLimit,
              fmt::format("{}: with the thresholds of this screen the job needs at least {} of "
                          "memory, the limit is {}",
                          tile.path,
                          limit_text(kProgramBytes + all + kPlanBytes),  // and a page
                          bytes_text(kProgramBytes + room_bytes_)),
              "raise limits.memory or --memory, or split the job");
}

void TileReader::read(manifests::PageSettings& settings, const manifests::Origins* origins) {
  for (const manifests::NamedFile& named : named_files(settings, origins)) {
    if (named.halftone == nullptr) continue;
    TileFile& tile = named.halftone->tile;
    const TileFile& found =
        file(tile.path, is_of_press(named) ? files::FileSystem::real() : files_);
    if (!tile.digest.empty() && tile.digest != found.digest) {
      throw Error(
          ErrorKind::kChecksum,
          fmt::format("{}: the thresholds are not those that the job was planned with", tile.path),
          "put the file back, or plan the job anew");
    }
    tile = found;
    named.halftone->parameters.try_emplace("shift", found.values->shift);
  }
}

uint64_t TileReader::bytes() const {
  uint64_t bytes = 0;
  for (const auto& [key, tile] : read_) bytes += bytes_of(tile);
  return bytes;
}

std::string tile_text(const HalftoneSettings& halftone) {
  const std::string name = std::filesystem::path(halftone.tile.path).filename().string();
  if (halftone.tile.values == nullptr) return name;
  const screen::ThresholdTile tile = screen::tile_of(with_defaults(halftone));
  const screen::TileFigures figures = screen::figures_of(tile);
  return fmt::format("{}, {} x {} px, {} levels, tints true to {:.1f} %",
                     name,
                     tile.width,
                     tile.height,
                     figures.levels,
                     figures.most_tone_error);
}

}  // namespace mezzo::plan
