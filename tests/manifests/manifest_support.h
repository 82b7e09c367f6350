// A folder of its own for a test, and manifests resolved in it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "manifests/job.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test {

using test::TempFolder;

/// The top of the source tree, or of a bundle, which has the same files: its tests are told by the
/// environment where it was unpacked.
inline std::string source_folder() {
  const char* chosen = std::getenv("MEZZOTINT_SOURCE_DIR");
  return chosen != nullptr ? chosen : MEZZOTINT_SOURCE_DIR;
}

/// The diagnostics, one after the other, without the excerpts.
inline std::string messages(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) {
    text += std::to_string(d.line) + ":" + std::to_string(d.column) + ": " + d.message + "\n";
    if (!d.hint.empty()) text += "  " + d.hint + "\n";
  }
  return text;
}

inline manifests::Checked<manifests::Job> resolved(const std::string& text,
                                                   const std::string& folder) {
  auto parsed = manifests::parse_manifest(text, "m.yaml");
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) return std::move(*wrong);
  return manifests::resolve(*std::get<manifests::JobDraftPtr>(parsed), folder);
}

/// The job of a good manifest.
inline manifests::Job job_of(const std::string& text, const TempFolder& folder) {
  auto job = resolved(text, folder.path());
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&job)) {
    ADD_FAILURE() << messages(*wrong);
    return {};
  }
  return std::move(std::get<manifests::Job>(job));
}

/// What is wrong with the pages of a manifest; the list begins in line 4.
inline std::string mistakes(const std::string& pages, const std::string& folder) {
  const auto job = resolved("mezzotint: 1\njob: x\npages:\n" + pages, folder);
  const auto* wrong = std::get_if<std::vector<Diagnostic>>(&job);
  return wrong == nullptr ? "none" : messages(*wrong);
}

}  // namespace mezzo::test
