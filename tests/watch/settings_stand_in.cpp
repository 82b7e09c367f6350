// Stands in for manifests/folder.h until that is there.
#include "manifests/folder.h"

namespace mezzo {

Checked<FolderSettings> parse_folder_settings(std::string_view text, const std::string& file) {
  if (text.starts_with("bad")) {
    return std::vector<Diagnostic>{{file, 1, 1, "bad", "", ""}};
  }
  FolderSettings settings;
  if (text.find("separations") != text.npos)
    settings.separations.inks = {"cyan", "magenta", "yellow"};
  return settings;
}

std::string write_manifest(const std::string& job_name,
                           const JobLimits&,
                           const PageSettings&,
                           const std::vector<WrittenPage>& pages) {
  std::string text = "mezzotint: 1\njob: '" + job_name + "'\npages:\n";
  for (const WrittenPage& page : pages) text += "- '" + page.input + "'\n";
  return text + "pages_total: " + std::to_string(pages.size()) + "\nend: true\n";
}

}  // namespace mezzo
