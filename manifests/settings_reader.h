// Reads the settings of pages and the limits of jobs, for manifests, press files and folder.yaml.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "manifests/binder.h"
#include "manifests/origins.h"
#include "manifests/settings/setting.h"

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
  Linework read_linework_map(const YamlNode& map);
  void read_group(const SettingGroup& group, const BoundMap& parent, PageSettings& settings);
  void read_map(const SettingGroup& group, const YamlNode& node, PageSettings& settings);
  void read_rows(const SettingGroup& group, const BoundMap& map, PageSettings& settings);
  void check(const SettingGroup& group,
             const YamlNode& node,
             const BoundMap& bound,
             const PageSettings& settings);
  SettingValue path_of(const Field& field, const YamlNode& node);
  void read_halftone(const YamlNode& map, HalftoneSettings& halftone);
  void read_tile(const BoundMap& bound, const MethodInfo& method, HalftoneSettings& halftone);
  void read_schedule(const BoundMap& bound, const MethodInfo& method, HalftoneSettings& halftone);
  void read_parameter(const YamlNode& node, const MethodInfo& method, HalftoneSettings& halftone);
  std::string place_of_press_method(const std::string& method) const;
  void read_inks(const YamlNode& map, PageSettings& settings);
  InkSettings begun(const YamlNode& item, const PageSettings& settings);
  bool is_good_spot(const YamlNode& item, const PageSettings& settings);
  void read_ink(const YamlNode& map, const PageSettings& settings, InkSettings& ink);
  void read_over(const BoundMap& ink, Overlay& over);
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
