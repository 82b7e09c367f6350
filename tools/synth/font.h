// The lettering of the test page: a small alphabet of strokes with round ends, drawn for this
// program, which stays smooth at any size. Letters, digits and . , - + / : % ( ); anything else is
// a space.
#pragma once

#include <string>
#include <string_view>

#include "tools/synth/draw.h"

namespace mezzo::synth {

enum class Weight { kRegular, kBold };

/// Width in pixels of a line whose capitals are `cap_px` high.
double text_width(std::string_view text, double cap_px, Weight weight = Weight::kRegular);

/// A line of text that begins at x on the baseline y. Thin strokes keep at least one pixel of
/// width.
class Text final : public Shape {
 public:
  Text(double x,
       double baseline,
       double cap_px,
       std::string text,
       const Ink& ink,
       Weight weight = Weight::kRegular);
  void draw(Row& row) const override;

 private:
  double x_, baseline_, cap_px_;
  std::string text_;
  Ink ink_;
  Weight weight_;
};

}  // namespace mezzo::synth
