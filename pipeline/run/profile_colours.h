// Colours of a proof by the profile of its press: mean dots, with their curves undone, through a table
// from the profile's inks to sRGB.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/prepress/colour_table.h"
#include "kernels/proof/neugebauer.h"
#include "kernels/proof/nominal_tone.h"
#include "stages/files/file_system.h"
#include "stages/proof/plate_proof.h"

namespace mezzo::run {

/// An ink of a proof, in the order of PlateProof.
struct ProfiledInk {
  std::string ink;
  ToneSettings tone;  ///< that its dots were made with
  proof::Lab lab;     ///< for an ink that the profile does not have
};

class ProfileColours {
 public:
  /// Reads the profile. Inks that it has not take light away by themselves, relative to `paper`. Throws
  /// Error: kMissing, kIo; kUnsupported and kData as icc::make_table() does, and where the profile has
  /// none of the inks.
  ProfileColours(const std::string& profile,
                 const std::vector<ProfiledInk>& inks,
                 const proof::Lab& paper,
                 files::FileSystem& files);

  /// Fills in the colours of a row. Safe for several threads.
  void paint(proof::AreaRow& row) const;

 private:
  struct Ink {
    proof::NominalTone nominal;
    int channel;          ///< of the profile; below 0: none
    proof::Xyz filter{};  ///< of an ink without one
  };
  std::vector<Ink> inks_;
  bool is_light_ = false;  ///< samples of the profile are light, not ink
  std::shared_ptr<const prepress::ColourTable> table_;
};

}  // namespace mezzo::run
