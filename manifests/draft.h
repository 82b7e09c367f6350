// The result of parse_manifest() and the input of resolve(): every entry of `pages` with its settings
// merged, and the text of the manifest, which resolve()'s diagnostics quote.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manifests/press_file.h"
#include "manifests/source_text.h"

namespace mezzo::manifests {

struct DraftPage {
  std::string input = {};  // as written: a file, a folder or a pattern
  Place place = {};        // of the entry
  Place input_place = {};
  std::optional<Place> path_place = {};  // of a path of its own
  bool is_literal = false;               // a name, even with pattern characters
  std::vector<uint32_t> pages = {};      // from 0; empty: all
  std::optional<std::string> sha256 = {};
  Place sha256_place = {};
  std::string ink = {};  // as JobPage has it
  std::vector<DraftLinework> linework = {};
  PageSettings settings = {};  // the template of its plates is as written
  std::shared_ptr<const Origins> origins = {};
};

struct JobDraft {
  SourceText source;
  std::string name = {};
  uint32_t priority = kUsualPriority;
  JobLimits limits = {};
  std::vector<DraftPage> pages = {};
  std::string press_file = {};  // path in messages
};

/// The draft of a text, as far as it can be read, and its mistakes.
struct ReadDraft {
  JobDraftPtr draft;
  std::vector<Diagnostic> mistakes;
};
ReadDraft read_draft(std::string_view text, const std::string& file, const PressSource& press);

/// The mistakes that entries of a draft, which may have others, make with their inputs.
std::vector<Diagnostic> check_inputs(const JobDraft& draft, const std::string& folder);

}  // namespace mezzo::manifests
