// The line work of a sheet, open for one run over its page.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/plan/job_plan.h"
#include "stages/band/bit_reader.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::run {

class OpenLinework {
 public:
  /// `sheet` outlives this, and may have none. Throws as plan::open_linework() does.
  OpenLinework(const plan::SheetPlan& sheet, files::FileSystem& files);
  ~OpenLinework();

  /// One a file, in the order of the sheet.
  const std::vector<BitReader*>& readers() const { return readers_; }

  /// After the last row: what is lost where files are larger than the plates, a line each for people.
  std::vector<std::string> cut_texts(Team& team) const;

  /// Throws Error(kData) when a file was changed while it was read.
  void check_unchanged() const;

 private:
  struct One;
  std::vector<std::unique_ptr<One>> all_;
  std::vector<BitReader*> readers_;
};

}  // namespace mezzo::run
