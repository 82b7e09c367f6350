// What a page may say of itself, and what a job may use: the parts that manifests and the settings
// of hot folders have in common.
#pragma once

#include <optional>
#include <vector>

#include "manifests/binder.h"

namespace mezzo::manifests {

class SettingsReader {
 public:
  /// Both are those of the document, and must outlive this.
  SettingsReader(Binder& binder, const std::vector<Diagnostic>& diagnostics)
      : binder_(binder), diagnostics_(diagnostics) {}

  void read_limits(const YamlNode& map, JobLimits& limits);

  /// The map `defaults`.
  void read_defaults(const YamlNode& map, PageSettings& settings);

  /// `halftone`, `tone` and `output` of a bound map, merged over the settings.
  void read_settings(const BoundMap& map, PageSettings& settings);

  /// Complains of values that do not fit each other, after each was found good. Whoever leaves the
  /// method to `defaults`, with `halftone_node` null, is told of there, once.
  void check_fit(const HalftoneSettings& halftone, const YamlNode* halftone_node);

 private:
  void read_halftone(const YamlNode& map, HalftoneSettings& halftone);
  void read_schedule(const BoundMap& bound, const MethodInfo& method, HalftoneSettings& halftone);
  void read_parameter(const YamlNode& node, const MethodInfo& method, HalftoneSettings& halftone);
  void read_tone(const YamlNode& map, ToneSettings& tone);
  void read_output(const YamlNode& map, OutputSettings& output);

  Binder& binder_;
  const std::vector<Diagnostic>& diagnostics_;
  std::optional<Place> defaults_place_ = {};  // of their method, while it may be complained about
};

}  // namespace mezzo::manifests
