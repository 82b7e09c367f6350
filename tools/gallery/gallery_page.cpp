#include "tools/gallery/gallery_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "pipeline/report/html_text.h"
#include "pipeline/report/page_png.h"
#include "pipeline/version.h"
#include "tools/gallery/page/assets.h"
#include "tools/wedge/lettering.h"

namespace mezzo::gallery {
namespace {

constexpr uint32_t kZoom = 4;
constexpr uint32_t kDetailPx = 96;  // of the page, magnified
constexpr uint32_t kGap = 8, kLetterZoom = 2;

/// A column of the table.
struct Number {
  std::string_view head, unit, help;
  int digits;
  std::function<double(const ShownMethod&)> value;
};

/// The mean over all inks.
template <auto kMember>
double mean_of(const ShownMethod& shown) {
  double sum = 0;
  for (const quality::Report& report : shown.reports) sum += report.*kMember;
  return sum / static_cast<double>(shown.reports.size());
}

double tone_error(const ShownMethod& shown) {
  double worst = 0;
  for (const quality::Report& report : shown.reports) {
    worst = std::max(worst, 255 * std::abs(report.ink_coverage - report.contone_coverage));
  }
  return worst;
}

std::vector<Number> numbers_of(const Gallery& gallery) {
  std::vector<Number> numbers = {
      {"time",
       "ms",
       "all inks, from samples to bits",
       1,
       [](const ShownMethod& shown) { return 1000 * shown.seconds; }},
      {"seen error", "of 255", "one ink behind the eye", 2, mean_of<&quality::Report::hvs_rms>},
      {"coarse error",
       "of 255",
       "behind a Gaussian of 3 px",
       3,
       mean_of<&quality::Report::gaussian_rms_3>},
      {"sharpness", "SSIM", "structure kept; 1 is all", 3, mean_of<&quality::Report::ssim>},
      {"off in tone", "of 255", "of the piece, the worst ink", 2, tone_error}};
  if (gallery.piece.inks.size() < 2) return numbers;
  const auto colour = [](auto member) {
    return [member](const ShownMethod& shown) { return std::invoke(member, *shown.colours); };
  };
  numbers.push_back({"colour error",
                     "dE",
                     "CIELAB, as seen; 1 is just seen side by side",
                     2,
                     colour(&quality::ColourReport::delta_e)});
  numbers.push_back({"grain", "L*", "light and dark", 2, colour(&quality::ColourReport::grain_l)});
  numbers.push_back(
      {"colour grain", "a*b*", "coloured mottle", 2, colour(&quality::ColourReport::grain_c)});
  numbers.push_back({"ink over ink",
                     "%",
                     "100 is chance, which profiles take for granted",
                     1,
                     [](const ShownMethod& shown) { return 100 * shown.colours->overlap; }});
  return numbers;
}

std::string cell(double value, int digits) {
  return std::isnan(value) ? "&ndash;" : fmt::format("{:.{}f}", value, digits);
}

std::string table_of(const Gallery& gallery) {
  const std::vector<Number> numbers = numbers_of(gallery);
  std::string text = "<thead><tr><th scope=\"col\">Method</th>";
  for (const Number& number : numbers) {
    text += fmt::format("<th scope=\"col\">{} <span class=\"unit\">{}</span><small>{}</small></th>",
                        number.head,
                        number.unit,
                        number.help);
  }
  text += "</tr></thead>\n<tbody>\n";
  for (size_t i = 0; i < gallery.methods.size(); ++i) {
    const ShownMethod& shown = gallery.methods[i];
    text += fmt::format(
        "<tr><th scope=\"row\"><a href=\"#m{}\">{}</a></th>", i, report::escape_html(shown.name));
    for (const Number& number : numbers) {
      text += "<td>" + cell(number.value(shown), number.digits) + "</td>";
    }
    text += "</tr>\n";
  }
  return text + "</tbody>";
}

report::ColourImage cut(const report::ColourImage& image, const Rect& place) {
  report::ColourImage part{place.width_px, place.height_px, {}};
  for (uint32_t y = 0; y < place.height_px; ++y) {
    const auto row = image.pixels.begin() +
                     static_cast<std::ptrdiff_t>(size_t{place.y + y} * image.width_px + place.x);
    part.pixels.insert(part.pixels.end(), row, row + place.width_px);
  }
  return part;
}

Rect detail_of(const report::ColourImage& image) {
  const uint32_t width = std::min(kDetailPx, image.width_px);
  const uint32_t height = std::min(kDetailPx, image.height_px);
  return {(image.width_px - width) / 2, (image.height_px - height) / 2, width, height};
}

std::string image_tag(const report::ColourImage& image, uint32_t zoom, const std::string& alt) {
  return fmt::format("<img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\">",
                     report::png_uri(image),
                     image.width_px * zoom,
                     image.height_px * zoom,
                     alt);
}

std::string figure(const std::string& id,
                   const std::string& name,
                   const std::string& text,
                   const report::ColourImage& image) {
  const std::string escaped = report::escape_html(name);
  return fmt::format(
      "<figure id=\"{}\">\n<figcaption><h2>{}</h2><p>{}</p></figcaption>\n"
      "<div class=\"pair\">{}{}</div>\n</figure>\n",
      id,
      escaped,
      text,
      image_tag(image, 1, escaped + ", dot for dot"),
      image_tag(cut(image, detail_of(image)), kZoom, escaped + ", four times as large"));
}

std::string figures_of(const Gallery& gallery) {
  std::string text = figure("page", "The page", "contone, before it is halftoned", gallery.contone);
  for (size_t i = 0; i < gallery.methods.size(); ++i) {
    const ShownMethod& shown = gallery.methods[i];
    std::string line =
        report::escape_html(shown.summary) + fmt::format(". {:.1f} ms", 1000 * shown.seconds);
    if (shown.colours) {
      line += fmt::format("; colour error {:.2f} dE, grain {:.2f} and {:.2f}",
                          shown.colours->delta_e,
                          shown.colours->grain_l,
                          shown.colours->grain_c);
    } else {
      line += fmt::format("; seen error {:.2f} of 255", mean_of<&quality::Report::hvs_rms>(shown));
    }
    text += figure(fmt::format("m{}", i), shown.name, line, shown.picture);
  }
  return text;
}

/// A picture with space around, and its name below.
void paste(const report::ColourImage& image,
           std::string_view name,
           uint32_t x,
           uint32_t y,
           report::ColourImage& sheet) {
  for (uint32_t row = 0; row < image.height_px; ++row) {
    std::copy_n(
        image.pixels.begin() + static_cast<std::ptrdiff_t>(size_t{row} * image.width_px),
        image.width_px,
        sheet.pixels.begin() + static_cast<std::ptrdiff_t>(size_t{y + row} * sheet.width_px + x));
  }
  const uint32_t fit = image.width_px / (wedge::kLetterPitch * kLetterZoom);
  const std::string_view shown = name.substr(0, fit);
  const uint32_t top = y + image.height_px + kGap / 2;
  for (uint32_t j = 0; j < wedge::kLetterRows * kLetterZoom; ++j) {
    for (uint32_t i = 0; i < wedge::text_columns(shown) * kLetterZoom; ++i) {
      if (wedge::is_ink(shown, i / kLetterZoom, j / kLetterZoom)) {
        sheet.pixels[size_t{top + j} * sheet.width_px + x + i] = {0, 0, 0};
      }
    }
  }
}

}  // namespace

void write_gallery_page(std::ostream& out, const Gallery& gallery) {
  const Rect& place = gallery.piece.place;
  const quality::Viewing& viewing = gallery.conditions.viewing;
  out << report::fill_template(
      assets::kPage,
      {{"version", report::escape_html(kVersion)},
       {"title", report::escape_html(gallery.title)},
       {"count", std::to_string(gallery.methods.size())},
       {"size", fmt::format("{}&nbsp;&times;&nbsp;{}", place.width_px, place.height_px)},
       {"place", fmt::format("column {}, row {}", place.x, place.y)},
       {"inks", report::escape_html(fmt::format("{}", fmt::join(gallery.piece.inks, ", ")))},
       {"threads", gallery.threads == 1 ? "1 thread" : fmt::format("{} threads", gallery.threads)},
       {"budget", fmt::format("{:.3g}", gallery.conditions.budget_s)},
       {"viewing",
        fmt::format("{:.4g}&nbsp;dpi from {:.3g}&nbsp;inches", viewing.dpi, viewing.distance_inch)},
       {"table", table_of(gallery)},
       {"figures", figures_of(gallery)},
       {"style", std::string(assets::kStyle)}});
}

report::ColourImage contact_sheet(const Gallery& gallery, uint32_t across) {
  const uint32_t width = gallery.piece.place.width_px + kGap;
  const uint32_t height =
      gallery.piece.place.height_px + 2 * kGap + wedge::kLetterRows * kLetterZoom;
  const auto count = static_cast<uint32_t>(gallery.methods.size()) + 1;
  const uint32_t columns = std::min(across, count);
  report::ColourImage sheet{
      columns * width + kGap, (count + columns - 1) / columns * height + kGap, {}};
  sheet.pixels.assign(size_t{sheet.width_px} * sheet.height_px, {255, 255, 255});
  for (uint32_t i = 0; i < count; ++i) {
    const bool is_page = i == 0;
    paste(is_page ? gallery.contone : gallery.methods[i - 1].picture,
          is_page ? std::string_view("page") : gallery.methods[i - 1].name,
          kGap + i % columns * width,
          kGap + i / columns * height,
          sheet);
  }
  return sheet;
}

}  // namespace mezzo::gallery
