// Which plates the inks of a page get: dropped, renamed, added to others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/job.h"
#include "stages/chain/mix_stage.h"

namespace mezzo::plan {

struct MappedPlate {
  std::string ink;       ///< that the plate is named after
  std::string page_ink;  ///< of the page, whose settings and texture it has
  uint32_t plane = 0;    ///< number of that ink; inks that the page lacks are numbered behind
  std::vector<chain::InkPart> parts;      ///< inks of the page, whose sum it is
  std::optional<uint32_t> drop_bit = {};  ///< of the levels, which this plate has alone
};

struct InkMap {
  std::vector<MappedPlate> plates;
  std::vector<std::string> notes;  ///< of inks without a plate of their own, for logs and reports

  /// Whether the plates are the inks of the page, of which there are `inks`.
  bool keeps_all(size_t inks) const;
  /// Whether each plate is an ink of the page.
  bool only_selects() const;
};

/// The ink of the press that prints a plate: the one that its name is of, or else that of the page. Its
/// name where the press names neither.
std::string_view ink_on_press(const manifests::PageSettings& settings,
                              std::string_view ink,
                              std::string_view page_ink);

/// "is dropped", "is printed with magenta 90 %", "is the plate 'Blue'": what becomes of an ink of the
/// page that has no plate of its own name; empty for others.
std::string fate_of_ink(const std::string& ink, const manifests::PageSettings& settings);

/// The name of the plate for one bit of the levels of an ink, or of the ink's label: "cyan_1" for the
/// lowest.
std::string name_of_bit(std::string_view ink, std::optional<uint32_t> drop_bit);
std::string_view without_bit(std::string_view name, std::optional<uint32_t> drop_bit);

/// The plates of a page with these inks. An ink whose levels are planes has one for each bit; one that
/// is made from another of the page comes behind, with all that is added to that. Throws Error(kData), with `place` before the message, when
/// two inks have names of one, an ink goes to a plate that is not there, two have one plate, or no plate is left.
InkMap map_inks(const std::vector<std::string>& inks,
                const manifests::PageSettings& settings,
                const std::string& place);

}  // namespace mezzo::plan
