// Continues a job where an earlier run stopped: compares the journal with the disk and the
// manifest, sheet by sheet.
#pragma once

#include <string>
#include <vector>

#include "pipeline/plan/plan.h"
#include "pipeline/resume/journal.h"
#include "pipeline/run/result.h"
#include "pipeline/run/sealed_sheet.h"
#include "pipeline/run/side_files.h"
#include "stages/files/temporary_name.h"

namespace mezzo::resume {

struct Resumed {
  run::DoneSheets done;
  /// For people: one line for each sheet that the journal knows and that must be made again.
  std::vector<std::string> reasons;
};

/// Puts the start of the job into the paths of its plates, where they name it: that of the earlier
/// run which `journal` says it continues, else now, with `id` or, when that is empty, one drawn by
/// lot, which the journal then keeps. `journal` may be null. Throws Error (kIo, kDiskFull).
void put_start(manifests::Job& job, Journal* journal, const std::string& id);

/// Finds the sheets whose plates an earlier run made from this input with these settings, and that
/// are still there, unchanged. Takes them out of the plan's totals, and sets
/// `own` of every plate that an earlier run of the job wrote. Throws Error(kIo) when the
/// journal cannot be read.
Resumed take_done_sheets(plan::JobPlan& plan, Journal& journal);

/// For RunOptions: enters each sheet in the journal, which must outlive the run.
run::OnSealed enter_into(Journal& journal);

/// For RunOptions::on_published: enters the change times of the plates again, which their new names have moved.
/// A later run then knows the plates without reading them. Throws nothing.
void note_published(Journal& journal, files::FileSystem& files, const plan::SheetPlan& sheet);

/// What the journal, which must outlive it, knows of files beside plates. A journal that cannot be read
/// or written knows nothing: the files are made again.
class SideFileJournal final : public run::SideFileMemory {
 public:
  SideFileJournal(Journal& journal, files::FileSystem& files) : journal_(journal), files_(files) {}
  bool is_current(const std::string& path, const std::string& text) override;
  void made(const std::string& path, const std::string& text) override;

 private:
  Journal& journal_;
  files::FileSystem& files_;
};

/// A temporary file of a plate.
struct OrphanedFile {
  std::string path;
  files::Writer writer;  ///< process that made it, on any machine
};

/// The temporary files of these plates, beside them. A folder that cannot be read has none.
std::vector<OrphanedFile> find_orphaned_files(const std::vector<std::string>& plates);

/// Removes unfinished plates of earlier runs that were killed. A file goes at once when its writer
/// is known to be dead:
///
///   - a process of this boot and namespace of process numbers that has ended;
///   - a process of another boot, where only this computer's kernel can write: on a disk of its own
///     (ext4, XFS, Btrfs, ...). So a power cut leaves nothing there.
///
/// Any other writer may be alive: on another computer with a shared file system, or in a container
/// beside us. Its file, and one whose name has no machine, goes after 24 hours without a change.
/// The caller has the job's journal open.
void remove_orphaned_files(const plan::JobPlan& plan);

}  // namespace mezzo::resume
