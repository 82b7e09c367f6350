#include "manifests/curve/foreign_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "manifests/curve/cgats.h"
#include "manifests/curve/curve_file.h"
#include "manifests/curve/monotone.h"
#include "manifests/curve/photoshop_curve.h"
#include "manifests/fields.h"
#include "manifests/read_text.h"

namespace mezzo::curve {
namespace {

using manifests::Checked;
using manifests::in_quotes;
using manifests::SourceText;
using Curves = Checked<std::vector<InkCurve>>;

constexpr std::array<std::string_view, 4> kProcessInks = {"cyan", "magenta", "yellow", "black"};
constexpr double kEndRounding = 0.01;  // percent

/// Why the points are no curve of an ink; moves ends that rounding left a little away.
std::string mistake_of(std::vector<CurvePoint>& points) {
  if (points.size() < 2) return "the curve has fewer than 2 points";
  if (points.size() > manifests::kMaxCurvePoints) return "the curve has more than 256 points";
  if (points.front().in_percent != 0 || std::abs(points.back().in_percent - 100) > 1e-6) {
    return "the curve does not go from paper to solid";
  }
  points.back().in_percent = 100;
  if (points.front().out_percent > kEndRounding) {
    return fmt::format("the curve prints {:.4g} % on paper", points.front().out_percent);
  }
  if (points.back().out_percent < 100 - kEndRounding) {
    return fmt::format("the curve leaves solids at {:.4g} %, which would perforate type",
                       points.back().out_percent);
  }
  points.front().out_percent = 0;
  points.back().out_percent = 100;
  for (size_t i = 1; i < points.size(); ++i) {
    if (points[i].in_percent <= points[i - 1].in_percent) {
      return fmt::format("the tones do not rise behind {:.4g} %", points[i - 1].in_percent);
    }
    if (points[i].out_percent < points[i - 1].out_percent) {
      return fmt::format("the curve falls from {:.4g} % to {:.4g} % at {:.4g} %",
                         points[i - 1].out_percent,
                         points[i].out_percent,
                         points[i].in_percent);
    }
  }
  return {};
}

Curves refused(const SourceText& source, Place place, std::string message, std::string hint = {}) {
  return std::vector{source.diagnostic(place, std::move(message), std::move(hint))};
}

constexpr std::string_view kCalLetters = "CMYK";

/// The first table of a .cal: a level of the device of each level, 0 .. 1.
Curves curves_of_cal(const SourceText& source, const CgatsTable& table) {
  const Word* device = table.keyword("DEVICE_CLASS");
  if (device != nullptr && !is_same_name(device->text, "OUTPUT")) {
    return refused(source,
                   device->place,
                   "the calibration is of a device of class " + in_quotes(device->text),
                   "curves of inks are of class OUTPUT");
  }
  std::optional<size_t> level;
  std::vector<std::pair<size_t, InkCurve>> columns;
  for (size_t i = 0; i < table.fields.size(); ++i) {
    const std::string_view name = table.fields[i].text;
    const std::string_view last = name.substr(std::min(name.rfind('_') + 1, name.size()));
    const size_t ink = last.size() == 1 ? kCalLetters.find(last) : std::string_view::npos;
    const auto is_this = [&](const auto& column) {
      return ink < kProcessInks.size() &&
             prepress::is_same_ink(column.second.ink, kProcessInks[ink]);
    };
    if ((last == "I" && level) || std::ranges::any_of(columns, is_this)) {
      return refused(source,
                     table.fields[i].place,
                     in_quotes(name) + " is the second field " +
                         (last == "I" ? "of levels" : "of " + std::string(kProcessInks[ink])),
                     "keep only the one that is meant");
    }
    if (last == "I") {
      level = i;
    } else if (ink != std::string_view::npos && !name.starts_with("RGB")) {
      columns.emplace_back(i, InkCurve{std::string(kProcessInks[ink]), {}});
    } else {
      return refused(source,
                     table.fields[i].place,
                     in_quotes(name) + " is none of cyan, magenta, yellow and black",
                     "calibrations of these four inks are read, such as CMYK_C");
    }
  }
  if (!level || columns.empty()) {
    return refused(source, table.fields.front().place, "a calibration has CMYK_I and inks");
  }
  std::vector<InkCurve> curves;
  for (auto& [column, curve] : columns) {
    for (const std::vector<Word>& set : table.sets) {
      double values[2] = {};
      for (const size_t k : {0, 1}) {
        const Word& word = set[k == 0 ? *level : column];
        const auto value = number_of(word.text);
        if (!value || *value < 0 || *value > 1) {
          return refused(source,
                         word.place,
                         in_quotes(table.fields[k == 0 ? *level : column].text) +
                             " must be from 0 to 1, found " + in_quotes(word.text));
        }
        values[k] = 100 * *value;
      }
      curve.points.push_back({values[0], values[1]});
    }
    const std::string mistake = mistake_of(curve.points);
    if (!mistake.empty())
      return refused(source, table.fields[column].place, curve.ink + ": " + mistake);
    curves.push_back(std::move(curve));
  }
  return curves;
}

/// INK, NOMINAL, OUTPUT.
Curves curves_of_table(const SourceText& source, const CgatsTable& table) {
  const auto ink = table.field("INK"), in = table.field("NOMINAL"), out = table.field("OUTPUT");
  if (!ink || !in || !out) {
    return refused(source,
                   table.fields.front().place,
                   "the table is no curve: it has not INK, NOMINAL and OUTPUT",
                   "measurements become curves by 'mezzotint linearise'");
  }
  std::vector<InkCurve> curves;
  std::vector<Place> places;
  for (const std::vector<Word>& set : table.sets) {
    double values[2] = {};
    for (const size_t k : {0, 1}) {
      const size_t field = k == 0 ? *in : *out;
      const auto value = number_of(set[field].text);
      if (!value) return std::vector{no_number(source, set[field], table.fields[field].text)};
      if (*value < 0 || *value > 100) {
        return refused(source, set[field].place, "percentages are from 0 to 100");
      }
      values[k] = *value;
    }
    const std::string_view name = set[*ink].text;
    if (name.empty() || !is_clean_text(name)) {
      return refused(source, set[*ink].place, "INK must be the name of an ink");
    }
    const auto is_it = [&](const InkCurve& one) { return prepress::is_same_ink(one.ink, name); };
    if (curves.empty() || !is_it(curves.back())) {
      if (std::ranges::any_of(curves, is_it)) {
        return refused(source, set[*ink].place, "the points of an ink are not together");
      }
      curves.push_back({std::string(name), {}});
      places.push_back(set.front().place);
    }
    curves.back().points.push_back({values[0], values[1]});
  }
  for (size_t i = 0; i < curves.size(); ++i) {
    const std::string mistake = mistake_of(curves[i].points);
    if (!mistake.empty()) return refused(source, places[i], curves[i].ink + ": " + mistake);
  }
  return curves;
}

Curves curves_of_text(const std::string& bytes, const std::string& file) {
  const SourceText source = table_source(file, bytes);
  if (auto wrong = check_table_bytes(source)) return std::vector{*std::move(wrong)};
  if (!is_cgats(source)) {
    return refused(source,
                   {},
                   "the file is no curve that is known here",
                   "curve files, .cal, CGATS, .acv and .amp are read");
  }
  // A .cal has its targets, of another scale, in a second table.
  auto tables = parse_cgats(source, 1);
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&tables)) return std::move(*wrong);
  const CgatsTable& table = std::get<std::vector<CgatsTable>>(tables).front();
  return is_same_name(table.type, "CAL") ? curves_of_cal(source, table)
                                         : curves_of_table(source, table);
}

bool is_identity(const LevelTable& table) {
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i] != static_cast<double>(i)) return false;
  }
  return true;
}

std::vector<CurvePoint> points_of(const LevelTable& table, Levels levels) {
  constexpr double kLast = 255;
  std::vector<CurvePoint> points;
  for (size_t i = 0; i < table.size(); ++i) {
    const size_t level = levels == Levels::kInk ? i : table.size() - 1 - i;
    const double out = levels == Levels::kInk ? table[level] : kLast - table[level];
    points.push_back({100 * static_cast<double>(i) / kLast, 100 * out / kLast});
  }
  return points;
}

/// A master alone is for one named ink; channels with a master that does nothing are for as many.
Curves name_tables(const SourceText& source,
                   const std::vector<LevelTable>& all,
                   bool has_master,
                   const CurveOptions& options) {
  std::vector<std::string> inks = options.inks;
  std::vector<LevelTable> tables = all;
  const bool is_master_alone = has_master && std::all_of(all.begin() + 1, all.end(), is_identity);
  if (is_master_alone) {
    tables = std::vector<LevelTable>(std::max<size_t>(inks.size(), 1), all.front());
  } else if (has_master) {
    if (!is_identity(all.front())) {
      return refused(source,
                     {},
                     "the file has a curve of all channels, and curves of single ones, too",
                     "bring them together in Photoshop: which comes first is not known here");
    }
    tables.erase(tables.begin());
    if (inks.empty() && tables.size() == kProcessInks.size()) {
      inks.assign(kProcessInks.begin(), kProcessInks.end());
    }
  }
  if (inks.size() != tables.size()) {
    return refused(source,
                   {},
                   fmt::format("the file has {} curves without names, and {} inks are named",
                               tables.size(),
                               inks.size()),
                   "name the inks in their order: --inks cyan,magenta,yellow,black");
  }
  std::vector<InkCurve> curves;
  for (size_t i = 0; i < tables.size(); ++i) {
    curves.push_back({inks[i], points_of(tables[i], options.levels)});
    const std::string mistake = mistake_of(curves.back().points);
    if (!mistake.empty()) {
      return refused(source,
                     {},
                     inks[i] + ": " + mistake,
                     "do the levels mean ink or light? the other one is --levels " +
                         std::string(options.levels == Levels::kInk ? "light" : "ink"));
    }
  }
  return curves;
}

Curves curves_of_photoshop(const std::string& bytes,
                           const std::string& file,
                           const CurveOptions& options) {
  const SourceText source(file, "");
  const bool has_points = is_acv(bytes);
  auto tables = has_points ? parse_acv(bytes) : parse_amp(bytes);
  if (auto* wrong = std::get_if<std::string>(&tables)) return refused(source, {}, *wrong);
  if (options.levels == Levels::kUnknown) {
    return refused(source,
                   {},
                   "files of Photoshop do not say whether level 255 is ink or paper",
                   "say it: --levels ink, or --levels light");
  }
  const auto& all = std::get<std::vector<LevelTable>>(tables);
  return name_tables(source, all, has_points || all.size() == 1, options);
}

std::string end_of_table(size_t sets, const std::string& rows) {
  return fmt::format("NUMBER_OF_SETS {}\nBEGIN_DATA\n{}END_DATA\n", sets, rows);
}

}  // namespace

Curves parse_curves(const std::string& bytes,
                    const std::string& file,
                    const CurveOptions& options) {
  if (is_acv(bytes) || is_amp(bytes)) return curves_of_photoshop(bytes, file, options);
  if (bytes.find(kCurveKey) == std::string::npos) return curves_of_text(bytes, file);
  auto own = parse_curve_file(bytes, file);
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&own)) return std::move(*wrong);
  CurveFile& found = std::get<CurveFile>(own);
  std::string mistake = mistake_of(found.curve.points);
  if (found.curve.cut_off_percent > 0 || found.curve.bump_to_percent > 0) {
    mistake = "the curve has 'cut_off' or 'bump', which other programs do not know";
  }
  if (!mistake.empty()) return refused(SourceText(file, bytes), {}, mistake);
  return std::vector{InkCurve{found.ink, found.curve.points}};
}

Curves load_curves(const std::string& path, const CurveOptions& options) {
  const std::string bytes = manifests::read_text(
      path, "curve file", manifests::Names::kAny, "is it a curve?", kMaxTableBytes);
  return parse_curves(bytes, path, options);
}

std::string cal_text(std::span<const InkCurve> curves) {
  constexpr size_t kRows = 256;
  std::array<std::vector<CurvePoint>, kProcessInks.size()> points;
  for (size_t i = 0; i < points.size(); ++i) points[i] = {{0, 0}, {100, 100}};
  for (const InkCurve& curve : curves) {
    const auto* const ink = std::ranges::find_if(kProcessInks, [&](std::string_view name) {
      return prepress::is_same_ink(name, curve.ink);
    });
    if (ink == kProcessInks.end()) {
      throw Error(ErrorKind::kUnsupported,
                  "a .cal has cyan, magenta, yellow and black, and " + in_quotes(curve.ink) +
                      " is none of them",
                  "write --to cgats");
    }
    points[static_cast<size_t>(ink - kProcessInks.begin())] = curve.points;
  }
  std::string rows;
  for (size_t row = 0; row < kRows; ++row) {
    const double in = static_cast<double>(row) / (kRows - 1);
    rows += fmt::format("{:.7f}", in);
    for (const auto& ink : points) rows += fmt::format(" {:.7f}", value_at(ink, 100 * in) / 100);
    rows += "\n";
  }
  return "CAL\n\nDESCRIPTOR \"Device calibration\"\nORIGINATOR \"mezzotint\"\n"
         "KEYWORD \"DEVICE_CLASS\"\nDEVICE_CLASS \"OUTPUT\"\nKEYWORD \"COLOR_REP\"\n"
         "COLOR_REP \"CMYK\"\n\nKEYWORD \"CMYK_I\"\nNUMBER_OF_FIELDS 5\nBEGIN_DATA_FORMAT\n"
         "CMYK_I CMYK_C CMYK_M CMYK_Y CMYK_K\nEND_DATA_FORMAT\n\n" +
         end_of_table(kRows, rows);
}

std::string cgats_text(std::span<const InkCurve> curves) {
  std::string rows;
  size_t sets = 0;
  for (const InkCurve& curve : curves) {
    for (const CurvePoint& point : curve.points) {
      rows += fmt::format(
          "{}\t\"{}\"\t{:.5f}\t{:.5f}\n", ++sets, curve.ink, point.in_percent, point.out_percent);
    }
  }
  return "CGATS.17\n\nORIGINATOR \"mezzotint\"\nDESCRIPTOR \"Curves: the tone to print of a tone, "
         "in "
         "percent\"\nKEYWORD \"INK\"\nKEYWORD \"NOMINAL\"\nKEYWORD \"OUTPUT\"\n\n"
         "NUMBER_OF_FIELDS 4\nBEGIN_DATA_FORMAT\nSAMPLE_ID INK NOMINAL "
         "OUTPUT\nEND_DATA_FORMAT\n\n" +
         end_of_table(sets, rows);
}

}  // namespace mezzo::curve
