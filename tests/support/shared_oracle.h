// What an oracle says, worked out once for all parameters of a test: for all SIMD targets or schedules.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

namespace mezzo::test {

/// The answers of an oracle, in the order in which a test asks. The first parameter of a test that asks has them
/// made, and those after it get them: each parameter must ask the same questions in the same order. A member of a
/// fixture, so that each test begins with its first question. Answers are kept until the process ends.
/// Two oracles of a fixture whose answers have the same type need parts that differ.
template <typename Answer>
class SharedOracle {
 public:
  /// `part` is the part of the test's parameter that the answers depend on.
  explicit SharedOracle(std::string part = {}) : part_(std::move(part)) {}

  /// The answer to the next question, made by `make()` if it is not known yet.
  template <typename Make>
  const Answer& next(const Make& make) {
    std::unique_ptr<const Answer>& known = answers_[{test(), part_, asked_++}];
    if (known == nullptr) known = std::make_unique<const Answer>(make());
    return *known;
  }

 private:
  /// The suite and the test, without the name of the parameter.
  static std::string test() {
    const ::testing::TestInfo& info = *::testing::UnitTest::GetInstance()->current_test_info();
    const std::string name = info.name();
    return std::string(info.test_suite_name()) + "." + name.substr(0, name.find('/'));
  }

  using Question = std::tuple<std::string, std::string, size_t>;
  inline static std::map<Question, std::unique_ptr<const Answer>> answers_;
  std::string part_;
  size_t asked_ = 0;
};

}  // namespace mezzo::test
