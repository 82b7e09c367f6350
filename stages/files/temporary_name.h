// Temporary names, `.NAME.<pid>-<machine>-<random>.part`, which name the process that writes the
// file.
//
// A process number counts within one boot of one kernel and one namespace of process numbers, so
// `machine` names these: 8 hexadecimal digits of a hash of the boot id, and 8 of the namespace's.
// It cannot tell computers apart across boots: nodes and containers made from one image share
// machine id, host name, even network address. So a name of another boot may be of this computer
// before a power cut, or of another computer that is writing now.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mezzo::files {

/// A process, on any machine.
struct Writer {
  pid_t pid = 0;
  std::string machine;  ///< 16 hexadecimal digits; empty: not known, as in names without them

  bool operator==(const Writer&) const = default;
};

/// "<pid>-<machine>", or "<pid>" when the machine is not known.
std::string to_string(const Writer& writer);

/// This process. Its machine is not known without /proc. Any thread.
Writer this_process();

/// Whether the two are known to be processes of two boots, of one computer or of two.
bool are_of_two_boots(const Writer& one, const Writer& other);

/// The part after `.NAME` in a temporary name of `writer`.
std::string temporary_tail(const Writer& writer, uint32_t random);

/// The final name of the PendingFile with this temporary name, both without their folder; nothing
/// when it is not a temporary name of a PendingFile. A very long name comes back cut.
std::optional<std::string> final_name_of(std::string_view temporary_name, Writer& writer);

/// The folder of a path: "." for a name alone.
std::string folder_of(const std::string& path);

}  // namespace mezzo::files
