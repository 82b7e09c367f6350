#include "pipeline/watch/status/report_file.h"

#include <fcntl.h>

#include <cstdint>

#include "pipeline/report/thumbnail.h"
#include "stages/files/folder.h"

namespace mezzo::watch {
namespace {

constexpr uint64_t kLargestReport = uint64_t{32} << 20;
constexpr uint64_t kLargestPicture = uint64_t{64} << 10;

/// The file `path`, of at most `most` bytes, below the job's folder.
std::optional<std::string> read_below(const JobView& job, const std::string& path, uint64_t most) {
  std::string folder = job.folder;
  while (folder.ends_with('/')) folder.pop_back();
  folder += '/';
  if (job.folder.empty() || !path.starts_with(folder)) return {};
  const files::Descriptor base(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!base) return {};
  const files::Descriptor file =
      files::open_beneath(base.get(), path.substr(folder.size()), O_RDONLY | O_NONBLOCK);
  const auto stat = file ? files::stat_file(file.get()) : std::nullopt;
  if (!stat || !stat->is_regular() || stat->links != 1 || stat->bytes > most) return {};
  std::optional<std::string> text = files::read_all(file.get(), stat->bytes);
  if (text && text->size() < stat->bytes) text.reset();  // it has shrunk
  return text;
}

}  // namespace

std::optional<std::string> read_report(const JobView& job) {
  return read_below(job, job.report, kLargestReport);
}

std::optional<std::string> read_thumbnail(const JobView& job) {
  const std::string folder = job.report.substr(0, job.report.rfind('/') + 1);
  auto picture = read_below(job, folder + report::kThumbnailName, kLargestPicture);
  if (picture && !picture->starts_with("\xff\xd8\xff")) picture.reset();
  return picture;
}

}  // namespace mezzo::watch
