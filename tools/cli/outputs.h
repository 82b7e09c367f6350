// The rule of what commands may replace.
//
// A file that is there is replaced only where the program wrote it: a TIFF by its tag Software,
// "mezzotint" or "mezzotint VERSION"; any other file by a mark in its first 4 KiB, as PNG, PDF, SVG, HTML,
// PostScript, CGATS and YAML of this program have it. So a command may be repeated, and a page of the
// user with the name of its output stays. Plates of jobs have a rule of their own, `output.existing`.
#pragma once

#include <string>
#include <vector>

namespace mezzo::cli {

/// Whether the program wrote this file.
bool is_own_file(const std::string& path);

/// Throws Error(kUsage) where `path` is one of the files `inputs` by device and inode, a thing that is
/// no regular file, or, without `force`, a file that is_own_file() does not know. Words of
/// `inputs` that name no file are passed over.
void refuse_to_replace(const std::string& path, const std::vector<std::string>& inputs, bool force);

/// Throws Error(kUsage) where `path` has the suffix of another kind of file than one with `suffixes`,
/// such as "tif". Empty: any.
void refuse_other_kind(const std::string& path, const std::vector<std::string>& suffixes);

/// Throws Error(kUsage) where `path` is one of these paths of outputs, which need not exist.
void refuse_same(const std::string& path, const std::vector<std::string>& outputs);

}  // namespace mezzo::cli
