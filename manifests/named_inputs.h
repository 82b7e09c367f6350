// The inputs and plates that a manifest names, for callers that need them before the files exist.
#pragma once

#include <string>
#include <vector>

#include "manifests/job.h"

namespace mezzo::manifests {

struct NamedInput {
  std::string input;   ///< as written: a file, a folder or a pattern
  std::string plates;  ///< template of the plates' path, as written
};

/// One for each entry of `pages`, in order.
std::vector<NamedInput> named_inputs(const JobDraft& draft);

}  // namespace mezzo::manifests
