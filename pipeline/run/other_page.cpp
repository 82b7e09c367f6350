#include "pipeline/run/other_page.h"

#include "kernels/base/error.h"
#include "pipeline/plan/provenance.h"
#include "stages/files/file_mark.h"
#include "stages/tiff/plate/plate_reader.h"

namespace mezzo::run {
namespace {

bool is_of_page(files::FileSystem& files,
                const std::string& plate,
                const std::vector<std::string>& sample_hashes) {
  try {
    const tiff::PlateReader reader(plate, files);
    if (reader.page_count() != sample_hashes.size()) return false;
    for (uint32_t i = 0; i < reader.page_count(); ++i) {
      if (plan::sample_hash_of(reader.page(i).description) != sample_hashes[i]) return false;
    }
    return true;
  } catch (const Error& error) {
    return error.kind() == ErrorKind::kMissing;
  }
}

}  // namespace

void refuse_other_page(files::FileSystem& files,
                       const std::string& plate,
                       const std::vector<std::string>& sample_hashes) {
  struct stat found {};
  if (files.status_of_name(plate, found) != 0) return;
  if (is_of_page(files, plate, sample_hashes)) return;
  throw Error(
      ErrorKind::kUsage,
      plate +
          ": a plate of another page, or another file, has this name; rename the page, move that "
          "file away, or let it be replaced (a hot folder: 'name_clashes: replace')");
}

}  // namespace mezzo::run
