#include "tools/compare/print_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/error.h"
#include "kernels/proof/box_counts.h"
#include "pipeline/report/html_text.h"
#include "pipeline/report/page_png.h"
#include "tools/compare/table.h"

namespace mezzo::compare {
namespace {

/// A picture at its size, and magnified in a window that scrolls with the others.
struct Figures {
  std::string plain, magnified;

  void add(const report::ColourImage& image, const std::string& caption) {
    const std::string uri = report::png_uri(image);
    const auto tag = [&](uint32_t scale) {
      return fmt::format("<img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"Dots in colour of {}\">",
                         uri,
                         image.width_px * scale,
                         image.height_px * scale,
                         caption);
    };
    plain += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", tag(1), caption);
    magnified += fmt::format(
        "<figure><div class=\"window\" tabindex=\"0\" role=\"region\" aria-label=\"{1}, "
        "magnified\">{0}</div><figcaption>{1}</figcaption></figure>\n",
        tag(4),
        caption);
  }
};

/// Of all prints, each set of inks after its contone.
Figures figures_of(const ComparePage& page) {
  Figures figures;
  std::vector<std::string> shown;
  for (const NamedPrint& one : page.prints) {
    const std::string inks = fmt::format("{}", fmt::join(one.print.inks, ", "));
    std::vector<const report::GreyImage*> contone, dots;
    for (const size_t i : one.print.plates) {
      contone.push_back(&page.contones[page.halftones[i].contone].pictures.dots);
      dots.push_back(&page.halftones[i].pictures.dots);
    }
    if (std::ranges::find(shown, inks) == shown.end()) {
      figures.add(colour_dots(one.colours.colours, contone),
                  report::escape_html(fmt::format("{} ({})", page.title, inks)));
      shown.push_back(inks);
    }
    figures.add(colour_dots(one.colours.colours, dots), report::escape_html(one.print.name));
  }
  return figures;
}

std::string scrolled(std::string_view caption, std::string_view kind, const std::string& table) {
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\n"
      "<table{1}>\n<caption>{0}</caption>\n{2}\n</table>\n</div>\n",
      caption,
      kind,
      table);
}

std::string folded(std::string_view summary, std::string_view note, const std::string& table) {
  return fmt::format("<details><summary>{0}</summary>\n<p>{1}</p>\n{2}</details>\n",
                     summary,
                     note,
                     scrolled(summary, "", table));
}

std::string moires(const ComparePage& page) {
  std::string text;
  for (const NamedPrint& one : page.prints) {
    text += fmt::format("{}{}: {}",
                        text.empty() ? "" : "; ",
                        report::escape_html(one.print.name),
                        report::escape_html(moire_text(one.print, one.report)));
  }
  return text;
}

}  // namespace

report::ColourImage colour_dots(const proof::PrintColours& colours,
                                const std::vector<const report::GreyImage*>& inks) {
  MZ_ASSERT(!inks.empty());
  const proof::Neugebauer print(
      proof::on_white(colours), std::min(inks.size(), proof::kMostCounted), 2);
  report::ColourImage image{inks[0]->width_px, inks[0]->height_px, {}};
  std::vector<double> coverage(inks.size());
  for (size_t i = 0; i < inks[0]->pixels.size(); ++i) {
    for (size_t k = 0; k < inks.size(); ++k) coverage[k] = (255 - inks[k]->pixels[i]) / 255.0;
    image.pixels.push_back(proof::srgb_of(print.mix_apart(coverage)));
  }
  return image;
}

std::string print_section(const ComparePage& page) {
  if (page.prints.empty()) return "";
  const Figures figures = figures_of(page);
  const double gain = page.prints[0].gain_um;
  return fmt::format(
      "<section>\n<h2>The inks over each other</h2>\n"
      "<p>The plates of each print on paper, in the usual colours of coated stock{}, against the "
      "page in the same colours. A colour error of 1 dE is just seen side by side; a mean below 2 "
      "looks like its page from reading distance. Grain is what remains of the dots: compare it "
      "between prints of one page. A print that is good in register and bad 2&nbsp;px off needs a "
      "press that holds register.</p>\n{}"
      "<p>Moire of two inks &ndash; {}.</p>\n{}{}"
      "<h3>Dots in colour</h3>\n<p>A pixel of the page is a pixel of the screen; below, four each "
      "way.</p>\n<div class=\"pieces\">\n{}</div>\n<div class=\"magnified\" "
      "data-together>\n{}</div>\n"
      "</section>\n",
      gain > 0 ? fmt::format(" with a dot gain of {:.6g}&nbsp;&micro;m", gain) : "",
      scrolled("Numbers of each print", " class=\"metrics\"", print_metric_table(page)),
      moires(page),
      folded(
          "Pairs of inks",
          "The part of the page where both inks lie, of the part where dots that do not know of "
          "each "
          "other would, and the correlation of their errors: 1 is dot on dot, 0 independent, below "
          "0 dot beside dot.",
          overlap_table(page)),
      folded("Inks out of register",
             fmt::format("Colour error, dE, of {} pieces of the page with these inks moved to the "
                         "right, page and plates alike.",
                         page.prints[0].report.register_tiles),
             register_table(page)),
      figures.plain,
      figures.magnified);
}

}  // namespace mezzo::compare
