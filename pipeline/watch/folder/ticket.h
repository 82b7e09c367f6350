// A job ticket: a manifest dropped into a hot folder beside the files that it names.
#pragma once

#include <string>
#include <vector>

#include "manifests/folder.h"

namespace mezzo::watch {

struct Ticket {
  /// False while the text is not a manifest: part of it may not have arrived yet. A ticket that
  /// stays so is a job that fails with the parser's diagnostics.
  bool is_readable = false;
  std::vector<std::string> names;  ///< of its files, each once; as far as they can be made out
  std::string problem;             ///< why it cannot be a job in this folder; else empty
};

/// `name` is the ticket's, relative to `folder`; `path` the hot folder's. Never throws: a ticket
/// that cannot be read is not readable.
Ticket read_ticket(int folder,
                   const std::string& name,
                   const std::string& path,
                   const manifests::FolderSettings& settings);

/// As plates_problem() of manifests/folder.h, also for paths that leave the hot folder `path` and
/// lead back into it.
std::string plates_problem(const std::string& path,
                           const manifests::FolderSettings& settings,
                           const std::string& plate_template);

/// Why a sub-folder with a job.yaml cannot be a job; empty when it can.
std::string folder_job_problem(int folder,
                               const std::string& name,
                               const std::string& path,
                               const manifests::FolderSettings& settings);

}  // namespace mezzo::watch
