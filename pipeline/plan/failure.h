// Why a sheet failed, in its plan or in its run.
#pragma once

#include <string>

#include "kernels/base/error.h"

namespace mezzo::plan {

struct Failure {
  ErrorKind kind = ErrorKind::kBug;
  std::string message;  ///< what was found, and where
  std::string advice =
      {};  ///< "export the page again"; empty where only the kind's advice is known
  std::string setting =
      {};  ///< the key of the setting that is to be changed, "output.path"; or empty
  std::string place = {};  ///< where that setting is written: "job.yaml:3:12", "--ruling"; or empty

  static Failure of(const Error& error) {
    return {error.kind(), error.finding(), error.advice(), std::string(error.setting())};
  }
  Error error() const { return {kind, place.empty() ? message : place + ": " + message, advice}; }

  /// Place, message and advice in a sentence.
  std::string text() const { return error().what(); }
};

}  // namespace mezzo::plan
