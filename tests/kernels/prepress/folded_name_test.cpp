#include "kernels/prepress/folded_name.h"

#include <gtest/gtest.h>
#include <utf8proc.h>

#include <string>

#include "tests/support/effort.h"

namespace mezzo::test::folded_name_test {
namespace {

constexpr char kComposed[] = "Gr\u00FCn", kDecomposed[] = "Gru\u0308n";

std::string utf8(char32_t c) {
  utf8proc_uint8_t bytes[4];
  const auto n = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes);
  return {reinterpret_cast<const char*>(bytes), static_cast<size_t>(n)};
}

std::string in_form(const std::string& text, int form) {
  utf8proc_uint8_t* made = nullptr;
  const auto n = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                              static_cast<utf8proc_ssize_t>(text.size()),
                              &made,
                              static_cast<utf8proc_option_t>(UTF8PROC_STABLE | form));
  std::string result(reinterpret_cast<const char*>(made), static_cast<size_t>(n));
  free(made);
  return result;
}

TEST(FoldedName, IgnoresCaseAndTheFormOfUnicode) {
  EXPECT_EQ(prepress::folded_name("Cover_K.TIF"), "cover_k.tif");
  EXPECT_EQ(prepress::folded_name(kComposed), prepress::folded_name(kDecomposed));
  EXPECT_EQ(prepress::folded_name("GR\u00DCN"), prepress::folded_name(kDecomposed));
  EXPECT_EQ(prepress::folded_name("Wei\u00DF"), prepress::folded_name("WEISS"));
  EXPECT_EQ(prepress::folded_name("\u03A3\u03A3"),
            prepress::folded_name("\u03C3\u03C2"));  // both small sigmas
  EXPECT_EQ(prepress::folded_name("so\u00ADft"), prepress::folded_name("soft"));
  EXPECT_NE(prepress::folded_name("cover"), prepress::folded_name("c\u00F6ver"));
  EXPECT_NE(prepress::folded_name("\u0131"),
            prepress::folded_name("I"));  // the dotless i is a letter of its own
}

TEST(FoldedName, TellsCaseApartInTexts) {
  EXPECT_EQ(prepress::folded_name(kComposed, prepress::Alike::kAsText),
            prepress::folded_name(kDecomposed, prepress::Alike::kAsText));
  EXPECT_NE(prepress::folded_name("Cover", prepress::Alike::kAsText),
            prepress::folded_name("cover", prepress::Alike::kAsText));
  EXPECT_EQ(prepress::folded_name("Gr\xFCn", prepress::Alike::kAsText), "Gr\xFCn");
}

TEST(FoldedName, TakesLookAlikesForOneAmongWordsOnly) {
  EXPECT_NE(prepress::folded_name("A\u00B2"), prepress::folded_name("a2"));
  EXPECT_EQ(prepress::folded_name("A\u00B2", prepress::Alike::kAsWords),
            prepress::folded_name("a2", prepress::Alike::kAsWords));
  EXPECT_EQ(prepress::folded_name("\uFF23\uFF39\uFF21\uFF2E", prepress::Alike::kAsWords), "cyan");
  EXPECT_EQ(prepress::folded_name("dark\u00A0red", prepress::Alike::kAsWords), "dark red");
}

TEST(FoldedName, ComparesBytesThatAreNotUtf8AsTheyAre) {
  EXPECT_EQ(prepress::folded_name("Gr\xFCn"), "gr\xFCn");
  EXPECT_NE(prepress::folded_name("gr\xFCn"), prepress::folded_name("gr\xDCn"));
  EXPECT_EQ(prepress::folded_name("\xC3"), "\xC3");
  EXPECT_EQ(prepress::folded_name("\xED\xA0\x80"), "\xED\xA0\x80");  // a surrogate
  EXPECT_EQ(prepress::folded_name(""), "");
  EXPECT_EQ(prepress::folded_name(std::string("a\0\u00C4", 4)), std::string("a\0a\u0308", 5));
}

/// Whether Unicode has a character here, which is not one of those for private use.
bool is_assigned(char32_t c) {
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return category != UTF8PROC_CATEGORY_CN && category != UTF8PROC_CATEGORY_CO;
}

TEST(FoldedName, IsOneForAllFormsOfEachCharacter) {
  for (char32_t c = 1; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    if (!effort::full() && !is_assigned(c) && c % 64 != 0) continue;  // all of them have one form
    const std::string text = "x" + utf8(c) + "\u0301";
    for (const prepress::Alike alike : {prepress::Alike::kAsFiles, prepress::Alike::kAsWords}) {
      const std::string folded = prepress::folded_name(text, alike);
      ASSERT_EQ(prepress::folded_name(folded, alike), folded)
          << std::hex << static_cast<uint32_t>(c);
      for (const int form : {UTF8PROC_COMPOSE, UTF8PROC_DECOMPOSE}) {
        ASSERT_EQ(prepress::folded_name(in_form(text, form), alike), folded)
            << std::hex << static_cast<uint32_t>(c);
      }
    }
  }
}

TEST(FoldedName, SaysHowNamesDiffer) {
  EXPECT_EQ(prepress::difference_of_names("A.tif", "a.tif"), "in upper and lower case alone");
  EXPECT_EQ(prepress::difference_of_names(kComposed, kDecomposed),
            "in the form of Unicode alone (NFC, NFD)");
  EXPECT_EQ(prepress::difference_of_names("GR\u00DCN", kDecomposed),
            "in case or in the form of Unicode alone");
}

}  // namespace
}  // namespace mezzo::test::folded_name_test
