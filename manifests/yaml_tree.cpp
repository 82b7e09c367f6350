#include "manifests/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <sstream>

namespace mezzo::manifests {
namespace {

/// Leaves yaml-cpp's parser in the middle of a document.
struct Stop : std::exception {
  explicit Stop(Diagnostic d) : diagnostic(std::move(d)) {}
  const char* what() const noexcept override { return "the manifest is refused"; }
  Diagnostic diagnostic;
};

Place place_of(const YAML::Mark& mark) {
  if (mark.line < 0 || mark.column < 0) return {};
  return {static_cast<uint32_t>(mark.line) + 1, static_cast<uint32_t>(mark.column) + 1};
}

/// Whether a quoted text has its closing quote on the line on which it begins. The library itself
/// lets some texts end with the manifest.
bool is_closed(std::string_view written) {
  const char quote = written[0];
  if (quote != '"' && quote != '\'') return true;
  for (size_t i = 1; i < written.size(); ++i) {
    if (quote == '"' && written[i] == '\\') {
      ++i;
    } else if (written[i] == quote) {
      if (quote == '"' || i + 1 == written.size() || written[i + 1] != quote) return true;
      ++i;
    }
  }
  return false;
}

/// The '-' of an empty list entry. For such an entry the library gives the place of the next token.
Place place_of_empty_entry(const SourceText& source, Place place) {
  for (uint32_t number = place.line; number >= 1; --number) {
    std::string_view line = source.line(number);
    if (number == place.line) line = line.substr(0, place.column - 1);
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string_view::npos || line[first] == '#') continue;
    const size_t last = line.find_last_not_of(' ');
    if (line[last] != '-') break;
    return {number, static_cast<uint32_t>(last) + 1};
  }
  return place;
}

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const SourceText& source, YamlTree& tree) : source_(source), tree_(tree) {}

  /// Texts that go on over several lines. They are mistakes of their own only when the parser
  /// found no other: a wrong indentation looks like this too.
  std::vector<Diagnostic> folded_texts;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (wants_key()) stop(place_of(mark), "a key is missing here", "write it as 'key: value'");
    add(place_of(mark), YamlNode::Kind::kNull);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    if (wants_key()) stop(place_of(mark), "an alias ('*') cannot be a key of a manifest");
    complain(place_of(mark),
             "aliases ('*name') are not allowed in a manifest",
             "write the value here, or under 'defaults' when all pages share it");
    add(place_of(mark), YamlNode::Kind::kNull).is_refused = true;
  }

  void OnAnchor(const YAML::Mark& mark, const std::string&) override {
    complain(place_of(mark),
             "anchors ('&name') are not allowed in a manifest",
             "what all pages share goes under 'defaults'");
  }

  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& text) override {
    const Place place = place_of(mark);
    check_text(place, text);
    const std::string_view written = source_.at(place);
    const bool is_quoted = tag == "!" && !written.empty() && written[0] != '!';
    if (!is_quoted && tag != "?") refuse_tag(place);
    if (tag == "?" && anchor == 0 && !written.starts_with(text)) refuse_folded(place);
    if (is_quoted && !is_closed(written)) {
      stop(place,
           "the quoted text that begins here does not end on its line",
           "add the closing quote");
    }
    if (wants_key()) return add_key(place, text, is_quoted);
    YamlNode& node = add(place, YamlNode::Kind::kText);
    node.is_quoted = is_quoted;
    node.text = text;
  }

  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& tag,
                       YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(place_of(mark), tag, YamlNode::Kind::kList);
  }
  void OnSequenceEnd() override { open_.pop_back(); }

  void OnMapStart(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(place_of(mark), tag, YamlNode::Kind::kMap);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  struct Open {
    YamlNode* node;  // stays where it is while it is open: only the innermost vector grows
    bool has_key = false;
    std::string key = {};
    Place key_place = {};
    bool is_refused = false;  // the value that follows is not kept
  };

  [[noreturn]] void stop(Place place, std::string message, std::string hint = {}) {
    throw Stop(source_.diagnostic(place, std::move(message), std::move(hint)));
  }

  void complain(Place place, std::string message, std::string hint) {
    tree_.diagnostics.push_back(source_.diagnostic(place, std::move(message), std::move(hint)));
  }

  void refuse_tag(Place place) {
    complain(place, "tags ('!name') are not allowed in a manifest", "leave the tag out");
  }

  void refuse_folded(Place place) {
    folded_texts.push_back(source_.diagnostic(
        place,
        "the text that begins here goes on in the next line, and it must stand on one line",
        "check the indentation of the next line"));
  }

  void count_node(Place place) {
    if (++nodes_ <= kMaxYamlNodes) return;
    stop(place,
         "the manifest has more than " + std::to_string(kMaxYamlNodes) +
             " keys and values, which is the limit",
         "split the job, or name folders and patterns instead of files");
  }

  void check_text(Place place, const std::string& text) {
    if (text.size() > kMaxYamlTextBytes) {
      stop(place,
           "a text here has " + std::to_string(text.size()) + " bytes, and the limit is " +
               std::to_string(kMaxYamlTextBytes));
    }
    if (text.find('\n') != std::string::npos) {
      stop(place,
           "a text here holds a line break, and it must stand on one line",
           "write it as plain or quoted text");
    }
    if (!is_clean_text(text)) {
      stop(place,
           "a text here holds a control character, and must be plain text",
           "look for a backslash, which begins an escape between double quotes");
    }
  }

  bool wants_key() const {
    return !open_.empty() && open_.back().node->kind == YamlNode::Kind::kMap &&
           !open_.back().has_key;
  }

  void add_key(Place place, const std::string& text, bool is_quoted) {
    count_node(place);
    Open& map = open_.back();
    if (map.node->items.size() >= kMaxYamlKeys) {
      stop(place,
           "this map has more than " + std::to_string(kMaxYamlKeys) + " keys, which is the limit");
    }
    const auto same = std::ranges::find(map.node->items, text, &YamlNode::key);
    map.is_refused = true;
    if (same != map.node->items.end()) {
      complain(place,
               "the key " + in_quotes(text) + " is given a second time",
               "it is in line " + std::to_string(same->key_place.line) +
                   " already; keep one of the two");
    } else if (text == "<<" && !is_quoted) {
      complain(place,
               "merge keys ('<<') are not allowed in a manifest",
               "what all pages share goes under 'defaults'");
    } else {
      map.is_refused = false;
    }
    map.has_key = true;
    map.key = text;
    map.key_place = place;
  }

  /// A place for the next node: in the innermost list or map, or the root.
  YamlNode& add(Place place, YamlNode::Kind kind) {
    count_node(place);
    if (open_.empty()) {
      tree_.root.emplace();
      tree_.root->kind = kind;
      tree_.root->place = place;
      return *tree_.root;
    }
    Open& parent = open_.back();
    YamlNode& node = parent.node->items.emplace_back();
    node.kind = kind;
    node.place = place;
    node.is_refused = parent.is_refused;
    if (parent.has_key) {
      node.key = parent.key;
      node.key_place = parent.key_place;
      // For a missing value yaml-cpp gives the place of the next token.
      if (kind == YamlNode::Kind::kNull) node.place = node.key_place;
    } else if (kind == YamlNode::Kind::kNull) {
      node.place = place_of_empty_entry(source_, place);
    }
    parent.has_key = false;
    parent.is_refused = false;
    return node;
  }

  void open(Place place, const std::string& tag, YamlNode::Kind kind) {
    if (wants_key()) {
      stop(place,
           "a key must be a word, found a list or a map",
           "text that begins with '{' or '[' needs quotes");
    }
    if (open_.size() >= kMaxYamlDepth) {
      stop(place,
           "lists and maps are nested more than " + std::to_string(kMaxYamlDepth) +
               " deep here, which is the limit");
    }
    if (tag != "?" && !tag.empty()) refuse_tag(place);
    open_.push_back({.node = &add(place, kind)});
  }

  const SourceText& source_;
  YamlTree& tree_;
  std::vector<Open> open_;
  size_t nodes_ = 0;
};

/// Stops at the start of any document: the one that a manifest holds has been read.
class NoSecondDocument final : public YAML::EventHandler {
 public:
  NoSecondDocument(const SourceText& source, const YamlTree& tree) : source_(source), tree_(tree) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    const Place place = place_of(mark);
    const std::string_view written = source_.at(place);
    if (written.starts_with("---")) {
      throw Stop(source_.diagnostic(place,
                                    "a second document begins here, and a manifest is one document",
                                    "put the second job into a file of its own"));
    }
    const std::string found = in_quotes(written.substr(0, 1));
    throw Stop(source_.diagnostic(
        place,
        tree_.root && tree_.root->kind != YamlNode::Kind::kNull
            ? found + " is not expected here, after the end of the manifest"
            : found + " is not expected here, at the beginning of the manifest"));
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&,
                const std::string&,
                YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&,
                       const std::string&,
                       YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&,
                  const std::string&,
                  YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  const SourceText& source_;
  const YamlTree& tree_;
};

struct Explanation {
  std::string_view library;  // message of yaml-cpp, or its beginning
  std::string_view message;
  std::string_view hint;
};

constexpr std::string_view kCheckIndentation =
    "check the indentation of this line and of the line above";
constexpr std::string_view kUseQuotes = "put the text in quotes";

// A text that begins with a brace is the commonest reason for an unexpected end of a map.
const Explanation kExplanations[] = {
    {YAML::ErrorMsg::END_OF_MAP,
     "a key was expected here, like 'key: value'",
     "check the indentation; a text that begins with '{', '[' or a quote needs quotes around all "
     "of it"},
    {YAML::ErrorMsg::END_OF_SEQ,
     "a list entry was expected here, like '- value'",
     kCheckIndentation},
    {YAML::ErrorMsg::END_OF_MAP_FLOW, "a '}' or a ',' was expected before this", ""},
    {YAML::ErrorMsg::END_OF_SEQ_FLOW, "a ']' or a ',' was expected before this", ""},
    {YAML::ErrorMsg::FLOW_END, "this bracket closes nothing", "delete it, or open it before"},
    {YAML::ErrorMsg::BLOCK_ENTRY, "a list entry is not expected here", kCheckIndentation},
    {YAML::ErrorMsg::MAP_KEY, "a key is not expected here", kCheckIndentation},
    {YAML::ErrorMsg::MAP_VALUE,
     "this ':' is not expected here",
     "check the indentation, and whether the line above lacks its ':'; a text with ': ' in it "
     "needs quotes"},
    {YAML::ErrorMsg::UNKNOWN_TOKEN, "a text cannot begin with this character", kUseQuotes},
    {YAML::ErrorMsg::EOF_IN_SCALAR,
     "the manifest ends inside a quoted text",
     "add the closing quote"},
    {YAML::ErrorMsg::DOC_IN_SCALAR,
     "a new document begins inside a quoted text",
     "add the closing quote"},
    {YAML::ErrorMsg::INVALID_ESCAPE,
     "this escape is not known between double quotes",
     "use single quotes, or write every backslash twice"},
    {YAML::ErrorMsg::INVALID_HEX,
     "this escape wants hexadecimal digits",
     "use single quotes, or write every backslash twice"},
    {YAML::ErrorMsg::INVALID_UNICODE,
     "this escape is not a Unicode character",
     "use single quotes, or write every backslash twice"},
    {YAML::ErrorMsg::UNKNOWN_ANCHOR, "aliases ('*name') are not allowed in a manifest", kUseQuotes},
    {YAML::ErrorMsg::ALIAS_NOT_FOUND, "a text cannot begin with '*'", kUseQuotes},
    {YAML::ErrorMsg::ANCHOR_NOT_FOUND, "a text cannot begin with '&'", kUseQuotes},
    {YAML::ErrorMsg::CHAR_IN_ALIAS, "a text cannot begin with '*'", kUseQuotes},
    {YAML::ErrorMsg::CHAR_IN_ANCHOR, "a text cannot begin with '&'", kUseQuotes},
};

constexpr std::string_view kQuoteBraces =
    "inside {...} a path with braces needs quotes, as in path: \"plates/{stem}.tif\"";

/// Whether the line has a name of a plate's path, such as {stem}.
bool names_in_braces(std::string_view line) {
  constexpr std::string_view kNames[] = {
      "{stem}", "{page}", "{ink}", "{job}", "{date}", "{time}", "{id}"};
  return std::ranges::any_of(
      kNames, [&](std::string_view name) { return line.find(name) != std::string_view::npos; });
}

Diagnostic explained(const SourceText& source, const YAML::Exception& error) {
  const Place place = place_of(error.mark);
  const bool is_at_end = place.line >= source.line_count() && source.at(place).empty();
  const std::string where = is_at_end ? ", and the manifest ends here" : "";
  for (const Explanation& explanation : kExplanations) {
    if (!error.msg.starts_with(explanation.library)) continue;
    const bool has_braces = explanation.library == YAML::ErrorMsg::END_OF_MAP_FLOW &&
                            names_in_braces(source.line(place.line));
    return source.diagnostic(place,
                             std::string(explanation.message) + where,
                             std::string(has_braces ? kQuoteBraces : explanation.hint));
  }
  const std::string reason = is_clean_text(error.msg) ? error.msg : "unreadable text";
  return source.diagnostic(place, "this is not YAML: " + reason);
}

/// Runs the parser; returns the mistake that stops it as a diagnostic.
std::optional<Diagnostic> read_document(const SourceText& source,
                                        const YamlTree& tree,
                                        YAML::EventHandler& builder) {
  try {
    std::istringstream stream(source.text());
    YAML::Parser parser(stream);
    // Twice and no more: on some texts the library finds documents for ever.
    NoSecondDocument refusal(source, tree);
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(refusal);
    return std::nullopt;
  } catch (const Stop& stop) {
    return stop.diagnostic;
  } catch (const YAML::Exception& error) {
    return explained(source, error);
  } catch (const std::exception& error) {
    return source.diagnostic({}, std::string("this is not YAML: ") + error.what());
  }
}

}  // namespace

YamlTree parse_yaml(const SourceText& source, const std::string& beginning) {
  YamlTree tree;
  if (auto wrong = check_bytes(source)) {
    tree.diagnostics.push_back(std::move(*wrong));
    return tree;
  }
  TreeBuilder builder(source, tree);
  if (auto stopped = read_document(source, tree, builder)) {
    tree.root.reset();
    tree.diagnostics.push_back(std::move(*stopped));
    return tree;
  }
  std::ranges::move(builder.folded_texts, std::back_inserter(tree.diagnostics));
  if (!tree.root || (tree.root->kind == YamlNode::Kind::kNull && tree.diagnostics.empty())) {
    tree.root.reset();
    tree.diagnostics.push_back(
        source.diagnostic({1, 1}, "the manifest is empty", "begin with " + beginning));
  }
  return tree;
}

/// YAML takes two characters only for something else.
std::string in_double_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

namespace {

/// In one line, which is read as the same tree. Numbers and the like must not be quoted, and have no
/// character that needs it.
std::string flow_text(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::kNull) return "null";
  if (node.kind == YamlNode::Kind::kText) {
    const bool is_plain =
        !node.is_quoted &&
        node.text.find_first_not_of("0123456789.-%abcdefghijklmnopqrstuvwxyz") == std::string::npos;
    return is_plain ? node.text : in_double_quotes(node.text);
  }
  const bool is_map = node.kind == YamlNode::Kind::kMap;
  std::string text;
  for (const YamlNode& item : node.items) {
    text += (text.empty() ? "" : ", ") + (is_map ? in_double_quotes(item.key) + ": " : "") +
            flow_text(item);
  }
  return is_map ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

std::string block_text(const YamlNode& map, int depth) {
  std::string text;
  for (const YamlNode& item : map.items) {
    text += std::string(static_cast<size_t>(depth) * 2, ' ') + in_double_quotes(item.key) + ": " +
            flow_text(item) + "\n";
  }
  return text;
}

}  // namespace mezzo::manifests
