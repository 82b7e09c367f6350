// The settings of a plate: those of its ink over those of its page.
//
// A value counts from the last of: built in, the press, `defaults`, the page, the ink of the press, the
// ink in `defaults`, the ink of the page. Inks are found under any of their names
// (kernels/prepress/ink_key.h), also those that the press has for them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/job.h"

namespace mezzo::manifests {

/// The settings of one plate: those of its page with those of its ink over them.
struct PlateSettings {
  HalftoneSettings halftone;
  ToneSettings tone;
  prepress::Protect protect;
  std::string path;         ///< template, as OutputSettings has it
  std::string compression;  ///< a name of tiff::compressions()
  std::string label;        ///< empty: the ink's name
  bool operator==(const PlateSettings&) const = default;
};

/// The name of the ink on the page's press; the same where the press does not name it.
std::string_view name_on_press(const PageSettings& page, std::string_view ink);

/// Whether both names are of one ink.
bool is_one_ink(const PageSettings& page, std::string_view a, std::string_view b);

/// The entry of the page for an ink of that name, or that of the press for all others; null when there
/// is none.
const InkSettings* find_ink(const PageSettings& page, std::string_view ink);

/// An ink that names no engine runs on the page's, or on the CPU where its method cannot.
PlateSettings plate_settings(const PageSettings& page, std::string_view ink);

/// The number of each plate of a page, for {n}: its place among the others, from 1, in the order of
/// printing. Inks that the press does not name are at the place of its `spot`, in the order given.
std::vector<size_t> plate_numbers(const PageSettings& page, const std::vector<std::string>& inks);

/// The templates of the paths of all that is made of a page: of its plates, the page's and those of its
/// inks, and of the files beside them.
std::vector<std::string> plate_templates(const PageSettings& page);
void change_plate_templates(PageSettings& page, const std::function<void(std::string&)>& change);

}  // namespace mezzo::manifests
