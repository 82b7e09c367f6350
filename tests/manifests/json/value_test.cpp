#include "manifests/json/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/base/error.h"

namespace mezzo::json::value_test {
namespace {

/// The message with which parse() refuses a text; empty when it does not.
std::string refusal(const std::string& text) {
  try {
    parse(text);
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
}

TEST(JsonValue, IsWrittenInOneLineAndInTheOrderOfItsMembers) {
  const Value value = {{"z", 1},
                       {"a", {{"flag", true}, {"nothing", nullptr}}},
                       {"list", std::vector<std::string>{"one", "two"}},
                       {"no_members", Value::object()},
                       {"no_items", Value::list()}};
  EXPECT_EQ(to_text(value),
            R"({"z":1,"a":{"flag":true,"nothing":null},"list":["one","two"],)"
            R"("no_members":{},"no_items":[]})");
}

TEST(JsonValue, IsWrittenWithIndentation) {
  const Value value = {
      {"a", {{"b", std::vector<int>{1, -2}}}}, {"c", Value::object()}, {"d", Value::list()}};
  EXPECT_EQ(to_text(value, 2),
            "{\n  \"a\": {\n    \"b\": [\n      1,\n      -2\n    ]\n  },\n  \"c\": {},\n"
            "  \"d\": []\n}");
}

TEST(JsonValue, WritesNumbersSoThatTheyAreReadBack) {
  const auto text = [](const Value& value) { return to_text(value); };
  EXPECT_EQ(text(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(text(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(text(1.0), "1.0");
  EXPECT_EQ(text(-0.0), "-0.0");
  EXPECT_EQ(text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(text(1e300), "1e+300");
  EXPECT_EQ(text(1e-7), "1e-07");
  EXPECT_EQ(text(std::nan("")), "null");
  EXPECT_EQ(text(std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonValue, WritesTextWithControlCharactersQuotesAndBytesOfNoCharacter) {
  EXPECT_EQ(to_text("a\"b\\c\n\t\x01\x7F/ä€😀"), "\"a\\\"b\\\\c\\n\\t\\u0001\x7F/ä€😀\"");
  EXPECT_EQ(to_text("\xFF"
                    "a\xC3"),
            "\"\uFFFDa\uFFFD\"");
  EXPECT_EQ(to_text(Value{{"k\xFF\"", 1}}), "{\"k\uFFFD\\\"\":1}");
  EXPECT_EQ(valid_utf8("\xFF\"\\\n"), "\uFFFD\"\\\n");
}

TEST(JsonValue, IsReadAsItWasWritten) {
  const Value value = {{"whole", std::numeric_limits<uint64_t>::max()},
                       {"negative", -7},
                       {"real", 0.1},
                       {"text", "ä\n\"\\"},
                       {"flag", false},
                       {"nothing", nullptr},
                       {"list", std::vector<Value>{1, "two", Value::object()}}};
  EXPECT_EQ(parse(to_text(value)), value);
  EXPECT_EQ(parse(to_text(value, 2)), value);
}

TEST(JsonValue, IsSortedByTheNamesOfAllItsMembers) {
  const Value value = parse(R"({"b": [{"z": 1, "a": 2}], "A": 3, "a": {"y": 4, "x": 5}})");
  EXPECT_EQ(to_text(sorted(value)), R"({"A":3,"a":{"x":5,"y":4},"b":[{"a":2,"z":1}]})");
}

TEST(JsonValue, TakesTheLaterOfTwoMembersOfOneName) {
  EXPECT_EQ(to_text(parse(R"({"a": 1, "b": 2, "a": [3]})")), R"({"a":[3],"b":2})");
}

TEST(JsonValue, JoinsManyMembersOfAFewNames) {
  const Value value =
      parse(R"({"b": 1, "a": {"c": 1, "c": {}}, "b": 2, "d": 0, "a": 3, "b": "4"})");
  EXPECT_EQ(to_text(value), R"({"b":"4","a":3,"d":0})");
  EXPECT_EQ(to_text(parse(R"({"a": {"c": 1, "c": {}, "b": [{"x": 1, "x": 2}]}})")),
            R"({"a":{"c":{},"b":[{"x":2}]}})");
}

TEST(JsonValue, IsReadHoweverManyMembersItHas) {
  // When each is looked up among those before it, a million take longer than ctest lets a test run.
  constexpr size_t kMembers = 1'000'000;
  std::string text = "{";
  for (size_t i = 1; i < kMembers; ++i) text += "\"name " + std::to_string(i) + "\":0,";
  EXPECT_EQ(parse(text + "\"last\":1}").members()->size(), kMembers);
}

TEST(JsonValue, RefusesWhatIsNoWholeJson) {
  for (const char* text : {"", "{", "[1,]", "{\"a\":}", "nul", "1 2", "\"\xFF\"", "1e999"}) {
    EXPECT_NE(refusal(text).find("it is not whole, or damaged: "), std::string::npos) << text;
    EXPECT_TRUE(parse_or_null(text).is_null()) << text;
  }
}

/// parse_items() of a text in pieces of two bytes: the items, then the rest.
std::vector<std::string> items_of(std::string text, size_t most_bytes) {
  std::vector<std::string> items;
  const Value rest = parse_items(
      [&] {
        return std::exchange(text, text.substr(std::min<size_t>(2, text.size()))).substr(0, 2);
      },
      "list",
      most_bytes,
      [&](const Value& item) { items.push_back(to_text(item)); });
  items.push_back(to_text(rest));
  return items;
}

TEST(JsonItems, AreReadOneByOne) {
  const std::string text = R"({"a": {"list": [1]}, "list": [1, {"b": [2]}, [[]], "x"], "c": [3]})";
  EXPECT_EQ(items_of(text, 40),
            (std::vector<std::string>{
                "1", R"({"b":[2]})", "[[]]", R"("x")", R"({"a":{"list":[1]},"list":[],"c":[3]})"}));
  EXPECT_EQ(items_of(R"({"list": 5})", 30), (std::vector<std::string>{R"({"list":5})"}));
  EXPECT_EQ(items_of("[1, 2]", 30), (std::vector<std::string>{"[1,2]"}));
  EXPECT_THROW(items_of("{\"list\": [1", 30), Error);
}

TEST(JsonItems, AreOfLimitedSize) {
  const std::string longest = "\"" + std::string(40, 'x') + "\"";
  std::string many = longest;
  for (int i = 0; i < 100; ++i) many += "," + longest;
  EXPECT_EQ(items_of("{\"list\":[" + many + "]}", 60).size(), 102U);
  EXPECT_THROW(items_of("{\"list\":[" + many + "]}", 40), Error);
  EXPECT_THROW(items_of("{\"a\":[" + many + "],\"list\":[]}", 60), Error);
  EXPECT_THROW(items_of("{\"list\":[],\"a\":[" + many + "]}", 60), Error);
  std::string repeated = "{";
  for (int i = 0; i < 100; ++i) repeated += "\"list\":[0],";
  EXPECT_THROW(items_of(repeated + "\"a\":0}", 50), Error);
}

TEST(JsonValue, RefusesDeepNesting) {
  EXPECT_EQ(refusal("[[[[[[[[1]]]]]]]]"), "");
  EXPECT_EQ(refusal("[[[[[[[[[]]]]]]]]]"), "it is nested too deeply");
  EXPECT_EQ(refusal(std::string(1'000'000, '[')), "it is nested too deeply");
  EXPECT_TRUE(parse_or_null("[[[[[[[[[]]]]]]]]]").is_null());
}

TEST(JsonValue, GivesNothingOfAnotherType) {
  const Value text = "1", real = 1.5, huge = std::numeric_limits<uint64_t>::max(), negative = -1;
  EXPECT_FALSE(text.number());
  EXPECT_EQ(text.flag(), nullptr);
  EXPECT_EQ(text.items(), nullptr);
  EXPECT_EQ(text.members(), nullptr);
  EXPECT_EQ(text.find("a"), nullptr);
  EXPECT_FALSE(real.whole());
  EXPECT_FALSE(real.integer());
  EXPECT_EQ(real.number(), 1.5);
  EXPECT_FALSE(huge.integer());
  EXPECT_EQ(huge.whole(), std::numeric_limits<uint64_t>::max());
  EXPECT_FALSE(negative.whole());
  EXPECT_EQ(negative.integer(), -1);
  EXPECT_EQ(negative.number(), -1);
}

}  // namespace
}  // namespace mezzo::json::value_test
