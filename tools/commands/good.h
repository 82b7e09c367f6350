// What commands do with a file that may have mistakes.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "kernels/base/error.h"
#include "manifests/job.h"
#include "manifests/source_text.h"
#include "tools/cli/common_options.h"
#include "tools/cli/report.h"

namespace mezzo::commands {

/// The good value. Prints the mistakes of any other, and throws Error(kData).
template <typename T>
T good(manifests::Checked<T> checked, const cli::CommonOptions& common) {
  if (auto* value = std::get_if<T>(&checked)) return std::move(*value);
  const auto& mistakes = std::get<std::vector<Diagnostic>>(checked);
  common.json ? cli::print_diagnostics_json(mistakes) : cli::print_diagnostics(mistakes);
  throw Error(ErrorKind::kData,
              manifests::in_quotes(mistakes.front().file) + " cannot be used; see above");
}

}  // namespace mezzo::commands
