// Reading files of measured patches; CGATS and CSV are told apart by their content.
#pragma once

#include <string>

#include "manifests/curve/measurement.h"

namespace mezzo::curve {

/// From text; `file` is its name in messages. Never touches the disk.
manifests::Checked<Measurement> parse_measurement(std::string text,
                                                  const std::string& file,
                                                  const ReadOptions& options);

/// Throws Error (kMissing, kIo, kLimit, kData) when the file cannot be read.
manifests::Checked<Measurement> load_measurement(const std::string& path,
                                                 const ReadOptions& options);

}  // namespace mezzo::curve
