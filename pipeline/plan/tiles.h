// The tiles of thresholds that the settings of a job name, read and put into the settings.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "manifests/origins.h"
#include "stages/files/file_system.h"

namespace mezzo::plan {

/// Reads each file once.
class TileReader {
 public:
  /// `files` is for the files that a job names; those of a press may lie anywhere. It outlives this.
  /// Values take no more than `room_bytes`.
  explicit TileReader(files::FileSystem& files, uint64_t room_bytes = UINT64_MAX)
      : files_(files), room_bytes_(room_bytes) {}

  /// Fills in the values and digests of the tiles of a page, and where nobody gives a shift that of
  /// the file. `origins` may be null. Throws Error as screen::read_tile(), and kChecksum for a file
  /// that has not the digest that the settings have for it, kLimit for one without room.
  void read(manifests::PageSettings& settings, const manifests::Origins* origins);

  /// Memory of the values read so far.
  uint64_t bytes() const;

 private:
  using Key = std::pair<std::string, files::FileSystem*>;

  const TileFile& file(const std::string& path, files::FileSystem& files);
  void refuse_too_many(const Key& key, const TileFile& tile);

  files::FileSystem& files_;
  const uint64_t room_bytes_;
  std::map<Key, TileFile> read_;
  std::map<Key, uint64_t> missing_;  ///< those without room, by their memory
};

/// For people: "house.tif, 64 x 64 px, 257 levels, tints true to 0.2 %"; the name alone where the file
/// was not read, and nothing for methods without a tile.
std::string tile_text(const HalftoneSettings& halftone);

}  // namespace mezzo::plan
