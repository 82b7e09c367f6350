#include "kernels/search/search_methods.h"

#include <algorithm>
#include <span>

#include "kernels/gpu/gpu.h"
#include "kernels/search/colour/colour_halftoner.h"
#include "kernels/search/colour/cpu/colour_search.h"
#include "kernels/search/colour/gpu/gpu_colour_search.h"
#include "kernels/search/cpu/form_search.h"
#include "kernels/search/form.h"
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

/// `eye_radius` as in SearchSettings.
SearchSettings search_settings(const Numbers& numbers, uint32_t eye_radius) {
  const bool at_random = numbers.whole("start") == static_cast<uint32_t>(Start::kRandom);
  return {
      .start = at_random ? Start::kRandom : Start::kFloydSteinberg,
      .seed = numbers.whole("seed"),
      .until = static_cast<Until>(numbers.whole("until")),
      .rounds = numbers.whole("rounds"),
      .budget_seconds = numbers.real("budget"),
      .slab_rows = numbers.whole("slab_rows"),
      .eye_radius = eye_radius,
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

/// Whether a parameter is something else than usual.
bool is_set(const Numbers& numbers, std::span<const ParameterInfo> all, std::string_view name) {
  return numbers.real(name) != std::ranges::find(all, name, &ParameterInfo::name)->default_value;
}

/// A search of inks together has an eye and cells of its own, and no slabs.
std::string check_together(const HalftoneSettings& settings) {
  for (const std::string_view name :
       {"eye", "scale", "sigma", "radius", "target", "cell", "slab_rows"}) {
    if (!is_set(Numbers(settings), kDbsParameters, name)) continue;
    return "'" + std::string(name) +
           "' is for inks apart: 'inks: together' searches whole pages, with an eye and cells of "
           "its own; leave one of the two out";
  }
  return {};
}

uint32_t cell_of(const Numbers& numbers, uint32_t least) {
  return numbers.whole("cell") == 0 ? least : numbers.whole("cell");
}

bool keeps_tone_locally(const Numbers& numbers) {
  return kLocalEyes[numbers.whole("eye")] == "tone";
}

bool keeps_tone_in_dbs(const Numbers& numbers) {
  return kEyes[numbers.whole("eye")] == "tone";
}

Square eye_of_local(const Numbers& numbers) {
  return gaussian_eye(numbers.real("sigma"), numbers.whole("radius"));
}

Square eye_of_dbs(const Numbers& numbers) {
  const uint32_t radius = numbers.whole("radius");
  return numbers.whole("eye") == 0 ? nasanen_eye(numbers.real("scale"), radius)
                                   : gaussian_eye(numbers.real("sigma"), radius);
}

/// A search with the tone form.
std::unique_ptr<Halftoner> make_with_form(const Numbers& numbers,
                                          const FormSettings& settings,
                                          const ScheduleInfo& schedule,
                                          gpu::Context& context) {
  constexpr uint64_t kBytesAPixel = 6;  // c, a bit, open windows
  const form::FindPattern find =
      schedule.name == "bounds" ? form::best_pattern_plainly : form::best_pattern;
  SearchEngine engine{
      .make = [settings, find](const Area& area,
                               Team& team) { return make_form_search(settings, area, team, find); },
      .bytes_a_pixel = kBytesAPixel};
  const SearchSettings search = search_settings(numbers, form::kHalfRadius);
  if (schedule.engine == Engine::kGpu) {
    gpu::require_gpu(schedule.name);
    engine.fall_back = std::move(engine.make);
    engine.make = [settings, &context](const Area& area, Team&) {
      return make_form_search_on_gpu(settings, area, context);
    };
    engine.on_gpu = form_method_on_gpu(settings, search, context);
  }
  return make_search_halftoner(search, std::move(engine));
}

std::unique_ptr<Halftoner> make_local(const HalftoneSettings& asked,
                                      const ScheduleInfo& schedule,
                                      gpu::Context& context,
                                      bool is_partial) {
  const Numbers numbers(asked);
  if (keeps_tone_locally(numbers)) {
    const FormSettings settings{
        .cell = cell_of(numbers, form::kLeastCell),
        .moves = kLocalStarts[numbers.whole("start")] == "dbs",
        .windows = is_partial ? FormWindows::kSameInk : FormWindows::kAll,
    };
    return make_with_form(numbers, settings, schedule, context);
  }
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
    engine.on_gpu = local_method_on_gpu(settings, search_settings(numbers, radius), context);
  }
  return make_search_halftoner(search_settings(numbers, radius), std::move(engine));
}

}  // namespace

std::string check_local(const HalftoneSettings& settings) {
  const Numbers numbers(settings);
  if (!keeps_tone_locally(numbers)) {
    return check_common(numbers, least_cell(numbers.whole("radius"), numbers.whole("window")));
  }
  for (const std::string_view name : {"sigma", "radius", "window"}) {
    if (!is_set(numbers, kLocalParameters, name)) continue;
    return "'" + std::string(name) +
           "' is of the eye that the papers have; set 'eye: published' with it, or leave it out";
  }
  return check_common(numbers, form::kLeastCell);
}

std::string check_dbs(const HalftoneSettings& settings) {
  if (together::are_together(settings)) return check_together(settings);
  const Numbers numbers(settings);
  if (!keeps_tone_in_dbs(numbers)) {
    return check_common(numbers, least_dbs_cell(numbers.whole("radius")));
  }
  for (const std::string_view name : {"scale", "sigma", "radius", "target"}) {
    if (!is_set(numbers, kDbsParameters, name)) continue;
    return "'" + std::string(name) +
           "' is of the eyes nasanen and gaussian; leave it out with 'eye: tone'";
  }
  return check_common(numbers, form::kLeastCell);
}

std::vector<int32_t> local_eye(const HalftoneSettings& settings) {
  const Numbers numbers(settings);
  if (keeps_tone_locally(numbers)) return {};
  return eye_of_local(numbers).values();
}

std::vector<int32_t> dbs_eye(const HalftoneSettings& settings) {
  const Numbers numbers(settings);
  if (keeps_tone_in_dbs(numbers)) return {};
  return eye_of_dbs(numbers).values();
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
  if (keeps_tone_in_dbs(numbers)) {
    return make_with_form(
        numbers,
        {.cell = cell_of(numbers, form::kLeastCell), .moves = true, .windows = FormWindows::kNone},
        schedule,
        context);
  }
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
    engine.on_gpu = dbs_method_on_gpu(settings, search_settings(numbers, radius), context);
  }
  return make_search_halftoner(search_settings(numbers, radius), std::move(engine));
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
  const Numbers numbers(asked);
  return colour::make_halftoner(
      search_settings(numbers, numbers.whole("radius")), colours, std::move(engine));
}

}  // namespace mezzo::search
