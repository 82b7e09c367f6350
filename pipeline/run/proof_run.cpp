#include "pipeline/run/proof_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/prepress/ink_key.h"
#include "kernels/proof/neugebauer.h"
#include "pipeline/plan/page_chain.h"
#include "pipeline/plan/page_geometry.h"
#include "pipeline/plan/side_files.h"
#include "pipeline/plan/side_needs.h"
#include "pipeline/run/profile_colours.h"
#include "stages/proof/image_file.h"

namespace mezzo::run {
namespace {

/// Plates by ink; process inks first, so that their overprints are those that are told apart.
std::vector<proof::ProofInk> inks_of(const ProofJob& job) {
  std::vector<const PrintedPlate*> plates;
  for (const PrintedPlate& plate : job.plates) plates.push_back(&plate);
  std::ranges::stable_sort(plates, {}, [](const PrintedPlate* plate) {
    return prepress::is_process_ink(plate->ink) ? 0 : 1;
  });
  std::vector<proof::ProofInk> inks;
  for (const PrintedPlate* plate : plates) {
    auto ink = inks.end();
    if (plate->drop_bit) ink = std::ranges::find(inks, plate->ink, &proof::ProofInk::ink);
    if (ink == inks.end()) {
      ink = inks.insert(ink, proof::ProofInk{plate->ink, {}, plate->levels});
    }
    ink->plates.push_back(plate->file);  // bits come in their order
  }
  return inks;
}

double dpi_of(const ProofJob& job) {
  const auto [x_dpi, y_dpi] = job.resolution;
  const auto is_usual = [](double dpi) {
    return dpi >= manifests::kLeastDpi && dpi <= manifests::kMostDpi;
  };
  if (!is_usual(x_dpi) || !is_usual(y_dpi)) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: the plate does not say its resolution, or not within {} to {} "
                            "dpi, and a proof has one",
                            job.plates.front().file.path,
                            manifests::kLeastDpi,
                            manifests::kMostDpi),
                "give it with 'assume_resolution' or 'resolution'");
  }
  return std::min({static_cast<double>(job.settings.dpi), x_dpi, y_dpi});
}

std::string note_of(const std::vector<std::string>& unknown) {
  return fmt::format(
      "the proof shows {} grey, as nothing says its colour; give it a 'lab' in the "
      "'inks' of the press file",
      fmt::join(unknown, ", "));
}

/// The inks that must be opaque, as they are clearly lighter than the paper, and that have no measured overprint.
/// The proof mixes other inks with them as if they were transparent.
std::vector<std::string> opaque_inks(const std::vector<std::string>& names,
                                     const proof::PrintColours& colours) {
  constexpr double kClearly = 5;  // L* units
  std::vector<std::string> opaque;
  for (size_t k = 0; k < names.size(); ++k) {
    const bool is_known = std::ranges::any_of(
        colours.overprints, [&](const auto& overprint) { return (overprint.inks >> k & 1) != 0; });
    const bool is_lighter = colours.solids[k].l > colours.paper.l + kClearly;
    if (is_lighter && !is_known && names.size() > 1) opaque.push_back(names[k]);
  }
  return opaque;
}

/// The colours of a row, by what the settings ask for.
using Paint = std::function<void(proof::AreaRow&)>;

Paint by_inks(const ProofJob& job, const proof::PrintColours& colours, size_t counted) {
  auto print = std::make_shared<proof::Neugebauer>(colours, counted, job.settings.yule_nielsen);
  return [print](proof::AreaRow& row) {
    const size_t sets = size_t{1} << row.counted;
    for (size_t box = 0; box < row.boxes; ++box) {
      const auto areas = std::span(row.areas).subspan(box * sets, sets);
      const auto others = std::span(row.coverage).subspan(box * row.others, row.others);
      std::ranges::copy(proof::srgb_of(print->mix(areas, others)), &row.rgb[3 * box]);
    }
  };
}

Paint by_profile(const ProofJob& job,
                 const proof::PrintColours& colours,
                 const std::vector<std::string>& names,
                 files::FileSystem& files) {
  if (job.profile.empty()) {
    throw Error(ErrorKind::kUsage,
                job.path +
                    ": colours by profile need the profile of the press: 'profile' of the press "
                    "file, or --profile; or use 'colours: inks'");
  }
  std::vector<ProfiledInk> inks;
  for (size_t k = 0; k < names.size(); ++k) {
    const auto plate = std::ranges::find(job.plates, names[k], &PrintedPlate::ink);
    inks.push_back({names[k], plate->tone, colours.solids[k]});
  }
  auto print = std::make_shared<ProfileColours>(
      job.profile, inks, colours.paper, files_of_profile(job.is_press_profile, files));
  return [print](proof::AreaRow& row) { print->paint(row); };
}

}  // namespace

ProofMade make_proof(const ProofJob& job,
                     Team& team,
                     files::FileSystem& files,
                     const std::function<void()>& go_on) {
  ProofMade made;
  made.dpi = dpi_of(job);
  std::vector<proof::ProofInk> inks = inks_of(job);
  std::vector<std::string> names;
  for (const proof::ProofInk& ink : inks) names.push_back(ink.ink);
  const plan::KnownColours known = plan::colours_of(job.press ? &*job.press : nullptr, names);
  const bool has_profile = job.settings.colours == manifests::kColoursByProfile;
  if (!known.unknown.empty() && !has_profile) made.notes.push_back(note_of(known.unknown));
  const std::vector<std::string> opaque = opaque_inks(names, known.colours);
  if (!opaque.empty() && !has_profile) {
    made.notes.push_back(fmt::format(
        "the proof cannot show what lies over or under {}, lighter than the paper and so "
        "opaque; give its 'overprints' in the press file",
        fmt::join(opaque, ", ")));
  }
  const Paint paint = has_profile ? by_profile(job, known.colours, names, files)
                                  : by_inks(job, known.colours, proof::counted_inks(inks));
  proof::PlateProof plates(std::move(inks),
                           plan::proof_ratio(made.dpi, job.resolution.x_dpi),
                           plan::proof_ratio(made.dpi, job.resolution.y_dpi),
                           files);
  made.width_px = plates.width_px();
  made.height_px = plates.height_px();
  const auto format = proof::format_of_name(job.path);
  if (!format) throw Error(ErrorKind::kUsage, job.path + ": a proof ends in .png, .tif or .pdf");
  const auto image =
      proof::ImageFile::create(job.path, *format, {made.width_px, made.height_px, made.dpi}, files);
  plates.make(team, paint, [&](const proof::AreaRow& row) {
    go_on();
    image->add_row(row.rgb.data());
  });
  image->finish();
  made.file_bytes = image->bytes();
  return made;
}

files::FileSystem& files_of_profile(bool is_press_profile, files::FileSystem& files) {
  return is_press_profile ? files::FileSystem::real() : files;
}

ProofJob proof_of(const plan::SheetPlan& sheet, size_t page, const std::string& path) {
  ProofJob job{.plates = {},
               .resolution = plan::known_resolution(sheet.infos[page], sheet.settings),
               .settings = *sheet.settings.proof,
               .press = sheet.settings.press,
               .profile = sheet.settings.colour.profile,
               .is_press_profile = sheet.is_press_profile,
               .path = path};
  for (size_t p = 0; p < sheet.plates.size(); ++p) {
    const plan::PlatePlan& plate = sheet.plates[p];
    const manifests::PlateSettings settings = settings_of(sheet, plate);
    PrintedPlate& printed = job.plates.emplace_back();
    printed.file = {plate.path, static_cast<uint32_t>(page), finish_of(sheet.settings.output)};
    printed.ink = plan::print_ink_of(sheet, p);
    if (settings.halftone.levels) printed.levels = drop_levels(*settings.halftone.levels);
    printed.drop_bit = plate.drop_bit;
    printed.tone = settings.tone;
  }
  return job;
}

}  // namespace mezzo::run
