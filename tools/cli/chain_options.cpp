#include "tools/cli/chain_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "kernels/base/error.h"
#include "manifests/parameters.h"
#include "manifests/set_text.h"
#include "manifests/source_text.h"
#include "tools/cli/file_offers.h"

namespace mezzo::cli {
namespace {

using manifests::Field;
using manifests::FieldType;
using manifests::PageSettings;
using manifests::SettingGroup;
using manifests::SettingPlace;
using manifests::SettingValue;

/// What a command line says of a setting in other words than a manifest does.
struct OptionForm {
  std::string_view key;         ///< of a setting, or of a map
  std::string_view help = {};   ///< empty: the setting's summary
  std::string_view value = {};  ///< its name in help; empty: by the setting's type
  size_t count = 0;             ///< of a map: settings that are in the word, from the first on
  std::string_view words = {};  ///< of a map: their form, in messages
  char separator = ',';
};

constexpr OptionForm kForms[] = {
    {"crop",
     "Rectangle of the page to keep, in mm: LEFT,TOP,WIDTH,HEIGHT",
     "MM,MM,MM,MM",
     4,
     "LEFT,TOP,WIDTH,HEIGHT in mm, as 10,10,210,297"},
    {"trim",
     "Margins to take off, in mm: one, or LEFT,TOP,RIGHT,BOTTOM",
     "MM",
     4,
     "MARGIN or LEFT,TOP,RIGHT,BOTTOM in mm, as 3"},
    {"rotate", "Turn the page clockwise by 90, 180 or 270 degrees, after crop and trim", "DEGREES"},
    {"copies",
     "Step and repeat: copies of the page on the plate, screened as one sheet, e.g. 3x4",
     "ACROSSxDOWN",
     2,
     "ACROSSxDOWN, as 3x4",
     'x'},
    {"output.resolution", "Resolution of the plates in dpi, to which pages are scaled"},
    {"scale", "Filter for --resolution"},
    {"assume_resolution", "Resolution of pages whose files do not say theirs"},
    {"extra_channels",
     "Refuse a page with channels beside its inks, print it without them, or print spot colours of "
     "Photoshop as inks"},
    {"spot_polarity", "For spot colours: their largest sample is full ink, or paper"},
    {"output.compression", "Compression of the plates"},
    {"protect", "Tones that the method leaves as they are: no dots on paper, no holes in solids"},
    {"tone.gamma", "Exponent of ink coverage"},
    {"output.existing",
     "A file that has the plate's name: replace a plate of mezzotint alone, refuse every file, or "
     "overwrite every file"},
    {"proof.dpi", "Resolution of the proof; at most that of the plates"},
    {"proof.colours", "What dots become colours by"},
    {"proof.yule_nielsen",
     "For colours by inks: how far paper spreads light between dots; 1: not at all"},
};

OptionForm form_of(std::string_view key) {
  const auto* found = std::ranges::find(kForms, key, &OptionForm::key);
  return found == std::end(kForms) ? OptionForm{.key = key} : *found;
}

/// "--assume-resolution".
std::string flag_of(std::string_view key) {
  std::string flag = "--" + std::string(manifests::last_part(key));
  std::ranges::replace(flag, '_', '-');
  return flag;
}

bool is_length(const Field& field) {
  return field.type == FieldType::kLength || field.type == FieldType::kLengthOrMap;
}

/// Reads a value as a manifest has it; a length may leave out its unit. `set` takes it. Returns the mistake, or
/// nothing.
template <typename Set>
std::string read(const Field& field, std::string_view word, const Set& set) {
  std::string text(manifests::trimmed(word));
  if (is_length(field) && !text.empty() && text.back() >= '0' && text.back() <= '9') text += " mm";
  const auto parsed = manifests::read_value(field, text);
  if (!parsed.value) return parsed.problem + (parsed.hint.empty() ? "" : "; " + parsed.hint);
  set(*parsed.value);
  return {};
}

std::string set_row(const SettingPlace& setting, std::string_view word, PageSettings& settings) {
  return read(manifests::field_of(setting), word, [&](const SettingValue& value) {
    manifests::set_value(settings, setting, value);
  });
}

const SettingPlace& setting_of(const SettingGroup& map, size_t row) {
  return *manifests::find_setting(manifests::key_of(map, map.rows[row]));
}

/// Sets the settings of a map to the parts of the word, or all of them to the word.
std::string set_map(const OptionForm& form, std::string_view word, PageSettings& settings) {
  const SettingGroup& map = *manifests::find_group(form.key);
  std::string_view rest = word;
  const auto parts = static_cast<size_t>(1 + std::ranges::count(word, form.separator));
  if (parts == 1 && map.set_all != nullptr) {
    return read(map.maps.front(), word, [&](const auto& value) { map.set_all(settings, value); });
  }
  if (parts != form.count) {
    return fmt::format("must be {}, found {}", form.words, manifests::in_quotes(word));
  }
  for (size_t i = 0; i < parts; ++i) {
    const size_t end = std::min(rest.find(form.separator), rest.size());
    const std::string mistake = set_row(setting_of(map, i), rest.substr(0, end), settings);
    if (!mistake.empty()) {
      return fmt::format("must be {}; '{}' {}", form.words, map.rows[i].field.name, mistake);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

/// The help, with the range of a number.
std::string help_of(const OptionForm& form, const Field& field) {
  if (form.help.empty()) {
    std::string help = std::string(field.summary) + (is_length(field) ? ", in mm" : "");
    help.front() = static_cast<char>(std::toupper(help.front()));
    return help;
  }
  if (field.type != FieldType::kNumber) return std::string(form.help);
  return fmt::format("{}, {}..{}", form.help, field.minimum, field.maximum);
}

std::string_view value_name_of(const OptionForm& form, const Field& field) {
  if (!form.value.empty()) return form.value;
  return is_length(field) ? "MM" : manifests::unit_of(field) == "dpi" ? "DPI" : "N";
}

/// A value in help; empty without one, and for lengths.
std::string text_of(const SettingValue& value, const Field& field) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  const auto* whole = std::get_if<uint64_t>(&value);
  if (whole != nullptr && !is_length(field)) return std::to_string(*whole);
  const auto* number = std::get_if<double>(&value);
  return number == nullptr ? "" : manifests::plain_number(*number);
}

Option& add_row(Command& command, PageSettings& settings, const SettingPlace& setting) {
  const Field& field = manifests::field_of(setting);
  const OptionForm form = form_of(setting.key);
  Target target{.read = [&](const Words& w) { return set_row(setting, w.front(), settings); },
                .default_text = text_of(setting.row->in.get(settings), field)};
  Option& option = command.option(flag_of(setting.key), std::move(target), help_of(form, field));
  if (field.choices != nullptr) return option.one_of(field.choices()).shows_default();
  return option.takes(value_name_of(form, field));
}

}  // namespace

Option& add_setting_option(Command& command,
                           PageSettings& settings,
                           std::string_view key,
                           std::string_view group) {
  const SettingGroup* map = manifests::find_group(key);
  if (map == nullptr) {
    return add_row(command, settings, *manifests::find_setting(key)).group(group);
  }
  const OptionForm form = form_of(key);
  const auto read = [&settings, form](const Words& w) {
    return set_map(form, w.front(), settings);
  };
  Option& option = command.option(flag_of(key), Target{.read = read}, form.help);
  for (size_t row = form.count; row < map->rows.size(); ++row) {
    add_row(command, settings, setting_of(*map, row)).group(group);
  }
  return option.takes(form.value).group(group);
}

void add_chain_options(Command& command, PageSettings& settings, std::string_view group) {
  for (const std::string_view key : {"crop", "trim", "rotate", "copies"}) {
    add_setting_option(command, settings, key, group);
  }
  command.flag("--mirror", settings.output.mirror, "Exchange left and right of the finished plate")
      .group(group);
  command.flag("--negative", settings.output.negative, "Swap ink and paper of the finished plate")
      .group(group);
  for (const std::string_view key :
       {"output.resolution", "scale", "assume_resolution", "extra_channels", "spot_polarity"}) {
    add_setting_option(command, settings, key, group);
  }
}

void check_chain_options(const PageSettings& settings) {
  for (const OptionForm& form : kForms) {
    const SettingGroup* map = manifests::find_group(form.key);
    if (map == nullptr || map->check == nullptr) continue;
    manifests::Given given{.keys = {}, .document = manifests::kInPage};
    for (const auto& row : map->rows) {
      if (row.in.get(settings) != row.in.get(PageSettings())) given.keys.push_back(row.field.name);
    }
    const auto problem = map->check(settings, given);
    if (!problem) continue;
    std::string text = problem->text;
    const std::string name = "'" + problem->key + "'";
    if (text.starts_with(name)) text.replace(0, name.size(), flag_of(problem->key));
    throw Error(ErrorKind::kUsage, text + "; give " + flag_of(form.key));
  }
}

void add_linework_options(Command& command, LineworkOptions& options, std::string_view group) {
  command
      .option("--linework",
              options.linework.file,
              "TIFF of one bit a pixel, such as type, to print over the plates")
      .takes("FILE")
      .offers(offer_tiffs)
      .group(group);
  command.option("--linework-ink", options.linework.ink, "Ink that prints the line work, or all")
      .takes("NAME")
      .shows_default()
      .group(group);
  command
      .option("--linework-overprint",
              options.overprint,
              "Print the other inks below it, too; default: below black alone")
      .one_of({"true", "false"})
      .group(group);
}

std::optional<manifests::Linework> linework_of(const LineworkOptions& options) {
  manifests::Linework linework = options.linework;
  if (options.overprint) linework.overprint = *options.overprint == "true";
  if (linework.file.empty()) {
    if (linework == manifests::Linework()) return std::nullopt;
    throw Error(
        ErrorKind::kUsage,
        "--linework-ink and --linework-overprint are for --linework FILE, which is missing");
  }
  if (linework.overprint && manifests::lower_case(linework.ink) == "all") {
    throw Error(ErrorKind::kUsage,
                "--linework-overprint is about other inks than that of the line work, and "
                "--linework-ink is all; leave one of the two out");
  }
  return linework;
}

}  // namespace mezzo::cli
