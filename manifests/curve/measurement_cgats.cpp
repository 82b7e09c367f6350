#include "manifests/curve/measurement_cgats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "manifests/fields.h"

namespace mezzo::curve {
namespace {

using manifests::in_quotes;
using manifests::SourceText;

constexpr std::string_view kDensityFields[] = {"D_RED", "D_GREEN", "D_BLUE", "D_VIS"};
constexpr std::string_view kXyzFields[] = {"XYZ_X", "XYZ_Y", "XYZ_Z"};
constexpr std::string_view kLabFields[] = {"LAB_L", "LAB_A", "LAB_B"};
constexpr std::string_view kCmykFields[] = {"CMYK_C", "CMYK_M", "CMYK_Y", "CMYK_K"};
constexpr std::string_view kCmykInks[] = {"cyan", "magenta", "yellow", "black"};
/// The patch's number as programs for measuring name it, then its name.
constexpr std::string_view kIdFields[] = {"SAMPLE_ID", "SampleID", "SAMPLE_NAME", "SampleName"};
constexpr std::string_view kSpectralNames[] = {"SPECTRAL_NM_", "SPECTRAL_NM", "SPEC_", "NM_", "NM"};

/// The wavelength of a field such as SPECTRAL_NM400, SPEC_400; empty for others.
std::optional<uint32_t> wavelength_of(std::string_view field) {
  for (const std::string_view name : kSpectralNames) {
    if (field.size() <= name.size() || !is_same_name(field.substr(0, name.size()), name)) continue;
    const std::optional<double> nm = number_of(field.substr(name.size()));
    if (nm && *nm >= 200 && *nm <= 2000) return static_cast<uint32_t>(std::lround(*nm));
  }
  return std::nullopt;
}

/// The number in "6CLR_2", and how many there are.
std::optional<std::pair<size_t, size_t>> colour_of(std::string_view field) {
  const size_t mark = field.find('_');
  if (mark == std::string_view::npos || mark < 4 ||
      !is_same_name(field.substr(mark - 3, 3), "CLR")) {
    return std::nullopt;
  }
  const auto digit = [](std::string_view text) {
    const std::optional<double> number = number_of(text);
    return number && *number >= 1 && *number <= kMaxMeasuredInks ? static_cast<size_t>(*number) : 0;
  };
  std::string_view count = field.substr(0, mark - 3);
  const bool is_hexadecimal = count.size() == 1 && count[0] >= 'A' && count[0] <= 'F';
  const size_t all = is_hexadecimal ? static_cast<size_t>(count[0] - 'A' + 10) : digit(count);
  const size_t number = digit(field.substr(mark + 1));
  if (all == 0 || number == 0 || number > all) return std::nullopt;
  return std::pair(number, all);
}

/// Reads the sets of one table. Functions return false after a mistake.
class TableReader {
 public:
  TableReader(const SourceText& source, const CgatsTable& table, const ReadOptions& options)
      : source_(source), table_(table), options_(options) {}

  bool has_measures() const;
  bool read(Measurement& into);
  Diagnostic wrong() { return *std::move(wrong_); }

 private:
  struct Column {
    size_t index;
    size_t ink;
  };

  bool find_inks(Measurement& into);
  bool find_numbered_inks(Measurement& into);
  bool find_waves();
  bool read_facts(WedgeFacts& facts);
  bool read_set(const std::vector<Word>& set, Measurement& into);
  bool read_nominal(const std::vector<Word>& set, Measurement& into, Patch& patch);
  bool read_measures(const std::vector<Word>& set, Patch& patch);
  bool read_spectrum(const std::vector<Word>& set, Patch& patch);
  bool number(const std::vector<Word>& set, size_t field, double least, double most, double& value);
  template <size_t N>
  bool numbers(const std::vector<Word>& set,
               const std::string_view (&fields)[N],
               double least,
               double most,
               std::optional<std::array<double, N>>& values);
  bool refuse(Place place, std::string message, std::string hint = {});

  const SourceText& source_;
  const CgatsTable& table_;
  const ReadOptions& options_;
  std::vector<Column> columns_;  // of nominal values
  std::optional<size_t> ink_field_, nominal_field_, id_field_;
  std::vector<size_t> waves_;  // fields, 10 nm apart
  uint32_t first_nm_ = 0;
  double spectral_scale_ = 1;
  std::optional<Diagnostic> wrong_;
};

bool TableReader::refuse(Place place, std::string message, std::string hint) {
  wrong_ = source_.diagnostic(place, std::move(message), std::move(hint));
  return false;
}

bool TableReader::has_measures() const {
  return std::ranges::any_of(table_.fields, [](const Word& field) {
    const auto is_one_of = [&](auto& names) {
      return std::ranges::any_of(
          names, [&](std::string_view name) { return is_same_name(name, field.text); });
    };
    return is_one_of(kDensityFields) || is_one_of(kXyzFields) || is_one_of(kLabFields) ||
           is_same_name(field.text, "DOT_AREA") || wavelength_of(field.text);
  });
}

bool TableReader::find_inks(Measurement& into) {
  ink_field_ = table_.field("INK");
  nominal_field_ = table_.field("NOMINAL");
  if (ink_field_ && nominal_field_) return true;
  for (size_t i = 0; i < std::size(kCmykFields); ++i) {
    const auto field = table_.field(kCmykFields[i]);
    if (!field) continue;
    columns_.push_back({*field, into.inks.size()});
    into.inks.emplace_back(kCmykInks[i]);
  }
  if (!columns_.empty()) return true;
  if (!find_numbered_inks(into)) return false;
  const auto rgb = table_.field("RGB_R");
  if (!columns_.empty() || (id_field_ && !rgb)) return true;
  return refuse(
      rgb ? table_.fields[*rgb].place : table_.fields.front().place,
      rgb ? "the patches are of RGB, and curves are of inks"
          : "no field says what the patches were printed as",
      "it needs CMYK_C and so on, 5CLR_1 and so on, INK and NOMINAL, or a SAMPLE_ID and the "
      "description of the wedge (--wedge)");
}

bool TableReader::find_numbered_inks(Measurement& into) {
  size_t all = 0;
  std::vector<bool> is_there(kMaxMeasuredInks);
  for (size_t i = 0; i < table_.fields.size(); ++i) {
    const auto colour = colour_of(table_.fields[i].text);
    if (!colour) continue;
    if (all == 0) all = colour->second;
    if (colour->second != all || is_there[colour->first - 1]) {
      return refuse(table_.fields[i].place,
                    in_quotes(table_.fields[i].text) + " is an ink of " +
                        std::to_string(colour->second) + " that has a field before it, of " +
                        std::to_string(all) + " inks",
                    "keep only the fields that are meant");
    }
    is_there[colour->first - 1] = true;
    const auto& names = options_.inks.empty() ? into.facts.inks : options_.inks;
    if (!names.empty() && names.size() != colour->second) {
      return refuse(table_.fields[i].place,
                    "the table has " + std::to_string(colour->second) + " inks, and " +
                        std::to_string(names.size()) + " are named",
                    "name them with --inks, in the order of the columns");
    }
    columns_.push_back({i, into.inks.size()});
    into.inks.push_back(names.empty() ? "ink " + std::to_string(colour->first)
                                      : names[colour->first - 1]);
  }
  const auto missing = std::find(is_there.begin(), is_there.begin() + std::ptrdiff_t(all), false);
  if (missing == is_there.begin() + std::ptrdiff_t(all)) return true;
  return refuse(table_.fields[columns_.front().index].place,
                "the table has " + std::to_string(all) + " inks, and no field for ink number " +
                    std::to_string(missing - is_there.begin() + 1),
                "export all of them: a patch that this ink prints on would be taken for another");
}

bool TableReader::find_waves() {
  std::map<uint32_t, size_t> fields;
  for (size_t i = 0; i < table_.fields.size(); ++i) {
    const auto nm = wavelength_of(table_.fields[i].text);
    if (!nm) continue;
    const auto [first, is_new] = fields.emplace(*nm, i);
    if (is_new) continue;
    return refuse(table_.fields[i].place,
                  "the spectrum has " + std::to_string(*nm) + " nm twice: the other is " +
                      in_quotes(table_.fields[first->second].text),
                  "keep only the fields that are meant");
  }
  std::erase_if(fields, [](const auto& one) {
    return one.first % 10 != 0 || one.first < kShortestWave || one.first > kLongestWave;
  });
  if (fields.empty()) return true;
  first_nm_ = fields.begin()->first;
  for (const auto& [nm, field] : fields) {
    if (nm != first_nm_ + 10 * waves_.size()) {
      return refuse(
          table_.fields[field].place,
          "the spectrum has nothing at " + std::to_string(first_nm_ + 10 * waves_.size()) + " nm",
          "spectra must have all of 420 to 680 nm, in steps of 10 nm or less");
    }
    waves_.push_back(field);
  }
  const std::vector<double> any(waves_.size());
  if (!xyz_of(any, first_nm_)) {
    return refuse(table_.fields[waves_.front()].place,
                  "the spectrum ends before it has all colours",
                  "spectra must have all of 420 to 680 nm, in steps of 10 nm or less");
  }
  // Reflectances are fractions or percentages; the brightest patch tells which.
  double most = 0;
  for (const std::vector<Word>& set : table_.sets) {
    for (const size_t field : waves_) most = std::max(most, number_of(set[field].text).value_or(0));
  }
  spectral_scale_ = most > 2 ? 0.01 : 1;
  return true;
}

bool TableReader::read_facts(WedgeFacts& facts) {
  const auto text = [&](std::string_view name) {
    const Word* word = table_.keyword(name);
    return word == nullptr ? std::string() : std::string(word->text);
  };
  facts.press = text("PRESS");
  facts.paper = text("PAPER");
  facts.curves = text("CURVES");
  const std::string inks = text("INKS").empty() ? text("INK") : text("INKS");
  for (size_t begin = 0; begin < inks.size();) {
    const size_t end = std::min(inks.find(',', begin), inks.size());
    facts.inks.emplace_back(manifests::trimmed(std::string_view(inks).substr(begin, end - begin)));
    const std::string number = std::to_string(facts.inks.size());
    const std::string own = text("SCREEN_" + number);
    facts.screens.push_back(own.empty() ? text("SCREEN") : own);
    facts.curves_on.push_back(text("CURVES_" + number));
    begin = end + 1;
  }
  if (facts.inks.empty() && !text("SCREEN").empty()) facts.screens = {text("SCREEN")};
  const Word* dpi = table_.keyword("DPI");
  if (dpi == nullptr) return true;
  facts.dpi = number_of(dpi->text);
  if (facts.dpi && *facts.dpi > 0) return true;
  wrong_ = no_number(source_, *dpi, "DPI");
  return false;
}

bool TableReader::number(
    const std::vector<Word>& set, size_t field, double least, double most, double& value) {
  const std::string_view name = table_.fields[field].text;
  const std::optional<double> found = number_of(set[field].text);
  if (!found) {
    wrong_ = no_number(source_, set[field], name);
    return false;
  }
  value = *found;
  if (value >= least && value <= most) return true;
  return refuse(set[field].place,
                std::string(name) + " must be from " + manifests::plain_number(least) + " to " +
                    manifests::plain_number(most) + ", found " + in_quotes(set[field].text));
}

template <size_t N>
bool TableReader::numbers(const std::vector<Word>& set,
                          const std::string_view (&fields)[N],
                          double least,
                          double most,
                          std::optional<std::array<double, N>>& values) {
  std::array<double, N> found{};
  size_t there = 0;
  for (size_t i = 0; i < N; ++i) {
    const auto field = table_.field(fields[i]);
    if (!field) continue;
    ++there;
    if (!number(set, *field, least, most, found[i])) return false;
  }
  if (there == N) values = found;
  if (there == 0 || there == N) return true;
  return refuse(table_.fields.front().place,
                "the table has not all of " + std::string(fields[0]) + ", " +
                    std::string(fields[1]) + " and " + std::string(fields[N - 1]));
}

bool TableReader::read_nominal(const std::vector<Word>& set, Measurement& into, Patch& patch) {
  if (ink_field_ && nominal_field_) {
    const Word& name = set[*ink_field_];
    if (!is_clean_text(name.text) || name.text.empty()) {
      return refuse(name.place, "INK must be the name of an ink");
    }
    double value = 0;
    if (!number(set, *nominal_field_, 0, 100, value)) return false;
    const size_t ink = ink_index(into.inks, name.text);
    if (ink == kMaxMeasuredInks) return refuse(name.place, "the table has more than 16 inks");
    patch.ink = ink;
    patch.nominal.assign(kMaxMeasuredInks, 0.0);
    patch.nominal[ink] = value;
    return true;
  }
  if (columns_.empty()) return true;
  patch.nominal.assign(into.inks.size(), 0.0);
  for (const auto& [field, ink] : columns_) {
    if (!number(set, field, 0, 100, patch.nominal[ink])) return false;
  }
  return true;
}

bool TableReader::read_spectrum(const std::vector<Word>& set, Patch& patch) {
  if (waves_.empty()) return true;
  std::vector<double> reflectances;
  for (const size_t field : waves_) {
    double value = 0;
    if (!number(set, field, -10, 1000, value)) return false;
    reflectances.push_back(value * spectral_scale_);
  }
  patch.xyz = xyz_of(reflectances, first_nm_);
  return true;
}

bool TableReader::read_measures(const std::vector<Word>& set, Patch& patch) {
  if (const auto field = table_.field("DOT_AREA")) {
    double area = 0;
    if (!number(set, *field, -20, 120, area)) return false;
    patch.area = area;
  }
  for (size_t i = 0; i < std::size(kDensityFields); ++i) {
    const auto field = table_.field(kDensityFields[i]);
    if (!field) continue;
    double density = 0;
    if (!number(set, *field, -1, 10, density)) return false;
    patch.densities[i] = density;
  }
  std::optional<std::array<double, 3>> lab;
  if (!read_spectrum(set, patch)) return false;
  if (!patch.xyz && !numbers(set, kXyzFields, -1, 200, patch.xyz)) return false;
  if (!patch.xyz && !numbers(set, kLabFields, -200, 200, lab)) return false;
  if (lab) patch.xyz = xyz_of(*lab);
  if (patch.xyz) patch.bright = (*patch.xyz)[1];
  return true;
}

bool TableReader::read_set(const std::vector<Word>& set, Measurement& into) {
  Patch patch{.place = set.front().place};
  if (id_field_) patch.id = set[*id_field_].text;
  if (!read_nominal(set, into, patch)) return false;
  if (!options_.is_wedge && !read_measures(set, patch)) return false;
  into.patches.push_back(std::move(patch));
  return true;
}

bool TableReader::read(Measurement& into) {
  for (const std::string_view name : kIdFields) {
    if (!id_field_) id_field_ = table_.field(name);
  }
  if (!read_facts(into.facts) || !find_inks(into)) return false;
  if (!options_.is_wedge && !find_waves()) return false;
  for (const std::vector<Word>& set : table_.sets) {
    if (!read_set(set, into)) return false;
  }
  return true;
}

}  // namespace

std::optional<Diagnostic> read_tables(const std::vector<CgatsTable>& tables,
                                      const ReadOptions& options,
                                      Measurement& into) {
  const CgatsTable* chosen = options.is_wedge ? &tables.front() : nullptr;
  for (const CgatsTable& table : tables) {
    if (options.is_wedge || !TableReader(*into.source, table, options).has_measures()) continue;
    if (chosen != nullptr) {
      return into.source->diagnostic(table.place,
                                     "the file has measurements in two tables",
                                     "keep only the one that is meant");
    }
    chosen = &table;
  }
  if (chosen == nullptr) {
    return into.source->diagnostic(
        tables.front().fields.front().place,
        "the table has no measurements",
        "it needs D_RED, D_GREEN, D_BLUE and D_VIS, or XYZ_X, LAB_L, SPECTRAL_NM400 and so on, or "
        "DOT_AREA");
  }
  TableReader reader(*into.source, *chosen, options);
  if (!reader.read(into)) return reader.wrong();
  return std::nullopt;
}

}  // namespace mezzo::curve
