#include "pipeline/plan/side_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "kernels/proof/usual_colours.h"
#include "pipeline/plan/ink_map.h"
#include "pipeline/plan/job_plan.h"
#include "pipeline/text.h"

namespace mezzo::plan {
namespace {

void add(SheetPlan& sheet, SideKind kind, const std::string& path) {
  if (sheet.pages.size() > 1 && !manifests::has_page_number(path)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: {}.path is the name of one page's file, and the sheet has {}",
                            sheet.input,
                            name_of(kind),
                            counted(sheet.pages.size(), "page")),
                "put {page} into it")
        .about(kind == SideKind::kProof ? "proof.path" : "ppf.path");
  }
  for (size_t i = 0; i < sheet.pages.size(); ++i) {
    sheet.side_files.push_back({kind, manifests::plate_path(path, sheet.pages[i], {""}), i});
  }
}

void refuse_without_profile(const SheetPlan& sheet) {
  const auto& proof = sheet.settings.proof;
  if (!proof || proof->colours != manifests::kColoursByProfile) return;
  if (!sheet.settings.colour.profile.empty()) return;
  throw Error(ErrorKind::kUsage,
              sheet.input +
                  ": 'colours: profile' of 'proof' needs the profile of the press, and the "
                  "settings name none",
              "give the press file one, or use 'colours: inks'")
      .about("proof.colours");
}

const manifests::PressInk* find_on(const manifests::Press* press, const std::string& ink) {
  const auto place = press == nullptr ? std::nullopt : press->find(ink);
  return place ? &press->inks[*place] : nullptr;
}

/// Bits by the places of inks; 0 when one is not there.
uint32_t set_of(const manifests::Press& press,
                const std::vector<std::string>& names,
                const std::vector<std::string>& inks) {
  uint32_t set = 0;
  for (const std::string& name : names) {
    const auto is_it = [&](const std::string& ink) {
      const auto a = press.find(name), b = press.find(ink);
      return a && b ? a == b : prepress::is_same_ink(name, ink);
    };
    const auto found = std::ranges::find_if(inks, is_it);
    if (found == inks.end()) return 0;
    set |= 1U << (found - inks.begin());
  }
  return set;
}

}  // namespace

std::string_view name_of(SideKind kind) {
  return kind == SideKind::kProof ? "proof" : "ppf";
}

void plan_side_files(SheetPlan& sheet) {
  sheet.side_files.clear();
  refuse_without_profile(sheet);
  if (const auto& proof = sheet.settings.proof) add(sheet, SideKind::kProof, proof->path);
  if (const auto& ppf = sheet.settings.ppf) add(sheet, SideKind::kPpf, ppf->path);
}

std::string zones_path(const std::string& ppf) {
  constexpr size_t kSuffix = 4;  // .ppf
  return ppf.substr(0, ppf.size() - kSuffix) + ".zones.csv";
}

std::vector<std::string> side_paths(const SheetPlan& sheet) {
  std::vector<std::string> paths;
  for (const SideFile& file : sheet.side_files) {
    paths.push_back(file.path);
    if (file.kind == SideKind::kPpf) paths.push_back(zones_path(file.path));
  }
  return paths;
}

KnownColours colours_of(const manifests::Press* press, const std::vector<std::string>& inks) {
  KnownColours known;
  proof::PrintColours& colours = known.colours;
  bool is_usual = press == nullptr || !press->paper_lab;
  colours.paper = is_usual ? proof::kUsualPaper : *press->paper_lab;
  for (const std::string& ink : inks) {
    const manifests::PressInk* on_press = find_on(press, ink);
    const auto usual = proof::usual_solid(ink);
    if (on_press != nullptr && on_press->lab) {
      is_usual = is_usual && !usual;
      colours.solids.push_back(*on_press->lab);
    } else {
      if (!usual) known.unknown.push_back(ink);
      colours.solids.push_back(usual.value_or(proof::kUnknownInk));
    }
  }
  if (press != nullptr) {
    for (const manifests::PressOverprint& overprint : press->overprints) {
      const uint32_t set = set_of(*press, overprint.inks, inks);
      if (set != 0) colours.overprints.push_back({set, overprint.lab});
    }
  }
  // Overprints of other inks say nothing of these.
  if (is_usual && colours.overprints.empty()) colours.overprints = proof::usual_overprints(inks);
  return known;
}

std::string ink_of(const PlatePlan& plate) {
  return std::string(without_bit(plate.ink, plate.drop_bit));
}

std::string print_ink_of(const SheetPlan& sheet, size_t plate) {
  const PlatePlan& own = sheet.plates[plate];
  return std::string(ink_on_press(sheet.settings, ink_of(own), own.page_ink));
}

}  // namespace mezzo::plan
