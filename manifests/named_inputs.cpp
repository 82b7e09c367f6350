#include "manifests/named_inputs.h"

#include "manifests/draft.h"

namespace mezzo::manifests {

std::vector<NamedInput> named_inputs(const JobDraft& draft) {
  std::vector<NamedInput> inputs;
  inputs.reserve(draft.pages.size());
  for (const DraftPage& page : draft.pages) {
    inputs.push_back({.input = page.input, .plates = page.settings.output.path});
  }
  return inputs;
}

}  // namespace mezzo::manifests
