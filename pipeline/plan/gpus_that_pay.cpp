#include "pipeline/plan/gpus_that_pay.h"

#include <algorithm>
#include <cmath>

#include "kernels/base/error.h"
#include "kernels/registry.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::plan {
namespace {

/// Screens make each word of dots by itself, and their GPU schedule is named for that.
bool is_screen(const std::string& method) {
  const MethodInfo* info = find_method(method);
  return info != nullptr && std::ranges::any_of(info->schedules, [](const ScheduleInfo& schedule) {
           return schedule.engine == Engine::kGpu && schedule.name == "words";
         });
}

bool has_screens_alone(const manifests::PageSettings& settings) {
  return is_screen(settings.halftone.method) &&
         std::ranges::all_of(settings.inks, [](const manifests::InkSettings& ink) {
           return ink.halftone.method.empty() || is_screen(ink.halftone.method);
         });
}

/// An estimate for all plates of a page, without the gaps of copies.
double pixels_of(const PageInfo& page, const manifests::PageSettings& settings) {
  const double dpi = page.resolution.x_dpi > 0 ? page.resolution.x_dpi : settings.assumed_dpi;
  const double wanted = settings.output.resolution_dpi;
  const double ratio = dpi > 0 && wanted > 0 ? wanted / dpi : 1;
  const manifests::Copies& copies = settings.geometry.copies;
  const double pages = static_cast<double>(copies.across) * copies.down;
  const auto inks = static_cast<double>(page.inks.size());
  return pages * inks * ratio * ratio * page.width_px * page.height_px;
}

double pixels_of(const manifests::JobPage& entry, files::FileSystem& files) {
  try {
    const auto file = tiff::TiffFile::open(entry.input, {}, files);
    const uint32_t pages =
        entry.pages.empty() ? file->page_count() : static_cast<uint32_t>(entry.pages.size());
    return pages *
           pixels_of(file->page(entry.pages.empty() ? 0 : entry.pages.front()), entry.settings);
  } catch (const Error&) {
    return 0;
  }
}

}  // namespace

uint32_t gpus_that_pay(const manifests::Job& job, files::FileSystem& files, uint32_t most) {
  if (most <= 1) return most;
  double pixels = 0;
  for (const manifests::JobPage& entry : job.pages) {
    if (entry.mistake) continue;
    if (!has_screens_alone(entry.settings)) return most;
    pixels += pixels_of(entry, files);
    if (pixels >= static_cast<double>(kPixelsOfAnotherGpu) * (most - 1)) return most;
  }
  return 1 + static_cast<uint32_t>(std::floor(pixels / static_cast<double>(kPixelsOfAnotherGpu)));
}

}  // namespace mezzo::plan
