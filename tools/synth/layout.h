// Where everything on the test page stands: turns options into the list of shapes to draw.
#pragma once

#include "tools/synth/page.h"

namespace mezzo::synth {

/// The shapes of the page, in order of drawing. Portrait and landscape pages are laid out
/// differently; what would be too small to be read is left out.
ShapeList lay_out(const SynthOptions& options);

}  // namespace mezzo::synth
