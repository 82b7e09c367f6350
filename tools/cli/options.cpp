#include "tools/cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernels/base/error.h"
#include "manifests/fields.h"
#include "manifests/scalars.h"
#include "manifests/source_text.h"
#include "tools/cli/outputs.h"

namespace mezzo::cli {
namespace {

constexpr std::string_view kForce = "--force";

std::optional<double> number_of(const std::string& word) {
  double value = 0;
  const char* const last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, value);
  return error == std::errc() && end == last && std::isfinite(value) ? std::optional(value)
                                                                     : std::nullopt;
}

std::string read_word(const std::string& word, std::string& value) {
  value = word;
  return {};
}

std::string read_word(const std::string& word, uint64_t& value) {
  const auto parsed = manifests::parse_integer(word);
  if (!parsed.value) return parsed.problem + (parsed.hint.empty() ? "" : "; " + parsed.hint);
  value = *parsed.value;
  return {};
}

std::string read_word(const std::string& word, uint32_t& value) {
  uint64_t wide = 0;
  std::string problem = read_word(word, wide);
  if (!problem.empty()) return problem;
  if (wide > UINT32_MAX) {
    return "must be a smaller whole number, found " + manifests::in_quotes(word);
  }
  value = static_cast<uint32_t>(wide);
  return {};
}

std::string read_word(const std::string& word, double& value) {
  const auto number = number_of(word);
  if (!number) return "must be a number such as 2 or 0.85, found " + manifests::in_quotes(word);
  value = *number;
  return {};
}

std::string text_of(const std::string& value) {
  return value;
}

template <typename Number>
std::string text_of(Number value) {
  return manifests::plain_number(static_cast<double>(value));
}

std::string text_of(uint64_t value) {
  return std::to_string(value);
}

template <typename T>
std::string text_of(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ",") + text_of(value);
  return text;
}

/// The common part of all variables of one kind of word.
template <typename Word>
Target target_of(std::string default_text) {
  Target target;
  target.default_text = std::move(default_text);
  if constexpr (!std::is_same_v<Word, std::string>) {
    target.value_name = "N";
    target.is_whole = std::is_integral_v<Word>;
  }
  return target;
}

template <typename T>
Target bind_one(T& variable) {
  Target target = target_of<T>(text_of(variable));
  target.read = [&variable](const Words& words) { return read_word(words.front(), variable); };
  return target;
}

template <typename T>
Target bind_optional(std::optional<T>& variable) {
  Target target = target_of<T>(variable ? text_of(*variable) : "");
  target.read = [&variable](const Words& words) {
    return read_word(words.front(), variable.emplace());
  };
  return target;
}

template <typename T>
Target bind_list(std::vector<T>& variable) {
  Target target = target_of<T>(text_of(variable));
  target.is_list = true;
  target.read = [&variable](const Words& words) {
    variable.clear();
    std::string problem;
    for (const std::string& word : words) {
      if (problem.empty()) problem = read_word(word, variable.emplace_back());
    }
    return problem;
  };
  return target;
}

/// "-q,--quiet" in parts; a name with underscores has hyphens, and itself comes behind it.
std::vector<std::string> split_names(std::string_view names) {
  std::vector<std::string> parts;
  while (!names.empty()) {
    const size_t comma = std::min(names.find(','), names.size());
    const std::string& name = parts.emplace_back(names.substr(0, comma));
    names.remove_prefix(std::min(comma + 1, names.size()));
    if (name.starts_with("--") && name.find('_') != std::string::npos) {
      std::string hyphens = name;
      std::ranges::replace(hyphens, '_', '-');
      parts.insert(parts.end() - 1, hyphens);
    }
  }
  return parts;
}

}  // namespace

Target bind(std::string& variable) {
  return bind_one(variable);
}
Target bind(uint32_t& variable) {
  return bind_one(variable);
}
Target bind(uint64_t& variable) {
  return bind_one(variable);
}
Target bind(double& variable) {
  return bind_one(variable);
}
Target bind(std::optional<std::string>& variable) {
  return bind_optional(variable);
}
Target bind(std::optional<uint32_t>& variable) {
  return bind_optional(variable);
}
Target bind(std::optional<double>& variable) {
  return bind_optional(variable);
}
Target bind(std::vector<std::string>& variable) {
  return bind_list(variable);
}
Target bind(std::vector<uint32_t>& variable) {
  return bind_list(variable);
}
Target bind(std::vector<double>& variable) {
  return bind_list(variable);
}

Option& Option::required() {
  rules_.is_required = true;
  return *this;
}

Option& Option::takes(std::string_view value_name) {
  target_.value_name = value_name;
  return *this;
}

Option& Option::range(double least, double most) {
  range_ = {least, most};
  return *this;
}

Option& Option::one_of(std::span<const std::string_view> names) {
  choices_.assign(names.begin(), names.end());
  return takes("NAME");
}

Option& Option::one_of(std::initializer_list<std::string_view> names) {
  return one_of(std::span(names.begin(), names.size()));
}

Option& Option::one_of(const std::vector<std::string>& names) {
  choices_ = names;
  return takes("NAME");
}

Option& Option::alone(std::string_view name) {
  alone_ = name;
  return *this;
}

Option& Option::shows_default() {
  rules_.shows_default = true;
  return *this;
}

Option& Option::by_comma() {
  rules_.by_comma = true;
  return *this;
}

Option& Option::one_at_a_time() {
  rules_.one_at_a_time = true;
  return *this;
}

Option& Option::excludes(const Option& other) {
  excludes_.push_back(&other);
  return *this;
}

Option& Option::without_command() {
  rules_.without_command = true;
  return *this;
}

Option& Option::group(std::string_view title) {
  group_ = title;
  return *this;
}

Option& Option::hidden() {
  rules_.is_hidden = true;
  return *this;
}

Option& Option::offers(std::function<Offer()> make) {
  offers_ = std::move(make);
  return *this;
}

Option& Option::kind(std::initializer_list<std::string_view> suffixes) {
  suffixes_.assign(suffixes.begin(), suffixes.end());
  return *this;
}

std::string Option::shown_name() const {
  const auto whole =
      std::ranges::find_if(names_, [](const std::string& name) { return name.starts_with("--"); });
  return whole == names_.end() ? names_.front() : *whole;
}

std::string Option::problem_of(const std::string& word) const {
  if (!choices_.empty()) {
    const std::vector<std::string_view> names(choices_.begin(), choices_.end());
    const auto parsed = manifests::parse_choice(names, word);
    if (!parsed.value) return parsed.problem + (parsed.hint.empty() ? "" : "; " + parsed.hint);
  }
  if (range_) {
    const bool is_whole = target_.is_whole.value_or(false);
    const auto number = number_of(word);
    const bool is_good = number && *number >= range_->first && *number <= range_->second;
    if (!is_good || (is_whole && !manifests::parse_integer(word).value)) {
      return std::string("must be a ") + (is_whole ? "whole " : "") + "number from " +
             manifests::plain_number(range_->first) + " to " +
             manifests::plain_number(range_->second) + ", found " + manifests::in_quotes(word);
    }
  }
  return {};
}

void Option::read(const Words& words) const {
  std::string problem;
  if (!target_.is_list && words.size() > 1) problem = "was given more than once";
  for (const std::string& word : words) {
    if (problem.empty()) problem = problem_of(word);
  }
  if (problem.empty()) problem = target_.read(words);
  words_ = words;
  if (!problem.empty()) throw Error(ErrorKind::kUsage, shown_name() + " " + problem);
}

Command::Command(Command* parent, std::string_view name, std::string_view summary)
    : parent_(parent), name_(name), summary_(summary) {}

Command& Command::command(std::string_view name, std::string_view summary) {
  commands_.emplace_back(new Command(this, name, summary));
  return *commands_.back();
}

Command& Command::command(std::string_view name,
                          std::string_view summary,
                          std::function<void(Command&)> make) {
  Command& added = command(name, summary);
  added.make_ = std::move(make);
  return added;
}

Command& Command::made() {
  if (make_) std::exchange(make_, nullptr)(*this);
  return *this;
}

Option& Command::option(std::string_view names, Target target, std::string_view help) {
  Option& option = *options_.emplace_back(std::make_unique<Option>());
  option.names_ = split_names(names);
  option.help_ = help;
  option.target_ = std::move(target);
  return option;
}

Option& Command::flag(std::string_view names, bool& variable, std::string_view help) {
  Option& added = option(names, Target(), help);
  added.flag_ = &variable;
  return added;
}

Option& Command::output(std::string_view names, std::string& variable, std::string_view help) {
  Option& added = option(names, variable, help).takes("FILE");
  added.rules_.is_output = true;
  const bool has_force = std::ranges::any_of(
      options_, [](const auto& option) { return std::ranges::count(option->names_, kForce) > 0; });
  if (!has_force) flag(kForce, force_, "Replace a file that mezzotint did not write");
  return added;
}

void Command::check_output(const std::string& path) const {
  Words inputs;
  for (const auto& option : options_) {
    if (option->rules_.is_output) continue;
    inputs.insert(inputs.end(), option->words_.begin(), option->words_.end());
  }
  refuse_to_replace(path, inputs, force_);
}

void Command::check_outputs() const {
  Words seen;
  for (const auto& option : options_) {
    if (!option->rules_.is_output || option->target_.value_name != "FILE") continue;
    for (const std::string& path : option->words_) {
      check_output(path);
      refuse_other_kind(path, option->suffixes_);
      refuse_same(path, seen);
      seen.push_back(path);
    }
  }
}

void Command::runs(std::function<int()> action) {
  action_ = std::move(action);
}

void Command::example(std::string_view line, std::string_view effect) {
  examples_.push_back({std::string(line), std::string(effect)});
}

void Command::section(std::function<HelpSection()> make) {
  sections_.push_back(std::move(make));
}

Command& Command::hidden() {
  is_hidden_ = true;
  return *this;
}

std::string Command::path() const {
  return parent_ == nullptr ? name_ : parent_->path() + " " + name_;
}

Command* Command::find(std::string_view name) const {
  const auto found = std::ranges::find_if(
      commands_, [name](const auto& command) { return command->name_ == name; });
  return found == commands_.end() ? nullptr : &(*found)->made();
}

}  // namespace mezzo::cli
