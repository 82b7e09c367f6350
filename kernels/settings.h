// A user's settings of halftoning: the method, its parameters, and the engine.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

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

struct HalftoneSettings {
  std::string method = "floyd-steinberg";
  Engine engine = Engine::kAutomatic;
  std::string schedule = {};  ///< empty: the engine's fastest
  std::map<std::string, double, std::less<>> parameters =
      {};  ///< by name; a missing one is default
  TileFile tile = {};

  bool operator==(const HalftoneSettings&) const = default;
};

}  // namespace mezzo
