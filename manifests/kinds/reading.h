// The mistakes of a YAML text while its values are read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/fields.h"
#include "manifests/path_template.h"
#include "manifests/setting_value.h"
#include "manifests/yaml_tree.h"

namespace mezzo::manifests {

/// Records mistakes with their place. Both references must outlive it.
class Reading {
 public:
  Reading(const SourceText& source, std::vector<Diagnostic>& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  const SourceText& source() const { return source_; }
  size_t mistakes() const { return diagnostics_.size(); }

  void complain(Place place, std::string message, std::string hint = {});

  /// Records the mistakes of another file.
  void add(std::vector<Diagnostic> mistakes);

  /// Records that a node is not of the expected kind.
  void complain_kind(const YamlNode& node,
                     std::string_view name,
                     const std::string& expectation,
                     const std::string& hint = {});

  /// The place of the byte `offset` of a text, as far as quotes and escapes show it.
  Place place_inside(const YamlNode& text, size_t offset) const;

  /// Record a mistake, and return no value.
  SettingValue refused(Place place,
                       const Field& field,
                       const std::string& problem,
                       const std::string& hint = {});
  SettingValue unexpected(const YamlNode& node, const Field& field, const std::string& hint = {});

  /// The text of the node, unless there is a problem with it.
  SettingValue unless(const std::optional<TemplateProblem>& problem,
                      const YamlNode& node,
                      const Field& field);

 private:
  const SourceText& source_;
  std::vector<Diagnostic>& diagnostics_;
};

/// "nothing", "a list", "a map", "the text '4'", "'abc'": a node, for messages.
std::string describe(const YamlNode& node);

}  // namespace mezzo::manifests
