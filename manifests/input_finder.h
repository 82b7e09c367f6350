// The files that the entries of a manifest name: files, folders and patterns, as they are on disk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manifests/draft.h"

namespace mezzo::manifests {

/// Where inputs may lie: anywhere, or in the folder and below it, reached without symbolic links.
enum class Reach { kAnywhere, kFolder };

/// A mistake with an input.
struct InputMistake {
  Diagnostic diagnostic;
  std::string input;  ///< path, as far as it is known: that of an entry may be a pattern
  ErrorKind kind = ErrorKind::kData;
};

/// Finds files, and reports those that are missing or cannot be used.
class InputFinder {
 public:
  /// All must outlive this; `folder` is where relative paths start, "." for the working folder.
  InputFinder(const JobDraft& draft,
              const std::string& folder,
              Reach reach,
              std::vector<InputMistake>& mistakes)
      : draft_(draft), folder_(folder), reach_(reach), mistakes_(mistakes) {}

  /// Paths that can be opened; every one of them is a regular file. Those of a folder or pattern are
  /// in the order of their names, in which page 2 comes before page 10.
  std::vector<std::string> find(const DraftPage& page);

  /// About the input of the entry, or about one of those that it gives.
  void complain(const DraftPage& page, std::string message, std::string hint = {});
  void complain_of(const DraftPage& page,
                   const std::string& path,
                   std::string message,
                   std::string hint = {},
                   ErrorKind kind = ErrorKind::kData);

  /// A path as messages show it: from the manifest's folder when it is below it.
  std::string shown(const std::string& path) const;

 private:
  std::string below_folder(const std::string& input) const;
  bool leads_out(const DraftPage& page, const std::string& path);
  std::vector<std::string> in_folder(const DraftPage& page, const std::string& folder);
  std::vector<std::string> matches(const DraftPage& page);
  std::vector<std::string> regular_files(const DraftPage& page,
                                         const std::vector<std::string>& paths);
  void complain_missing(const DraftPage& page, const std::string& path);

  const JobDraft& draft_;
  const std::string& folder_;
  const Reach reach_;
  std::vector<InputMistake>& mistakes_;
};

/// The text with everything that glob(3) and fnmatch(3) take for a pattern behind a backslash.
std::string literal_pattern(std::string_view text);

}  // namespace mezzo::manifests
