#include "pipeline/watch/folder/ticket.h"

#include <algorithm>
#include <filesystem>
#include <variant>

#include "manifests/draft.h"
#include "manifests/source_text.h"
#include "pipeline/watch/folder/entry_names.h"
#include "pipeline/watch/folder/job_record.h"
#include "stages/files/folder.h"

namespace mezzo::watch {
namespace {

/// The draft of a manifest; null when there is none that can be read.
manifests::JobDraftPtr read_draft(int folder, const std::string& name) {
  const files::Descriptor file = files::open_regular(folder, name);
  if (!file) return nullptr;
  const std::optional<std::string> text =
      files::read_all(file.get(), manifests::kMaxManifestBytes + 1);
  if (!text || text->size() > manifests::kMaxManifestBytes) return nullptr;
  manifests::Checked<manifests::JobDraftPtr> parsed = manifests::parse_manifest(*text, name);
  manifests::JobDraftPtr* draft = std::get_if<manifests::JobDraftPtr>(&parsed);
  return draft == nullptr ? nullptr : std::move(*draft);
}

/// Why the plates of a job cannot go where it sends them; empty when they can.
std::string problem_of_plates(const manifests::JobDraft& draft,
                              const std::string& path,
                              const manifests::FolderSettings& settings) {
  for (const manifests::DraftPage& page : draft.pages) {
    const std::string& plates = page.settings.output.path;
    const std::string problem = plates_problem(path, settings, plates);
    if (problem.empty()) continue;
    return "for 'output.path' " + manifests::in_quotes(plates) + " its " + problem +
           "; give the plates a folder of their own, such as plates/";
  }
  return {};
}

/// Not of [..], which names of files may have.
bool is_pattern(const std::string& name) {
  return name.find_first_of("*?") != std::string::npos;
}

bool is_page_name(const std::string& name) {
  return name.find('/') == std::string::npos && kind_of_name(name) == NameKind::kPage &&
         !name_problem(name) && !is_pattern(name);
}

}  // namespace

Ticket read_ticket(int folder,
                   const std::string& name,
                   const std::string& path,
                   const manifests::FolderSettings& settings) {
  const manifests::JobDraftPtr draft = read_draft(folder, name);
  if (!draft) return {};
  Ticket ticket{.is_readable = true, .names = {}, .problem = {}};
  for (const manifests::DraftPage& page : draft->pages) {
    std::string file = page.input;
    if (file.starts_with("./")) file.erase(0, 2);
    if (!is_page_name(file)) {
      ticket.problem =
          "it names " + manifests::in_quotes(page.input) + (is_pattern(file) ? ", a pattern" : "") +
          "; name files one by one, without * and ?, that lie in the hot folder itself "
          "and end in .tif or .tiff";
      return ticket;
    }
    ticket.names.push_back(file);
  }
  std::ranges::sort(ticket.names);
  ticket.names.erase(std::ranges::unique(ticket.names).begin(), ticket.names.end());
  ticket.problem = problem_of_plates(*draft, path, settings);
  return ticket;
}

std::string plates_problem(const std::string& path,
                           const manifests::FolderSettings& settings,
                           const std::string& plate_template) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(path).lexically_normal();
  const fs::path plate = (folder / settings.plates / plate_template).lexically_normal();
  return manifests::plates_problem(".", plate.lexically_relative(folder).string());
}

std::string folder_job_problem(int folder,
                               const std::string& name,
                               const std::string& path,
                               const manifests::FolderSettings& settings) {
  const files::Descriptor inside = files::open_folder(folder, name);
  if (!inside) return {};
  const manifests::JobDraftPtr draft = read_draft(inside.get(), kManifestName);
  return draft ? problem_of_plates(*draft, path, settings) : std::string();
}

}  // namespace mezzo::watch
