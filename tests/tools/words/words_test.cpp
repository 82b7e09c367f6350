// Texts from Markdown to a terminal and to mdoc.
#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "tools/words/document.h"
#include "tools/words/mdoc.h"
#include "tools/words/pages.h"
#include "tools/words/terminal_text.h"

namespace mezzo::words::words_test {
namespace {

constexpr const char* kPage = R"(# Title

One [link](x.md), two
lines of *text* and `*.tif`.

## Lists

- first `a-b`,
  continued
- second
1. one

| key | value |
|---|---|
| `a`, `b` | see [manifests](../manifests/README.md) |

    code --here

    more
End.
)";

TEST(Document, HasTheBlocksOfAPageOfMarkdown) {
  const Document page = parse_markdown(kPage);
  const std::vector<std::pair<BlockKind, std::string>> expected = {
      {BlockKind::kHeading, "Title"},
      {BlockKind::kParagraph, "One link, two lines of text and `*.tif`."},
      {BlockKind::kHeading, "Lists"},
      {BlockKind::kItem, "first `a-b`, continued"},
      {BlockKind::kItem, "second"},
      {BlockKind::kNumbered, "one"},
      {BlockKind::kRow, "see manifests (mezzotint-manifest(5))"},
      {BlockKind::kLiteral, "code --here\n\nmore"},
      {BlockKind::kParagraph, "End."},
  };
  std::vector<std::pair<BlockKind, std::string>> found;
  for (const Block& block : page) found.emplace_back(block.kind, block.text);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(page[6].term, "`a`, `b`");
}

TEST(Document, HasPartsByTheirHeadings) {
  const Document page = parse_markdown(kPage);
  EXPECT_EQ(beginning_of(page).size(), 1U);
  EXPECT_EQ(part_of(page, "Lists").front().text, "first `a-b`, continued");
  EXPECT_THROW(part_of(page, "Lost"), Error);
}

TEST(TerminalText, IsWrappedAndHasColumns) {
  EXPECT_EQ(terminal_text(parse_markdown(kPage)), R"(Title:

One link, two lines of text and `*.tif`.

Lists:

- first `a-b`, continued
- second
1. one

  a, b  see manifests (mezzotint-manifest(5))

    code --here

    more

End.
)");
}

TEST(Mdoc, SaysWhatCodeIs) {
  EXPECT_EQ(mdoc_text("Give `--dry-run` or (`-q`), and --json."),
            "Give\n.Fl \\-dry\\-run\nor\n.Fl ( q ) ,\nand\n.Fl \\-json .\n");
  EXPECT_EQ(mdoc_text("`--journal FILE`, `plates/a.tif`, `TZ` and `$HOME`"),
            ".Fl \\-journal Ar FILE ,\n.Pa plates/a.tif ,\n.Ar \\&TZ\nand\n.Ev $HOME\n");
  EXPECT_EQ(mdoc_text("see mezzotint-run(1)."), "see\n.Xr mezzotint-run 1 .\n");
  EXPECT_EQ(mdoc_text("`output: {path: \"a\"}`"), ".Ic \"output: {path: \\(dqa\\(dq}\"\n");
}

TEST(Mdoc, LetsRoffTakeNoTextForARequest) {
  EXPECT_EQ(mdoc_text(".work is hidden"), "\\&.work is hidden\n");
  EXPECT_EQ(mdoc_text("'quoted' \\ text"), "\\&'quoted' \\e text\n");
  EXPECT_EQ(mdoc_text("`No` and `.`"), ".Ic \\&No\nand\n.Ic \\&.\n");
  EXPECT_EQ(mdoc_words("An option"), "\\&An option");
}

TEST(Mdoc, EndsALineWithTheSentence) {
  EXPECT_EQ(mdoc_text("One. Two, e.g. 3 of Kasagi et al. here."),
            "One.\nTwo, e.g. 3 of Kasagi et al. here.\n");
}

TEST(Mdoc, SortsReferences) {
  EXPECT_EQ(see_also_section({"b(5)", "c(1)", "a(5)"}),
            ".Sh SEE ALSO\n.Xr c 1 ,\n.Xr a 5 ,\n.Xr b 5\n");
}

}  // namespace
}  // namespace mezzo::words::words_test
