// Reads the settings of pages and the limits of jobs, for manifests, press files and folder.yaml.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "manifests/binder.h"
#include "manifests/origins.h"

namespace mezzo::manifests {

/// Settings, and where they were written.
struct LayeredSettings {
  PageSettings settings = {};
  std::shared_ptr<const Origins> origins = std::make_shared<Origins>();
};

/// Line work of a page, its file as written.
struct DraftLinework {
  Linework linework;
  Place place;
};

class SettingsReader {
 public:
  /// Both belong to the document and must outlive this.
  SettingsReader(Binder& binder, const std::vector<Diagnostic>& diagnostics)
      : binder_(binder), diagnostics_(diagnostics) {}

  /// The press file that settings are read over, for messages.
  void set_press_file(std::string name) { press_file_ = std::move(name); }

  /// Where the paths of tiles, profiles and a library of curves start from; empty: they stay as they
  /// are written.
  void set_folder(std::string folder) { folder_ = std::move(folder); }

  void read_limits(const YamlNode& map, JobLimits& limits);

  /// The map `defaults`.
  void read_defaults(const YamlNode& map, LayeredSettings& layered);

  /// The settings of a bound map, merged over those given.
  void read_settings(const BoundMap& map, Layer layer, LayeredSettings& layered);

  /// The line work of a page, without what is wrong.
  std::vector<DraftLinework> read_linework(const BoundMap& page);

  /// Reports values that are valid alone but do not fit each other. For a page that takes its
  /// method from `defaults`, `halftone_node` is null, and the mistake is reported there, once.
  void check_fit(const HalftoneSettings& halftone, const YamlNode* halftone_node);

 private:
  /// Each of its maps is one value: that of a page replaces that of the defaults.
  void read_proof(const BoundMap& page, std::optional<ProofSettings>& proof);
  void read_ppf(const BoundMap& page, std::optional<PpfSettings>& ppf);
  void read_geometry(const BoundMap& map, Geometry& geometry);
  void read_colour(const BoundMap& map, ColourSettings& colour);
  void read_ink_limit(const YamlNode& node, const BoundMap& map, InkLimit& limit);
  void set_profile(const BoundMap& map, std::string_view key, std::string& path);
  void read_trim(const YamlNode& node, const BoundMap& page, Trim& trim);
  Linework read_linework_map(const YamlNode& map);
  void read_halftone(const YamlNode& map, HalftoneSettings& halftone);
  void read_tile(const BoundMap& bound, const MethodInfo& method, HalftoneSettings& halftone);
  void read_schedule(const BoundMap& bound, const MethodInfo& method, HalftoneSettings& halftone);
  void read_parameter(const YamlNode& node, const MethodInfo& method, HalftoneSettings& halftone);
  std::string place_of_press_method(const std::string& method) const;
  void read_levels(const YamlNode& map, std::optional<LevelSettings>& levels);
  void read_tone(const YamlNode& map, ToneSettings& tone);
  void read_output(const YamlNode& map, OutputSettings& output);
  void read_curves(const YamlNode& map, CurveSettings& curves);
  void read_inks(const YamlNode& map, PageSettings& settings);
  InkSettings begun(const YamlNode& item, const PageSettings& settings);
  bool is_good_spot(const YamlNode& item, const PageSettings& settings);
  void read_ink(const YamlNode& map, const PageSettings& settings, InkSettings& ink);
  void read_use(const BoundMap& bound, const PageSettings& settings, InkSettings& ink);
  std::vector<InkShare> read_shares(const YamlNode& map, const PageSettings& settings);
  void read_ink_halftone(const YamlNode& map, const PageSettings& settings, InkSettings& ink);

  Binder& binder_;
  const std::vector<Diagnostic>& diagnostics_;
  std::string press_file_ = {};
  std::string folder_ = {};
  std::optional<Place> defaults_place_ = {};  // of their method, while it may be complained about
  Origins* origins_ = nullptr;                // while settings are read
};

}  // namespace mezzo::manifests
