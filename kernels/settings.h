// What a user asks of halftoning: which method, with which parameters, on which engine.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace mezzo {

/// Where a method runs; the bits are always the same. kAutomatic leaves the choice to the program.
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
