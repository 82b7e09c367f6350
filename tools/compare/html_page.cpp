#include "tools/compare/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "kernels/base/error.h"
#include "manifests/json/value.h"
#include "pipeline/report/html_text.h"
#include "pipeline/report/page_png.h"
#include "pipeline/version.h"
#include "stages/files/sha256.h"
#include "tools/compare/page/assets.h"
#include "tools/compare/print_section.h"
#include "tools/compare/table.h"

namespace mezzo::compare {
namespace {

using quality::Report;

/// The data of the charts. A value that a chart cannot show is null.
std::string chart_data(const ComparePage& page) {
  json::Value::List names, spectra, tones;
  for (const auto& [name, contone, viewing, report, pictures] : page.halftones) {
    names.emplace_back(name);
    json::Value::List rings, levels;
    for (const Report::Ring& ring : report.spectrum) {
      const double db = 10 * std::log10(ring.power);  // of no power: -infinity, which becomes null
      rings.emplace_back(std::vector{ring.frequency, db, ring.anisotropy_db});
    }
    for (const Report::Tone& tone : report.tones) {
      levels.emplace_back(json::Value::List{tone.level, 100 * (tone.got - tone.asked)});
    }
    spectra.emplace_back(std::move(rings));
    tones.emplace_back(std::move(levels));
  }
  // A name may hold anything, "</script>" and bytes that are not UTF-8 included.
  std::string text;
  for (const char c : json::to_text({{"names", names}, {"spectra", spectra}, {"tones", tones}})) {
    c == '<' ? text += "\\u003c" : text += c;
  }
  return text;
}

struct Picture {
  std::string_view box;  ///< class of an element around the picture, or none
  const report::GreyImage& image;
  uint32_t scale = 1;
  std::string alt;      ///< escaped
  std::string caption;  ///< escaped
};

std::string figure(const Picture& picture) {
  const std::string image = fmt::format("<img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\">",
                                        report::png_uri(picture.image),
                                        uint64_t{picture.image.width_px} * picture.scale,
                                        uint64_t{picture.image.height_px} * picture.scale,
                                        picture.alt);
  const std::string box =
      picture.box.empty()
          ? image
          : fmt::format(
                "<div class=\"{}\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">{}</div>",
                picture.box,
                picture.alt,
                image);
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", box, picture.caption);
}

/// A picture of a plane, and its form on the page.
struct Which {
  report::GreyImage PagePictures::*picture;
  std::string_view what;
  uint32_t scale = 1;
  std::string_view box = "";
};

std::string figure_of(const Which& which,
                      const PagePictures& pictures,
                      std::string_view kind,
                      const std::string& name) {
  const std::string escaped = report::escape_html(name);
  return figure({which.box,
                 pictures.*which.picture,
                 which.scale,
                 fmt::format("{} of the {} {}", which.what, kind, escaped),
                 kind == "contone" ? escaped + " (contone)" : escaped});
}

/// The same picture of each contone and of its halftones.
std::string figures(const ComparePage& page, const Which& which) {
  std::string text;
  for (size_t i = 0; i < page.contones.size(); ++i) {
    text += figure_of(which, page.contones[i].pictures, "contone", page.contones[i].name);
    for (const auto& halftone : page.halftones) {
      if (halftone.contone != i) continue;
      text += figure_of(which, halftone.pictures, "halftone", halftone.name);
    }
  }
  return text;
}

std::string viewing_text(const quality::Viewing& viewing) {
  return fmt::format(
      "from {:.3g}&nbsp;inches at {:.4g}&nbsp;dpi", viewing.distance_inch, viewing.dpi);
}

bool seen_alike(const ComparePage& page) {
  return std::ranges::all_of(page.halftones, [&](const auto& halftone) {
    return viewing_text(halftone.viewing) == viewing_text(page.halftones[0].viewing);
  });
}

/// "from 11.7 inches at 300 dpi", or that of each halftone.
std::string viewings(const ComparePage& page) {
  if (seen_alike(page)) return viewing_text(page.halftones[0].viewing);
  std::string text;
  for (const auto& halftone : page.halftones) {
    text += fmt::format("{}{} ({})",
                        text.empty() ? "" : ", ",
                        viewing_text(halftone.viewing),
                        report::escape_html(halftone.name));
  }
  return text;
}

struct Chart {
  std::string_view id;
  std::string_view label;
  std::string_view caption;  ///< HTML
};

std::string chart(const Chart& chart) {
  return fmt::format(
      "<figure class=\"chart\"><div id=\"{}\" role=\"img\" "
      "aria-label=\"{}\"></div><figcaption>{}</figcaption></figure>\n",
      chart.id,
      chart.label,
      chart.caption);
}

std::string numbers_behind(std::string_view label, const std::string& table) {
  return fmt::format(
      "<details><summary>The numbers behind the chart{0}</summary>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{1}\"><table>"
      "<caption>{1}</caption>{2}</table></div></details>\n",
      label == "Spectrum" ? "s" : "",
      label,
      table);
}

std::string spectrum_section(const ComparePage& page) {
  const bool none = std::ranges::all_of(
      page.halftones, [](const auto& halftone) { return halftone.report.spectrum.empty(); });
  if (none) {
    return "<p>There is none: no piece of 256&nbsp;&times;&nbsp;256 pixels is flat enough, or the "
           "page is smaller.</p>\n";
  }
  std::string power =
      "Power of the flattest pieces of 256&nbsp;&times;&nbsp;256 pixels, averaged over rings of "
      "equal frequency; 0&nbsp;dB is white noise of the same tone. A good halftone has little "
      "power "
      "at low frequencies, which the eye sees best";
  if (seen_alike(page)) {
    const quality::Viewing& viewing = page.halftones[0].viewing;
    power += fmt::format(
        "; 0.1&nbsp;cycles per pixel are {:.1f}&nbsp;cycles per degree at this distance",
        0.1 * viewing.dpi * viewing.distance_inch * std::numbers::pi / 180);
  }
  return chart({"power", "Chart: radially averaged power over frequency", power + "."}) +
         chart({"anisotropy",
                "Chart: anisotropy over frequency",
                "How much the power of a ring depends on direction: the lower the better, as rows, "
                "columns and grids stand out. Noise without direction has &minus;10&nbsp;log<sub>10"
                "</sub>&nbsp;n&nbsp;dB, where n pieces were flat enough: at most 64, or "
                "&minus;18&nbsp;dB."}) +
         numbers_behind("Spectrum", spectrum_table(page));
}

std::string tone_section(const ComparePage& page) {
  return chart({"tones",
                "Chart: coverage got minus coverage asked, over the level of ink",
                "Coverage put down minus coverage asked for, over the pixels of each level of the "
                "contone; 0 is right. Levels with few pixels scatter. <span class=\"screen\">A "
                "click on a name above hides "
                "its line.</span>"}) +
         numbers_behind("Tone", tone_table(page));
}

std::string preview_note(uint32_t scale) {
  if (scale == 1) {
    return "Blurred with a Gaussian of 1.5&nbsp;pixels, as the eye does from afar.";
  }
  return fmt::format(
      "Scaled down {0} times and blurred: a pixel here is the mean of about "
      "{0}&nbsp;&times;&nbsp;{0} pixels of the page and their neighbours.",
      scale);
}

/// As a Content-Security-Policy names a script, to the byte, that may run.
std::string source_of(const std::string& script) {
  files::Sha256 digest;
  digest.add(script.data(), script.size());
  const std::array<uint8_t, 32> sum = digest.value();
  const std::string_view bytes(reinterpret_cast<const char*>(sum.data()), sum.size());
  return "'sha256-" + report::base64(bytes) + "'";
}

std::string size_text(uint32_t width_px, uint32_t height_px) {
  return fmt::format("{}&nbsp;&times;&nbsp;{}", width_px, height_px);
}

}  // namespace

PagePictures pictures_of(const PageImages& images, size_t place) {
  return {images.preview(), images.piece(place), images.corner()};
}

void write_compare_page(std::ostream& out, const ComparePage& page) {
  MZ_ASSERT(!page.halftones.empty() && !page.contones.empty());
  const size_t count = page.halftones.size();
  const Rect& dots = page.dots;
  const report::GreyImage& corner = page.contones[0].pictures.corner;
  const std::string script = fmt::format("\n{}\n", assets::kScript);
  const std::string chart_script =
      fmt::format("\n/*\n{}*/\n{}\n", assets::kChartLicence, assets::kChartScript);
  out << report::fill_template(
      assets::kPage,
      {{"version", report::escape_html(kVersion)},
       {"title", report::escape_html(page.title)},
       {"count", count == 1 ? "1 halftone" : fmt::format("{} halftones", count)},
       {"size", size_text(page.width_px, page.height_px) + "&nbsp;pixels"},
       {"viewing", viewings(page)},
       {"metrics", metric_table(page)},
       {"print", print_section(page)},
       {"spectrum", spectrum_section(page)},
       {"tone", tone_section(page)},
       {"preview_note", preview_note(page.preview_scale)},
       {"previews", figures(page, {&PagePictures::preview, "The whole page, blurred,"})},
       {"dots_note",
        fmt::format("{} pixels from column {}, row {} of the page; a pixel of the page is a pixel "
                    "of the screen.",
                    size_text(dots.width_px, dots.height_px),
                    dots.x,
                    dots.y)},
       {"dots", figures(page, {&PagePictures::dots, "Dots at full size"})},
       {"magnified",
        figures(page, {&PagePictures::dots, "Dots magnified three times", 3, "window"})},
       {"corner", size_text(corner.width_px, corner.height_px)},
       {"corners", figures(page, {&PagePictures::corner, "Top left corner", 3, "window"})},
       {"data", chart_data(page)},
       {"style", std::string(assets::kStyle)},
       {"script", script},
       {"chart_style", std::string(assets::kChartStyle)},
       {"chart_script", chart_script},
       {"allowed_scripts", source_of(chart_script) + " " + source_of(script)}});
}

}  // namespace mezzo::compare
