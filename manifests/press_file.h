// Press files: the settings of jobs that belong to a machine.
//
// A manifest names one with `press`, or folder.yaml for a hot folder. Its settings count before the
// built-in ones, and those of `defaults` and pages before them, key by key.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "manifests/settings_reader.h"

namespace mezzo::manifests {

/// The key that tells press files from other documents.
inline constexpr std::string_view kPressKey = "mezzotint-press";

struct PressFile {
  std::string file;  ///< its path, for messages
  std::string text;
  LayeredSettings layered = {};  ///< settings.press is set
};
using PressFilePtr = std::shared_ptr<const PressFile>;

/// From text; `file` is its name in messages. Never touches the disk.
Checked<PressFilePtr> parse_press_file(std::string_view text, const std::string& file);

/// Throws Error (kMissing, kIo, kLimit, kData) when the file cannot be read.
Checked<PressFilePtr> load_press_file(const std::string& path);

/// Whether the file is meant to be a press file. False also when it cannot be read.
bool is_press_file(const std::string& path);

/// Whether the file has this key on top. False also when it cannot be read.
bool has_top_key(const std::string& path, std::string_view key);

/// Where the press of a document comes from.
struct PressSource {
  /// For every document, whatever press it names.
  PressFilePtr given = {};
  /// Reads the press file that a document names, as it is written there; throws as load_press_file().
  /// Null: it may name none.
  std::function<Checked<PressFilePtr>(const std::string& written)> read = {};
};

/// Press files are looked for from the folder of a manifest on; "" is the working folder.
PressSource press_files_from(const std::string& folder);

/// The press of a document whose keys are `top`; null without one. Nothing when there are
/// mistakes in it or in its name, which are recorded then: settings that are read over it would seem to
/// have others.
std::optional<PressFilePtr> choose_press(const BoundMap& top,
                                         Binder& binder,
                                         const PressSource& from);

/// The JSON Schema (draft-07) of press files, from the same table of fields that the parser uses.
std::string press_schema();

}  // namespace mezzo::manifests
