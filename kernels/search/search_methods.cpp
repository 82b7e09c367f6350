#include "kernels/search/search_methods.h"

#include <algorithm>

#include "kernels/gpu/gpu.h"
#include "kernels/search/colour/colour_halftoner.h"
#include "kernels/search/colour/cpu/colour_search.h"
#include "kernels/search/colour/gpu/gpu_colour_search.h"
#include "kernels/search/gpu/gpu_search.h"

namespace mezzo::search {
namespace {

/// Reads parameters.
class Numbers {
 public:
  explicit Numbers(const HalftoneSettings& settings) : parameters_(settings.parameters) {}
  double real(std::string_view name) const { return parameters_.find(name)->second; }
  uint32_t whole(std::string_view name) const { return static_cast<uint32_t>(real(name)); }

 private:
  const std::map<std::string, double, std::less<>>& parameters_;
};

SearchSettings search_settings(const Numbers& numbers) {
  return {
      .start = static_cast<Start>(numbers.whole("start")),
      .seed = numbers.whole("seed"),
      .until = static_cast<Until>(numbers.whole("until")),
      .rounds = numbers.whole("rounds"),
      .budget_seconds = numbers.real("budget"),
      .slab_rows = numbers.whole("slab_rows"),
      .eye_radius = numbers.whole("radius"),
  };
}

std::string check_common(const Numbers& numbers, uint32_t least_cell) {
  const uint32_t cell = numbers.whole("cell"), slab = numbers.whole("slab_rows");
  if (cell != 0 && cell < least_cell) {
    return "cells of " + std::to_string(cell) +
           " pixels are too small for this eye, as neighbours would disturb each other; 'cell' "
           "must be at least " +
           std::to_string(least_cell) + ", or 0 for the smallest that will do";
  }
  if (slab != 0 && slab < kLeastSlabRows) {
    return "'slab_rows' must be at least " + std::to_string(kLeastSlabRows) + ", or 0";
  }
  return {};
}

/// A search of inks together has an eye and cells of its own, and no slabs.
std::string check_together(const HalftoneSettings& settings) {
  for (const std::string_view name :
       {"eye", "scale", "sigma", "radius", "target", "cell", "slab_rows"}) {
    const auto parameter = std::ranges::find(kDbsParameters, name, &ParameterInfo::name);
    if (settings.parameters.find(name)->second == parameter->default_value) continue;
    return "'" + std::string(name) +
           "' is for inks apart: 'inks: together' searches whole pages, with an eye and cells of "
           "its own; leave one of the two out";
  }
  return {};
}

uint32_t cell_of(const Numbers& numbers, uint32_t least) {
  return numbers.whole("cell") == 0 ? least : numbers.whole("cell");
}

Square eye_of_local(const Numbers& numbers) {
  return gaussian_eye(numbers.real("sigma"), numbers.whole("radius"));
}

Square eye_of_dbs(const Numbers& numbers) {
  const uint32_t radius = numbers.whole("radius");
  return numbers.whole("eye") == 0 ? nasanen_eye(numbers.real("scale"), radius)
                                   : gaussian_eye(numbers.real("sigma"), radius);
}

std::unique_ptr<Halftoner> make_local(const HalftoneSettings& asked,
                                      const ScheduleInfo& schedule,
                                      gpu::Context& context,
                                      bool is_partial) {
  const Numbers numbers(asked);
  const uint32_t radius = numbers.whole("radius"), window = numbers.whole("window");
  const LocalSettings settings{
      .eye = eye_of_local(numbers),
      .window = window,
      .cell = cell_of(numbers, least_cell(radius, window)),
      .partial = is_partial,
  };
  const SearchWindow search =
      window_search(is_partial, schedule.name == "bounds" ? search_by_bounds : search_in_lanes);
  constexpr uint64_t kBytesAPixel = sizeof(int16_t) + sizeof(uint8_t);  // errors, open windows
  SearchEngine engine{.make =
                          [settings, search](const Area& area, Team& team) {
                            return make_local_search(settings, area, team, search);
                          },
                      .bytes_a_pixel = kBytesAPixel};
  if (schedule.engine == Engine::kGpu) {
    gpu::require_gpu(schedule.name);
    engine.fall_back = std::move(engine.make);
    engine.make = [settings, &context](const Area& area, Team&) {
      return make_local_search_on_gpu(settings, area, context);
    };
    engine.on_gpu = local_method_on_gpu(settings, search_settings(numbers), context);
  }
  return make_search_halftoner(search_settings(numbers), std::move(engine));
}

}  // namespace

std::string check_local(const HalftoneSettings& settings) {
  const Numbers numbers(settings);
  return check_common(numbers, least_cell(numbers.whole("radius"), numbers.whole("window")));
}

std::string check_dbs(const HalftoneSettings& settings) {
  if (together::are_together(settings)) return check_together(settings);
  const Numbers numbers(settings);
  return check_common(numbers, least_dbs_cell(numbers.whole("radius")));
}

std::vector<int32_t> local_eye(const HalftoneSettings& settings) {
  return eye_of_local(Numbers(settings)).values();
}

std::vector<int32_t> dbs_eye(const HalftoneSettings& settings) {
  return eye_of_dbs(Numbers(settings)).values();
}

std::unique_ptr<Halftoner> make_les(const HalftoneSettings& settings,
                                    const ScheduleInfo& schedule,
                                    gpu::Context& context) {
  return make_local(settings, schedule, context, false);
}

std::unique_ptr<Halftoner> make_pes(const HalftoneSettings& settings,
                                    const ScheduleInfo& schedule,
                                    gpu::Context& context) {
  return make_local(settings, schedule, context, true);
}

std::unique_ptr<Halftoner> make_dbs_method(const HalftoneSettings& asked,
                                           const ScheduleInfo& schedule,
                                           gpu::Context& context) {
  const Numbers numbers(asked);
  const uint32_t radius = numbers.whole("radius");
  const DbsSettings settings{
      .eye = eye_of_dbs(numbers),
      .target = static_cast<DbsTarget>(numbers.whole("target")),
      .cell = cell_of(numbers, least_dbs_cell(radius)),
  };
  constexpr uint64_t kBytesAPixel = 8;
  SearchEngine engine{
      .make = [settings](const Area& area, Team& team) { return make_dbs(settings, area, team); },
      .bytes_a_pixel = kBytesAPixel};
  if (schedule.engine == Engine::kGpu) {
    gpu::require_gpu(schedule.name);
    engine.fall_back = std::move(engine.make);
    engine.make = [settings, &context](const Area& area, Team&) {
      return make_dbs_on_gpu(settings, area, context);
    };
    engine.on_gpu = dbs_method_on_gpu(settings, search_settings(numbers), context);
  }
  return make_search_halftoner(search_settings(numbers), std::move(engine));
}

std::unique_ptr<together::InksHalftoner> make_dbs_together(const HalftoneSettings& asked,
                                                           const ScheduleInfo& schedule,
                                                           const together::InkColours& colours,
                                                           gpu::Context& context) {
  colour::Engine engine{.make = colour::make_search};
  if (schedule.engine == Engine::kGpu) {
    gpu::require_gpu(schedule.name);
    engine.fall_back = std::move(engine.make);
    engine.make = [&context](const together::InkColours& inks, const colour::Page& page, Team&) {
      return colour::make_search_on_gpu(inks, page, context);
    };
    engine.on_device = true;
  }
  return colour::make_halftoner(search_settings(Numbers(asked)), colours, std::move(engine));
}

}  // namespace mezzo::search
