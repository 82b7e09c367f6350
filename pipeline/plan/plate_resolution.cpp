#include "pipeline/plan/plate_resolution.h"

#include <fmt/format.h>

#include "kernels/base/error.h"
#include "pipeline/plan/resolution.h"

namespace mezzo::plan {
namespace {

/// Whole dpi, where it is about that.
double plain(double dpi) {
  const auto fraction = as_fraction(dpi);
  if (!fraction) return dpi;
  return static_cast<double>(fraction->numerator) / static_cast<double>(fraction->denominator);
}

}  // namespace

double dpi_of_plates(const SheetPlan& sheet,
                     std::string_view for_squares,
                     std::string_view for_one) {
  const Resolution first = sheet.infos.front().resolution;
  const double across = plain(first.x_dpi), down = plain(first.y_dpi);
  if (across != down) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{}: its plates have {:.6g} dpi across and {:.6g} dpi down, and {} for "
                            "square pixels alone",
                            sheet.input,
                            across,
                            down,
                            for_squares),
                "set output.resolution");
  }
  for (const PageInfo& page : sheet.infos) {
    if (plain(page.resolution.x_dpi) == across && plain(page.resolution.y_dpi) == down) continue;
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{}: its pages have several resolutions, and {}", sheet.input, for_one),
                "set output.resolution, or use {page} in output.path");
  }
  return across != 0 ? across : sheet.settings.assumed_dpi;
}

}  // namespace mezzo::plan
