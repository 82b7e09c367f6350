#include "pipeline/run/open_linework.h"

#include <fmt/format.h>

#include "kernels/base/error.h"
#include "pipeline/plan/linework.h"

namespace mezzo::run {

struct OpenLinework::One {
  One(const plan::LineworkPlan& linework, const plan::SheetPlan& sheet, files::FileSystem& files)
      : digest(linework.settings.xxh3),
        file(plan::open_linework(linework, files)),
        reader(file->open_page(0, linework.reader_bytes)),
        bits(file->page(0),
             *reader,
             plan::linework_frame(file->page(0), sheet.infos.front(), sheet.settings.geometry)) {}

  const std::string& digest;
  std::unique_ptr<tiff::TiffFile> file;
  std::unique_ptr<tiff::PageReader> reader;
  BitReader bits;
};

OpenLinework::OpenLinework(const plan::SheetPlan& sheet, files::FileSystem& files) {
  for (const plan::LineworkPlan& linework : sheet.linework) {
    all_.push_back(std::make_unique<One>(linework, sheet, files));
    readers_.push_back(&all_.back()->bits);
  }
}

OpenLinework::~OpenLinework() = default;

std::vector<std::string> OpenLinework::cut_texts(Team& team) const {
  std::vector<std::string> texts;
  for (const auto& one : all_) {
    const uint64_t ink_px = one->bits.cut_ink_px(team);
    if (ink_px == 0) continue;
    texts.push_back(fmt::format("the part of the line work {} that is cut off has {} px of ink",
                                one->file->path(),
                                ink_px));
  }
  return texts;
}

void OpenLinework::check_unchanged() const {
  for (const auto& one : all_) {
    one->file->check_unchanged();
    if (!one->file->is_touched() || one->file->xxh3() == one->digest) continue;
    throw Error(ErrorKind::kData,
                one->file->path() + ": the line work was changed while it was read",
                "run the job again");
  }
}

}  // namespace mezzo::run
