#include "tools/words/mdoc.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "pipeline/version.h"

namespace mezzo::words {
namespace {

/// The day on which the texts were last written anew. A page says the same whenever it is made.
constexpr const char* kDate = "November 23, 2026";

std::string upper_case(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return upper;
}

/// Prose: nothing of it is taken for a command of roff.
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '\\' ? "\\e" : std::string(1, c);
  return escaped;
}

/// Code: what is copied from the page is what was meant.
std::string literal(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '\\':
        escaped += "\\e";
        break;
      case '-':
        escaped += "\\-";
        break;
      case '\'':
        escaped += "\\(aq";
        break;
      case '`':
        escaped += "\\(ga";
        break;
      case '^':
        escaped += "\\(ha";
        break;
      case '~':
        escaped += "\\(ti";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// As one word of a macro line, though it may have spaces or the name of a macro.
std::string argument(const std::string& escaped) {
  std::string word;
  for (const char c : escaped) word += c == '"' ? "\\(dq" : std::string(1, c);
  const bool may_be_macro = word.size() <= 3 && (std::isupper(word[0]) != 0 || word[0] == '%');
  const bool may_be_mark = word.size() == 1 && std::ispunct(word[0]) != 0;
  if (may_be_macro || may_be_mark) word.insert(0, "\\&");
  return word.find(' ') == std::string::npos ? word : "\"" + word + "\"";
}

/// A long word that may be broken behind its commas.
std::string breakable(const std::string& word) {
  std::string broken;
  for (const char c : word) broken += c == ',' && word.size() > 40 ? ",\\:" : std::string(1, c);
  return broken;
}

/// A line of text in which roff sees no request.
std::string guarded(const std::string& line) {
  return line.starts_with('.') || line.starts_with('\'') ? "\\&" + line : line;
}

bool is_placeholder(std::string_view word) {
  return !word.empty() &&
         std::ranges::all_of(word, [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

bool is_path(std::string_view code) {
  constexpr std::string_view kSuffixes[] = {".yaml", ".tif", ".json", ".html", ".txt", ".jpg"};
  if (code.find_first_of(" {") != std::string_view::npos) return false;
  return code.find('/') != std::string_view::npos ||
         std::ranges::any_of(kSuffixes, [&](auto suffix) { return code.ends_with(suffix); });
}

/// The macro and its words for a piece of code.
std::string macros_of(std::string_view code) {
  const size_t space = std::min(code.find(' '), code.size());
  const std::string_view first = code.substr(0, space);
  const std::string_view rest = code.substr(std::min(space + 1, code.size()));
  if (first.starts_with("-") && first.size() > 1 && (rest.empty() || is_placeholder(rest))) {
    const std::string flag = "Fl " + argument(literal(first.substr(1)));
    return rest.empty() ? flag : flag + " Ar " + argument(std::string(rest));
  }
  const bool is_variable = code.starts_with('$') || code.find('_') != std::string_view::npos;
  std::string word = argument(literal(code));
  if (code.find(' ') == std::string_view::npos) word = breakable(word);
  if (is_path(code)) return "Pa " + word;
  if (is_variable && is_placeholder(code.substr(code.starts_with('$') ? 1 : 0))) {
    return "Ev " + word;
  }
  return (is_placeholder(code) ? "Ar " : "Ic ") + word;
}

/// "name(5)" as a reference; empty when it is none.
std::string reference_of(std::string_view word) {
  const size_t open = word.find('(');
  const bool is_one = open != std::string_view::npos && open > 0 && word.size() == open + 3 &&
                      word.ends_with(')') && std::isdigit(word[open + 1]) != 0;
  if (!is_one) return {};
  return "Xr " + std::string(word.substr(0, open)) + " " + std::string(1, word[open + 1]);
}

/// A word of a text, with the marks around it: "(`--quiet`)," has "(", "`--quiet`" and "),".
struct Word {
  std::string_view before, core, behind;
  std::string macros = {};  ///< of the core; empty for plain words
};

Word word_of(std::string_view text) {
  Word word;
  const size_t begin = std::min(text.find_first_not_of("(["), text.size());
  word.before = text.substr(0, begin);
  word.core = text.substr(begin);
  size_t end = word.core.find_last_not_of(".,:;!?)]") + 1;
  if (reference_of(word.core.substr(0, std::min(end + 1, word.core.size()))) != "") ++end;
  word.behind = word.core.substr(end);
  word.core = word.core.substr(0, end);
  const bool is_code = word.core.size() > 2 && word.core.starts_with('`') &&
                       word.core.find('`', 1) == word.core.size() - 1;
  if (is_code) {
    word.macros = macros_of(word.core.substr(1, word.core.size() - 2));
  } else if (word.core.starts_with("--") && word.core.size() > 2 &&
             word.core.find_first_of("`=") == std::string_view::npos) {
    word.macros = macros_of(word.core);
  } else {
    word.macros = reference_of(word.core);
  }
  return word;
}

/// Words between spaces, code being one.
std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  size_t begin = 0;
  bool in_code = false;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '`') in_code = !in_code;
    if (i < text.size() && ((text[i] != ' ' && text[i] != '\n') || in_code)) continue;
    if (i > begin) words.push_back(word_of(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return words;
}

/// A plain word; code inside of it is bold.
std::string in_line(const Word& word) {
  std::string text(word.before);
  bool in_code = false;
  std::string part;
  for (const char c : std::string(word.core) + "`") {
    if (c != '`') {
      part += c;
      continue;
    }
    text += in_code ? "\\fB" + literal(part) + "\\fR" : plain(part);
    in_code = !in_code;
    part.clear();
  }
  return text + std::string(word.behind);
}

/// The marks as words of their own, as macro lines have them.
std::string apart(std::string_view marks, bool are_before) {
  std::string text;
  for (const char c : marks) {
    text += are_before ? std::string(1, c) + " " : " " + std::string(1, c);
  }
  return text;
}

/// Whether a sentence ends between the words, which is where a line ends.
bool is_end_between(const Word& word, const Word& next) {
  const std::string_view first = next.before.empty() ? next.core : next.before;
  const bool begins = !first.empty() && std::islower(static_cast<unsigned char>(first[0])) == 0;
  return begins && word.behind.ends_with('.') && !word.core.empty() && word.core != "e.g";
}

/// Blocks as lists and paragraphs.
class BodyWriter {
 public:
  std::string write(const Document& document) {
    for (const Block& block : document) add(block);
    end_list();
    return text_;
  }

 private:
  static const char* list_of(BlockKind kind) {
    switch (kind) {
      case BlockKind::kItem:
        return "-bullet -compact";
      case BlockKind::kNumbered:
        return "-enum -compact";
      case BlockKind::kRow:
        return "-tag -width Ds";
      default:
        return nullptr;
    }
  }

  void add(const Block& block) {
    const char* list = list_of(block.kind);
    if (list != list_) {
      end_list();
      if (list != nullptr && block.kind != BlockKind::kRow) text_ += after_heading_ ? "" : ".Pp\n";
      if (list != nullptr) text_ += ".Bl " + std::string(list) + "\n";
      list_ = list;
    }
    switch (block.kind) {
      case BlockKind::kHeading:
        text_ += mdoc_section(block.text);
        break;
      case BlockKind::kSubheading:
        text_ += ".Ss " + mdoc_words(block.text) + "\n";
        break;
      case BlockKind::kLiteral:
        add_literal(block.text);
        break;
      case BlockKind::kRow:
        text_ += ".It " + mdoc_words(block.term) + "\n" + mdoc_text(block.text);
        break;
      case BlockKind::kParagraph:
        text_ += (after_heading_ ? "" : ".Pp\n") + mdoc_text(block.text);
        break;
      default:
        text_ += ".It\n" + mdoc_text(block.text);
    }
    after_heading_ = block.kind == BlockKind::kHeading || block.kind == BlockKind::kSubheading;
  }

  void add_literal(std::string_view lines) {
    text_ += ".Bd -literal -offset indent\n";
    while (!lines.empty()) {
      const size_t end = std::min(lines.find('\n'), lines.size());
      text_ += guarded(literal(lines.substr(0, end))) + "\n";
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    text_ += ".Ed\n";
  }

  void end_list() {
    if (list_ != nullptr) text_ += ".El\n";
    list_ = nullptr;
  }

  std::string text_;
  const char* list_ = nullptr;
  bool after_heading_ = true;
};

}  // namespace

std::string mdoc_head(std::string_view name, int section, std::string_view summary) {
  std::string text = std::string(".Dd ") + kDate + "\n.Dt " + upper_case(name) + " " +
                     std::to_string(section) + "\n.Os mezzotint " + kVersion + "\n";
  text += mdoc_section("Name") + ".Nm " + std::string(name) + "\n.Nd ";
  return text + plain(summary) + "\n";
}

std::string mdoc_body(const Document& document) {
  return BodyWriter().write(document);
}

std::string mdoc_section(std::string_view title) {
  std::string text = upper_case(title);
  std::erase(text, '`');
  return ".Sh " + plain(text) + "\n";
}

std::string mdoc_text(std::string_view text) {
  std::string lines, line;
  const auto end_line = [&] {
    if (!line.empty()) lines += guarded(line) + "\n";
    line.clear();
  };
  const std::vector<Word> words = words_of(text);
  for (size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    if (word.macros.empty()) {
      line += (line.empty() ? "" : " ") + in_line(word);
      if (i + 1 < words.size() && is_end_between(word, words[i + 1])) end_line();
      continue;
    }
    end_line();
    const std::string_view macros = word.macros;
    lines += "." + std::string(macros.substr(0, 3)) + apart(word.before, true) +
             std::string(macros.substr(3)) + apart(word.behind, false) + "\n";
  }
  end_line();
  return lines;
}

std::string mdoc_command_line(std::string_view line) {
  return ".Dl $ " + literal(line) + "\n";
}

std::string mdoc_words(std::string_view text) {
  std::string words;
  bool after_macro = false;
  for (const Word& word : words_of(text)) {
    const bool is_macro = !word.macros.empty();
    words += words.empty() ? "" : " ";
    if (is_macro) {
      words += word.macros + apart(word.behind, false);
    } else {
      words += (after_macro ? "No " : "") + argument(in_line(word));
    }
    after_macro = is_macro;
  }
  return words;
}

}  // namespace mezzo::words
