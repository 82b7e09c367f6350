// Where the settings of a page were written: each by its key, such as "output.compression" or
// "inks.black.tone.gamma".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "manifests/job.h"
#include "manifests/yaml_tree.h"

namespace mezzo::manifests {

/// What settings are read over each other, from the lowest.
enum class Layer { kBuiltIn, kPress, kDefaults, kPage };

struct Origin {
  Layer layer = Layer::kBuiltIn;
  Place place = {};   ///< of the value in the file of its layer; line 0 when it is built in
  std::string value;  ///< as it is written there
  bool operator==(const Origin&) const = default;
};

/// The values that count, without those that are built in.
class Origins {
 public:
  /// Takes note of a key and its value, a map with all that is inside. It takes the place of what lower
  /// layers say; a use of an ink that of any other use. The entries of `inks` have the names that
  /// `settings` have for them.
  void add(Layer layer,
           const std::string& key,
           const YamlNode& value,
           const PageSettings& settings);

  /// What is known of the ink `from` is known of the ink `to`, too.
  void copy_ink(const std::string& from, const std::string& to);

  /// Forgets what no longer counts in these settings: parameters of a method that another replaced.
  void keep_valid(const PageSettings& settings);

  /// Null when the key is built in.
  const Origin* find(const std::string& key) const;

  const std::map<std::string, Origin>& all() const { return origins_; }

 private:
  void add_ink(Layer layer, const YamlNode& value, const PageSettings& settings);
  void forget(const std::string& key);
  void forget_ink_use(const std::string& ink);

  std::map<std::string, Origin> origins_;
};

struct ResolvedSetting {
  std::string key;
  Origin origin;
};

/// The settings of a page in the order of the table of keys, then those of its inks; with `all`, also
/// those that are built in and have a value.
std::vector<ResolvedSetting> resolved_settings(const PageSettings& settings,
                                               const Origins& origins,
                                               bool all);

}  // namespace mezzo::manifests
