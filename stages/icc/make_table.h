// Profiles to a table of nodes: the part of colour that needs floating point, done once, when a job is planned.
//
// lcms2 converts the colour of each node, in floating point and without its own tables; a node is
// lround(result * 32640). Libraries of mathematics differ between machines, and so may tables: the
// table's digest, which goes with it, says which bits a page gets.
//
// Samples of a table: grey, RGB and inks as the profile counts them, 0 black or no ink, in 8 or 16
// bits. CIELab is 16 bits, 65535 * L* / 100 and 32768 + 256 * a*: neutrals lie on nodes. Outputs are
// ink15; of grey profiles ink too, and of RGB profiles the values themselves, 32640 white.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/prepress/colour_table.h"
#include "stages/icc/profile.h"

namespace mezzo::icc {

enum class BlackMode {
  kUsual,      ///< kOnlyBlack from CMYK to a press with black, and kProfile else
  kOnlyBlack,  ///< black alone stays black alone; of RGB, 0 0 0 becomes a solid of black
  kPlane,      ///< lcms2's preserving of the black plane, CMYK to CMYK
  kProfile,    ///< as the profiles have it
};

/// Choices beside the profiles. For all intents but absolute, white becomes no ink; absolute
/// prints the white of the page's paper, and takes black from the profiles.
struct TableSettings {
  Intent intent = Intent::kRelative;
  /// Black point compensation; nothing: on for relative, off for others. Absolute has none.
  std::optional<bool> black_point = {};
  BlackMode black = BlackMode::kUsual;
  bool neutrals_to_black = false;   ///< RGB: R = G = B becomes black alone, by L*
  double ink_limit_percent = 0;     ///< of the inks of a pixel, in percent of a solid; 0: none
  bool limit_counts_spots = false;  ///< all inks count; else C + M + Y + K
  uint32_t grid = 0;  ///< nodes along each input, at most most_grid(); 0: default_grid()
  /// The inks of an output whose profile does not name them, in its order.
  std::vector<std::string> ink_names = {};

  bool operator==(const TableSettings&) const = default;
};

/// 1025, 129, 49, 23, 9, 7 for 1 to 6 inputs.
uint32_t default_grid(uint32_t inputs);

/// The table from a page's colours to a press, or to RGB for a proof. Throws Error: kUnsupported for
/// profiles that cannot play their part (check_input(), check_output()) and for settings that do not
/// fit them, kData for errors of lcms2.
std::shared_ptr<const prepress::ColourTable> make_table(const Profile& input,
                                                        const Profile& output,
                                                        const TableSettings& settings);

/// The table of a device link, which has decided on intent, white and black: only the ink limit and
/// the grid of the settings count. Throws as make_table() and check_link().
std::shared_ptr<const prepress::ColourTable> make_link_table(const Profile& link,
                                                             const TableSettings& settings);

/// Equal for tables that are made of the same: 64 hexadecimal digits of the profiles' digests and the
/// settings. `output` is null for a link.
std::string table_key(const Profile& input, const Profile* output, const TableSettings& settings);

/// The key by which `colour freeze` of version 0.1 named tables: 32 hexadecimal digits. A page with a
/// forged profile can have that of another.
std::string old_table_key(const Profile& input,
                          const Profile* output,
                          const TableSettings& settings);

/// Equal when a table made now would be equal: of table_key() and the version of lcms2.
std::string cache_key(const Profile& input, const Profile* output, const TableSettings& settings);

}  // namespace mezzo::icc
