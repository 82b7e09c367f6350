// A user's settings of halftoning: the method, its parameters, and the engine.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace mezzo {

/// The processors of a method; the bits are always the same. kAutomatic leaves the choice to the
/// program.
enum class Engine { kAutomatic, kCpu, kGpu, kHandover, kHybrid };

struct HalftoneSettings {
  std::string method = "floyd-steinberg";
  Engine engine = Engine::kAutomatic;
  std::string schedule = {};  ///< empty: the engine's fastest
  std::map<std::string, double, std::less<>> parameters =
      {};  ///< by name; a missing one is default

  bool operator==(const HalftoneSettings&) const = default;
};

}  // namespace mezzo
