#include "pipeline/watch/folder/settings_file.h"

#include <cerrno>
#include <system_error>
#include <variant>

#include "kernels/base/error.h"
#include "manifests/source_text.h"
#include "pipeline/watch/folder/ticket.h"

namespace mezzo::watch {
namespace {

constexpr const char* kName = "folder.yaml";

}  // namespace

void SettingsFile::folder_opened(std::pair<dev_t, ino_t> folder) {
  stat_.reset();
  if (std::exchange(folder_, folder) != folder) has_settings_ = has_file_ = false;
}

void SettingsFile::read(int folder) {
  const std::optional<files::FileStat> stat = files::stat_file(folder, kName);
  if (!stat && errno != ENOENT) throw Error(ErrorKind::kIo, path_ + ": cannot be examined");
  if (stat_ && *stat_ == stat) return;
  stat_ = stat;
  if (!stat && !has_file_) return take(manifests::FolderSettings());
  if (!stat) {
    return set_mistake("the file is gone",
                       "put it back, or one with the line 'mezzotint: 1' alone for the defaults");
  }
  const files::Descriptor opened = files::open_regular(folder, kName);
  const std::optional<std::string> text =
      opened ? files::read_all(opened.get(), manifests::kMaxManifestBytes + 1) : std::nullopt;
  if (text) {
    take(manifests::parse_folder_settings(*text, path_ + "/" + kName));
    has_file_ = has_file_ || mistakes_.empty();
    return;
  }
  set_mistake(
      "the settings cannot be read: " + (errno == EMLINK ? "not a regular file with one name"
                                                         : std::generic_category().message(errno)),
      "");
}

void SettingsFile::take(manifests::Checked<manifests::FolderSettings> parsed) {
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    mistakes_ = std::move(*wrong);
    return;
  }
  auto& good = std::get<manifests::FolderSettings>(parsed);
  if (const auto problem = plates_problem(path_, good, good.defaults.output.path);
      !problem.empty()) {
    return set_mistake(problem, "let 'plates', or 'path' of 'output', name another folder");
  }
  mistakes_.clear();
  settings_ = std::move(good);
  has_settings_ = true;
}

void SettingsFile::set_mistake(std::string message, std::string hint) {
  mistakes_ = {{.file = path_ + "/" + kName,
                .line = 0,
                .column = 0,
                .message = std::move(message),
                .hint = std::move(hint),
                .excerpt = {}}};
}

}  // namespace mezzo::watch
