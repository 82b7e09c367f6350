#include "manifests/json/members.h"

#include <gtest/gtest.h>

#include "kernels/base/error.h"

namespace mezzo::json::members_test {

enum class Shade { kLight, kDark };

struct Dot {
  uint32_t x = 0;
  Shade shade = Shade::kLight;
};

struct Screen {
  std::string name;
  bool round = false;
  int status = 0;
  uint64_t bytes = 0;
  double angle = 0;
  std::vector<Dot> dots;
  std::map<std::string, double> parameters;
  std::optional<Dot> first;
  uint32_t later = 7;
};

void transfer(Slot& slot, Shade& shade) {
  transfer_named(
      slot,
      shade,
      [](Shade one) { return one == Shade::kLight ? "light" : "dark"; },
      [](const std::string& name) {
        return name == "light"  ? std::optional(Shade::kLight)
               : name == "dark" ? std::optional(Shade::kDark)
                                : std::nullopt;
      });
}

void describe(Members& members, Dot& dot) {
  members("x", dot.x);
  members("shade", dot.shade);
}

void describe(Members& members, Screen& screen) {
  members.head("screen", 1);
  members("name", screen.name);
  members("round", screen.round);
  members("status", screen.status);
  members("bytes", screen.bytes);
  members("angle", screen.angle);
  members("dots", screen.dots);
  members("parameters", screen.parameters);
  members("first", screen.first);
  members.maybe("later", screen.later);
}

/// A record whose version 2 is still read.
struct Renewed {
  uint64_t n = 0;
};

void describe(Members& members, Renewed& renewed) {
  members.head("renewed", 3, 2);
  members("n", renewed.n);
}

namespace {

constexpr const char* kWhole =
    R"({"v":1,"type":"screen","name":"ä","round":true,"status":-3,"bytes":18446744073709551615,)"
    R"("angle":22.5,"dots":[{"x":1,"shade":"dark"},{"x":2,"shade":"light"}],)"
    R"("parameters":{"gain":0.5},"first":{"x":9,"shade":"dark"},"later":8})";

Screen some_screen() {
  return {.name = "ä",
          .round = true,
          .status = -3,
          .bytes = std::numeric_limits<uint64_t>::max(),
          .angle = 22.5,
          .dots = {{1, Shade::kDark}, {2, Shade::kLight}},
          .parameters = {{"gain", 0.5}},
          .first = Dot{9, Shade::kDark},
          .later = 8};
}

/// The whole text with a part replaced.
Value with(const std::string& part, const std::string& other) {
  std::string text = kWhole;
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return parse(text.replace(at, part.size(), other));
}

std::string mistake(const Value& value, Reading reading) {
  try {
    from_value<Screen>(value, reading);
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
}

TEST(JsonMembers, AreWrittenInTheirOrder) {
  EXPECT_EQ(to_text(to_value(some_screen())), kWhole);
  Screen screen;
  EXPECT_EQ(to_text(to_value(screen)),
            R"({"v":1,"type":"screen","name":"","round":false,"status":0,"bytes":0,"angle":0.0,)"
            R"("dots":[],"parameters":{},"later":7})");
}

TEST(JsonMembers, AreReadAsTheyWereWritten) {
  for (const Reading reading :
       {Reading::kStrict, Reading::kOpen, Reading::kPartial, Reading::kLenient}) {
    const Screen read = from_value<Screen>(parse(kWhole), reading);
    EXPECT_EQ(to_text(to_value(read)), kWhole);
  }
}

TEST(JsonMembers, AreAddedToThoseOfAnObject) {
  Value object = {{"x", "old"}, {"mine", 1}};
  add_members(object, Dot{3, Shade::kDark});
  EXPECT_EQ(to_text(object), R"({"x":3,"mine":1,"shade":"dark"})");
}

TEST(JsonMembers, OfAnotherTypeAreMistakesThatNameThem) {
  const auto strict = [](const char* part, const char* other) {
    return mistake(with(part, other), Reading::kStrict);
  };
  EXPECT_EQ(strict("\"ä\"", "1"), "name is not a text");
  EXPECT_EQ(strict("true", "1"), "round is neither true nor false");
  EXPECT_EQ(strict("-3", "0.5"), "status is not a whole number");
  EXPECT_EQ(strict("-3", "-2147483649"), "status is too large a number");
  EXPECT_EQ(strict("18446744073709551615", "-1"),
            "bytes is not a whole number in 0 .. 18446744073709551615");
  EXPECT_EQ(strict("22.5", "[]"), "angle is not a number");
  EXPECT_EQ(strict("\"x\":2", "\"x\":4294967296"),
            "dots[1].x is not a whole number in 0 .. 4294967295");
  EXPECT_EQ(strict("\"light\"", "\"grey\""), "dots[1].shade cannot be 'grey'");
  EXPECT_EQ(strict("0.5", "null"), "parameters.gain is not a number");
  EXPECT_EQ(strict("{\"gain\":0.5}", "[]"), "parameters is not an object");
  EXPECT_EQ(strict("{\"x\":9,\"shade\":\"dark\"}", "[]"), "first is not an object");
  EXPECT_EQ(mistake(Value::list(), Reading::kStrict), "it is not an object");
}

TEST(JsonMembers, ThatAreMissingOrUnknownAreMistakesAsTheReaderHasIt) {
  const Value missing = with("{\"x\":2,", "{"), unknown = with("{\"x\":2,", "{\"x\":2,\"y\":3,");
  EXPECT_EQ(mistake(missing, Reading::kStrict), "dots[1].x is missing");
  EXPECT_EQ(mistake(missing, Reading::kOpen), "dots[1].x is missing");
  EXPECT_EQ(mistake(missing, Reading::kPartial), "");
  EXPECT_EQ(mistake(missing, Reading::kLenient), "");
  EXPECT_EQ(mistake(unknown, Reading::kStrict),
            "dots[1] has a member that this program does not know");
  EXPECT_EQ(mistake(unknown, Reading::kOpen), "");
  EXPECT_EQ(mistake(with("\"later\":8", "\"now\":8"), Reading::kStrict),
            "it has a member that this program does not know");
  EXPECT_EQ(from_value<Screen>(with(",\"later\":8", ""), Reading::kStrict).later, 7U);
}

TEST(JsonMembers, OfAnotherTypeStayAsTheyAreForALenientReader) {
  std::string text = kWhole;
  const Value value = parse(
      R"({"type":"screen","v":1,"name":1,"bytes":-1,"angle":"steep","first":[],
          "dots":[7,{"x":"left"},{"x":3,"shade":"grey"}],"parameters":{"gain":"much","loss":2}})");
  EXPECT_EQ(mistake(value, Reading::kPartial), "name is not a text");
  const Screen screen = from_value<Screen>(value, Reading::kLenient);
  EXPECT_EQ(screen.name, "");
  EXPECT_EQ(screen.bytes, 0U);
  EXPECT_EQ(screen.angle, 0);
  EXPECT_FALSE(screen.first);
  ASSERT_EQ(screen.dots.size(), 2U);  // what is no object is left out
  EXPECT_EQ(screen.dots[0].x, 0U);
  EXPECT_EQ(screen.dots[1].x, 3U);
  EXPECT_EQ(screen.parameters, (std::map<std::string, double>{{"loss", 2}}));
}

TEST(JsonMembers, OfOlderVersionsAreReadAsFarAsTheyAreKnown) {
  const auto read = [](const std::string& version) {
    return from_value<Renewed>(parse(R"({"v":)" + version + R"(,"type":"renewed","n":7})"),
                               Reading::kStrict);
  };
  EXPECT_EQ(read("2").n, 7U);
  EXPECT_EQ(read("3").n, 7U);
  EXPECT_THROW(read("1"), Error);
  EXPECT_THROW(read("4"), Error);
}

TEST(JsonMembers, OfAnotherRecordAreRefusedHoweverLenientTheReader) {
  for (const Reading reading : {Reading::kStrict, Reading::kLenient}) {
    EXPECT_EQ(mistake(with("\"screen\"", "\"plate\""), reading), "its type is not 'screen'");
    EXPECT_EQ(mistake(with("\"v\":1", "\"v\":2"), reading),
              "it is of version 2, and this program reads version 1");
  }
}

}  // namespace
}  // namespace mezzo::json::members_test
