// A user's settings of halftoning: the method, its parameters, its levels, and the engine.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mezzo {

namespace screen {
struct TileValues;
}

/// The processors of a method; the bits are always the same. kAutomatic leaves the choice to the
/// program.
enum class Engine { kAutomatic, kCpu, kGpu, kHandover, kHybrid };

/// A user's array of thresholds (screen/tile_values.h), for methods that take one.
struct TileFile {
  std::string path = {};    ///< as it can be opened; empty: none
  std::string digest = {};  ///< of the values and their shape; empty until they are read
  std::shared_ptr<const screen::TileValues> values = {};  ///< null until they are read

  bool operator==(const TileFile& other) const {
    return path == other.path && digest == other.digest;
  }
};

/// The plates of an ink with several levels.
enum class LevelFormat {
  kPacked,  ///< one, whose pixels are levels of 2 or 4 bits
  kPlanes,  ///< one for each bit of the level
};

/// Drops of several sizes: each pixel gets one. drop_levels.h has the limits.
struct LevelSettings {
  std::vector<double> drops = {};  ///< volume of each level, from 0; the last one is a solid
  bool in_picolitres = false;      ///< of the drops; else they are percentages of the last
  double overlap_percent = 100;    ///< of a gap between levels, by which their use overlaps
  LevelFormat format = LevelFormat::kPacked;
  uint32_t bit = 0;  ///< with kPlanes: the bit of the level that is put out, 0 the lowest

  bool operator==(const LevelSettings&) const = default;
};

struct HalftoneSettings {
  std::string method = "floyd-steinberg";
  Engine engine = Engine::kAutomatic;
  std::string schedule = {};  ///< empty: the engine's fastest
  std::map<std::string, double, std::less<>> parameters =
      {};  ///< by name; a missing one is default
  TileFile tile = {};
  std::optional<LevelSettings> levels = {};  ///< none: ink or paper

  bool operator==(const HalftoneSettings&) const = default;
};

}  // namespace mezzo
