#include "manifests/curve/curve_file.h"

#include <algorithm>
#include <utility>

#include "manifests/binder.h"
#include "manifests/press_file.h"
#include "manifests/read_text.h"
#include "stages/files/xxh3.h"

namespace mezzo::curve {
namespace {

using manifests::Binder;
using manifests::BoundMap;
using manifests::YamlNode;

std::string percent_text(double value) {
  return manifests::plain_number(value == 0 ? 0 : value) + "%";  // no -0
}

class CurveReader {
 public:
  explicit CurveReader(Binder& binder) : binder_(binder) {}

  CurveFile read(const YamlNode& root);

 private:
  void read_texts(const BoundMap& bound);
  void read_bump(const BoundMap& bound);
  void check_ends(const BoundMap& bound);
  void check_days(const BoundMap& bound);

  Binder& binder_;
  CurveFile file_;
};

CurveFile CurveReader::read(const YamlNode& root) {
  if (root.kind != YamlNode::Kind::kMap) {
    binder_.complain(
        root.place,
        "a curve file is a map with the keys 'mezzotint-curve', 'kind' and others, found " +
            describe(root));
    return {};
  }
  const auto has = [&](std::string_view key) {
    return std::ranges::find(root.items, key, &YamlNode::key) != root.items.end();
  };
  if ((has("mezzotint") || has("mezzotint-press")) && !has(kCurveKey)) {
    binder_.complain(root.place,
                     "this is a manifest or a press file, and no curve file",
                     "a curve file begins with 'mezzotint-curve: 1'");
    return {};
  }
  const BoundMap bound = binder_.bind(root, manifests::kInCurveFile);
  read_texts(bound);
  PressCurve& curve = file_.curve;
  const auto* kind = bound.get<std::string>("kind");
  if (kind != nullptr && *kind == "plate") curve.kind = PressCurve::Kind::kPlate;
  bound.set("points", curve.points);
  bound.set("cut_off", curve.cut_off_percent);
  if (const auto* solid = bound.get<double>("solid")) file_.solid_percent = *solid;
  read_bump(bound);
  if (!curve.points.empty()) check_ends(bound);
  check_days(bound);
  if (const auto* measures = bound.get<std::vector<CurvePoint>>("measures")) {
    for (const CurvePoint& one : *measures) {
      file_.measures.push_back({one.in_percent, one.out_percent});
    }
  }
  curve.digest = digest_of(curve);
  return std::move(file_);
}

void CurveReader::read_texts(const BoundMap& bound) {
  bound.set("press", file_.press);
  bound.set("ink", file_.ink);
  bound.set("screen", file_.screen);
  bound.set("dpi", file_.dpi);
  bound.set("paper", file_.paper);
  bound.set("made", file_.made);
  bound.set("expires", file_.expires);
  bound.set("target", file_.target);
  bound.set("reason", file_.reason);
  const YamlNode* source = bound.node("source");
  if (source == nullptr) return;
  const BoundMap inside = binder_.bind(*source, manifests::kInCurveSource);
  file_.source.emplace();
  inside.set("file", file_.source->file);
  inside.set("sha256", file_.source->sha256);
}

void CurveReader::read_bump(const BoundMap& bound) {
  const YamlNode* bump = bound.node("bump");
  if (bump == nullptr) return;
  PressCurve& curve = file_.curve;
  const BoundMap inside = binder_.bind(*bump, manifests::kInCurveBump);
  inside.set("from", curve.bump_from_percent);
  inside.set("to", curve.bump_to_percent);
  const auto* to = inside.node("to");
  if (to != nullptr && curve.bump_to_percent == 0) {
    binder_.complain(to->place, "a smallest dot of 0% is none", "leave 'bump' out");
  }
  if (const YamlNode* cut_off = bound.node("cut_off")) {
    binder_.complain(cut_off->key_place,
                     "'cut_off' and 'bump' both say what becomes of light tones",
                     "leave 'cut_off' out: tones below 'from' of 'bump' are not printed");
  }
}

/// Paper stays paper, and solids solid, unless the file says otherwise.
void CurveReader::check_ends(const BoundMap& bound) {
  const std::vector<CurvePoint>& points = file_.curve.points;
  const YamlNode& node = *bound.node("points");
  if (points.front().out_percent != 0) {
    binder_.complain(node.items.front().place,
                     "a curve prints nothing on paper, and its first point is [0%, " +
                         percent_text(points.front().out_percent) + "]",
                     "write [0%, 0%]; for a smallest dot, add 'bump: {from: 0.5%, to: 3%}'");
  }
  const double last = points.back().out_percent;
  if (!file_.solid_percent && last != 100) {
    binder_.complain(
        node.items.back().place,
        "a curve leaves solids solid, and its last point is [100%, " + percent_text(last) +
            "], which would perforate type",
        "write [100%, 100%]; if solids are to have holes, add 'solid: " + percent_text(last) + "'");
  }
  if (file_.solid_percent && last != *file_.solid_percent) {
    binder_.complain(bound.node("solid")->place,
                     "'solid' is " + percent_text(*file_.solid_percent) +
                         ", and the last point makes " + percent_text(last),
                     "both are the dot of a solid");
  }
}

void CurveReader::check_days(const BoundMap& bound) {
  if (file_.made.empty() || file_.expires.empty() || file_.made <= file_.expires) return;
  binder_.complain(bound.node("expires")->place,
                   "the curve expires on " + file_.expires +
                       ", before the day on which it was made, " + file_.made);
}

std::string line(std::string_view key, const std::string& value) {
  return std::string(key) + ": " + value + "\n";
}

std::string text_line(std::string_view key, const std::string& value) {
  return value.empty() ? "" : line(key, manifests::in_double_quotes(value));
}

std::string pair_text(double first, double second) {
  return "  - [" + percent_text(first) + ", " + percent_text(second) + "]\n";
}

}  // namespace

manifests::Checked<CurveFile> parse_curve_file(std::string_view text, const std::string& file) {
  const manifests::SourceText source(file, text);
  manifests::YamlTree tree = parse_yaml(source, "'mezzotint-curve: 1' and a 'kind:'");
  std::vector<Diagnostic> mistakes = std::move(tree.diagnostics);
  CurveFile read;
  if (tree.root) {
    Binder binder(source, mistakes, manifests::kInCurveFile);
    read = CurveReader(binder).read(*tree.root);
  }
  if (!mistakes.empty()) return manifests::in_order(std::move(mistakes));
  return read;
}

manifests::Checked<CurveFile> load_curve_file(const std::string& path) {
  const std::string text = manifests::read_text(
      path, "curve file", manifests::Names::kAny, "it is meant for the curve of one ink");
  return parse_curve_file(text, path);
}

bool is_curve_file(const std::string& path) {
  return manifests::has_top_key(path, kCurveKey);
}

std::string curve_file_text(const CurveFile& file) {
  const PressCurve& curve = file.curve;
  std::string text = line(kCurveKey, "1") + line("kind", std::string(name_of(curve.kind))) +
                     text_line("press", file.press) + text_line("ink", file.ink) +
                     text_line("screen", file.screen) +
                     line("dpi", manifests::plain_number(file.dpi)) +
                     text_line("paper", file.paper);
  if (!file.made.empty()) text += line("made", file.made);
  if (!file.expires.empty()) text += line("expires", file.expires);
  if (file.source) {
    text += "source:\n  " + text_line("file", file.source->file);
    if (!file.source->sha256.empty())
      text += "  " + line("sha256", "\"" + file.source->sha256 + "\"");
  }
  text += text_line("target", file.target) + text_line("reason", file.reason);
  if (curve.cut_off_percent != 0) text += line("cut_off", percent_text(curve.cut_off_percent));
  if (curve.bump_to_percent != 0) {
    text += line("bump",
                 "{from: " + percent_text(curve.bump_from_percent) +
                     ", to: " + percent_text(curve.bump_to_percent) + "}");
  }
  if (file.solid_percent) text += line("solid", percent_text(*file.solid_percent));
  text += "points:\n";
  for (const CurvePoint& point : curve.points) {
    text += pair_text(point.in_percent, point.out_percent);
  }
  if (!file.measures.empty()) text += "measures:\n";
  for (const Measure& measure : file.measures) text += pair_text(measure.nominal, measure.measured);
  return text;
}

std::string digest_of(const PressCurve& curve) {
  std::string text =
      "curve 1 " + std::string(name_of(curve.kind)) + " " + percent_text(curve.cut_off_percent) +
      " " + percent_text(curve.bump_from_percent) + " " + percent_text(curve.bump_to_percent);
  for (const CurvePoint& point : curve.points) {
    text += " " + percent_text(point.in_percent) + ":" + percent_text(point.out_percent);
  }
  files::Xxh3 digest;
  digest.add(text.data(), text.size());
  return digest.hex128();
}

std::string_view name_of(PressCurve::Kind kind) {
  return kind == PressCurve::Kind::kPlate ? "plate" : "press";
}

}  // namespace mezzo::curve
