#include "manifests/curve/read_measurement.h"

#include <algorithm>
#include <utility>

#include "manifests/curve/measurement_cgats.h"
#include "manifests/curve/measurement_csv.h"
#include "manifests/fields.h"
#include "manifests/read_text.h"

namespace mezzo::curve {
namespace {

using manifests::Checked;
using manifests::SourceText;

/// The largest value of a scale shows which scale it is.
std::optional<Diagnostic> check_scales(const Measurement& measurement) {
  double nominal = 0, bright = 0;
  bool has_nominal = false, has_xyz = false;
  for (const Patch& patch : measurement.patches) {
    for (const double value : patch.nominal) nominal = std::max(nominal, value);
    has_nominal |= !patch.nominal.empty();
    has_xyz |= patch.xyz.has_value();
    if (patch.xyz) bright = std::max(bright, (*patch.xyz)[1]);
  }
  const Place place = measurement.patches.front().place;
  if (has_nominal && nominal > 0 && nominal <= 1) {
    return measurement.source->diagnostic(
        place,
        "nominal values end at " + manifests::plain_number(nominal) + ": they are no percentages",
        "multiply them by 100");
  }
  if (has_xyz && bright < 2) {
    return measurement.source->diagnostic(
        place,
        "the brightest patch has Y = " + manifests::plain_number(bright) +
            ": white must be near 100",
        "multiply X, Y and Z by 100");
  }
  return std::nullopt;
}

std::optional<Diagnostic> read_any(const ReadOptions& options, Measurement& into) {
  const SourceText& source = *into.source;
  if (auto wrong = check_table_bytes(source)) return wrong;
  if (!is_cgats(source)) return read_csv(options, into);
  auto tables = parse_cgats(source);
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&tables)) return wrong->front();
  return read_tables(std::get<std::vector<CgatsTable>>(tables), options, into);
}

}  // namespace

Checked<Measurement> parse_measurement(std::string text,
                                       const std::string& file,
                                       const ReadOptions& options) {
  Measurement measurement{
      .source = std::make_shared<const SourceText>(table_source(file, std::move(text)))};
  auto wrong = read_any(options, measurement);
  if (!wrong) wrong = check_scales(measurement);
  if (wrong) return std::vector{*std::move(wrong)};
  for (Patch& patch : measurement.patches) {
    if (!patch.nominal.empty()) patch.nominal.resize(measurement.inks.size());
  }
  return measurement;
}

Checked<Measurement> load_measurement(const std::string& path, const ReadOptions& options) {
  return parse_measurement(
      manifests::read_text(path,
                           options.is_wedge ? "description of a wedge" : "measurement",
                           manifests::Names::kAny,
                           "take out spectra, or all but the patches of the wedge",
                           kMaxTableBytes),
      path,
      options);
}

}  // namespace mezzo::curve
