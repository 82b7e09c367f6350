// The rule of what commands may replace.
//
// A file that is there is replaced only where the program wrote it (stages/tiff/plate/file_origin.h). So a command
// may be repeated, and a page of the user with the name of its output stays. None of these outputs is a
// plate, so plates stay, too. Two other rules: a plate of a job replaces only plates
// (pipeline/run/replaced_files.h), and a curve of `linearise` replaces the older curve of the same press,
// ink, screen, resolution and paper, even if it was edited, as `--refine` corrects it.
#pragma once

#include <string>
#include <vector>

namespace mezzo::cli {

/// Throws Error(kUsage) where `path` is one of the files `inputs` by device and inode, a thing that is
/// no regular file, or, without `force`, a plate or a file that the program did not write. Words of
/// `inputs` that name no file are passed over.
void refuse_to_replace(const std::string& path, const std::vector<std::string>& inputs, bool force);

/// Throws Error(kUsage) where `path` has the suffix of another kind of file than one with `suffixes`,
/// such as "tif". Empty: any.
void refuse_other_kind(const std::string& path, const std::vector<std::string>& suffixes);

/// Throws Error(kUsage) where `path` is one of these paths of outputs, which need not exist.
void refuse_same(const std::string& path, const std::vector<std::string>& outputs);

}  // namespace mezzo::cli
