// What the targets of fuzzing share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/error.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/temp_folder.h"

namespace mezzo::fuzz {

/// Ends the process, with `what` as the finding.
[[noreturn]] void found(std::string_view what);

/// found(), unless `good`.
inline void demand(bool good, std::string_view what) {
  if (!good) found(what);
}

/// Prints why an input was refused, where the environment has FUZZ_SHOW.
void show(std::string_view refusal);

/// Whether the call was not refused with an Error. One of kind kBug is a finding.
bool passes(const auto& call) {
  try {
    call();
    return true;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kBug) found(error.what());
    show(error.what());
    return false;
  }
}

std::string text_of(const Bytes& bytes);
Bytes bytes_of(std::string_view text);

/// The bytes of a file of the source tree, and of those in a folder of it that end in `suffix`.
Bytes source_file(const std::string& path);
std::vector<Bytes> source_files(const std::string& folder, const std::string& suffix);

/// A folder in memory, empty at first, for as long as the process lives.
const test::TempFolder& scratch();

/// Writes a file there and returns its path. Nothing is synced.
std::string scratch_file(const std::string& name, const Bytes& bytes);

/// Mistakes as people see them: at least one, each a line without control characters, at a place of the
/// text.
void check_mistakes(const std::vector<Diagnostic>& mistakes, std::string_view text);

/// An input of several texts: a line of `kNextText` stands between two of them. Missing ones are empty.
inline constexpr std::string_view kNextText = "%%%%";
std::vector<std::string> texts_of(const Bytes& input, size_t count);

/// Changes the text: puts tokens in, and takes lines out or doubles them.
void change_text(Bytes& input, Random& random, std::span<const std::string_view> tokens);

/// Changes bytes whatever they mean.
void change_bytes(Bytes& input, Random& random);

}  // namespace mezzo::fuzz
