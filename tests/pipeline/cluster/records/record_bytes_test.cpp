// The bytes of records, which other versions of the program read.
#include <gtest/gtest.h>

#include <regex>

#include "pipeline/cluster/records/attempt_reader.h"
#include "tests/pipeline/cluster/records/record_support.h"

namespace mezzo::test::record_bytes_test {
namespace {

/// A record's text without what differs from run to run.
std::string steady(std::string text, const std::string& folder) {
  for (size_t at = 0; (at = text.find(folder)) != std::string::npos;) {
    text.replace(at, folder.size(), "/F");
  }
  text = std::regex_replace(text, std::regex(R"("time":\d{13},)"), "\"time\":TIME,");
  text =
      std::regex_replace(text, std::regex(R"x("(writer|program|file)":"[^"]+")x"), "\"$1\":\"X\"");
  return text;
}

TEST(RecordBytes, AreThese) {
  const RecordStage stage;
  run::SheetResult odd;
  odd.input = "\xFF\n\"";
  odd.pages = {0, 4'294'967'294};
  odd.pixels = UINT64_MAX;
  odd.begin_seconds = 0.1234567;
  odd.seconds = 1e-9;
  odd.stages = {0.5, 1e6, 0, 0, 0, 0, 1.0 / 3};
  odd.verified = tiff::VerifyLevel::kRecompute;
  odd.already_done = true;
  odd.notes = {"", "\x1F\u00e4"};
  odd.timeline = {{6, 0.1, 0.30000049, 12}, {0, 0, 0, 0}};
  odd.plates = {{"", "\\", "g4", 0, "", 100.0 / 3}, {"k", "/k.tif", "none", 1ULL << 63, "0", 0}};
  odd.failure = run::Failure{ErrorKind::kOutOfMemory, "no \t memory"};
  std::string name;
  {
    FakeAttempt attempt(stage, 0);
    name = attempt.record.name();
    attempt.make(0, "bytes");
    attempt.begin(1);
    attempt.record.sheet_finished(attempt.sheet(1), odd);
    attempt.record.end(75);
  }
  EXPECT_EQ(
      steady(text_of(stage.records() + "/" + name + ".ndjson"), stage.folder.path()),
      R"({"v":1,"type":"attempt","time":TIME,"plan":"0123456789ab","unit":0,"node":"n1",)"
      R"("writer":"X","slurm_job":"7_0","gpus":"","program":"X","threads":2,)"
      "\"memory_bytes\":1048576}\n"
      "{\"v\":1,\"type\":\"begun\",\"time\":TIME,\"sheet\":0}\n"
      "{\"v\":1,"
      R"("type":"sealed","time":TIME,"sheet":0,"plate":"/F/out/0.tif",)"
      R"("file_xxh3":"xxh3:95f64cad147d23ee983871c230125b12","file_bytes":5,"file":"X",)"
      R"("input":"/F/in0.tif","input_file":"77 0 0 0","input_digest":"xxh3:11",)"
      R"("settings":"method=x\n","ink":"black","compression":"g4","content_sum":"c0ffee",)"
      "\"coverage_percent\":12.5}\n"
      "{\"v\":1,\"type\":\"sheet\",\"time\":TIME,\"sheet\":0,\"engine\":\"cpu\","
      R"("schedule":"rows","schedule_reason":"","result":{"input":"/F/in0.tif","pages":[1],)"
      R"("pixels":0,"input_bytes":0,"begin_seconds":0.0,"seconds":1.5,)"
      R"("stage_seconds":{"read":0.0,"halftone":0.0,"GPU":0.0,"cut":0.0,"encode":0.0,)"
      R"("write":0.0,"seal":0.0},"verified":false,"already_done":false,"notes":[],)"
      R"("timeline":[],"plates":[{"ink":"black","path":"/F/out/0.tif","compression":"g4",)"
      "\"file_bytes\":5,\"content_sum\":\"c0ffee\",\"coverage_percent\":12.5}]}}\n"
      "{\"v\":1,"
      "\"type\":\"begun\",\"time\":TIME,\"sheet\":1}\n"
      "{\"v\":1,\"type\":\"sheet\",\"time\":TIME,\"sheet\":1,"
      R"("engine":"cpu","schedule":"rows","schedule_reason":"",)"
      R"("error":{"kind":"out-of-memory","message":"no \t memory","advice":"","place":""},"result":{"input":"�\n\"",)"
      R"("pages":[1,4294967295],"pixels":18446744073709551615,"input_bytes":0,)"
      R"("begin_seconds":0.123457,"seconds":0.0,"stage_seconds":{"read":0.5,)"
      R"("halftone":1000000.0,"GPU":0.0,"cut":0.0,"encode":0.0,"write":0.0,"seal":0.333333},)"
      R"("verified":true,"verified_by":"recompute","already_done":true,"notes":["",)"
      R"("\u001fä"],"timeline":[[6,0.1,0.3,12.0],[0,0.0,0.0,0.0]],"plates":[{"ink":"","path":"\\","compression":"g4",)"
      R"("file_bytes":0,"content_sum":"","coverage_percent":33.333333333333336},{"ink":"k",)"
      R"("path":"/k.tif","compression":"none","file_bytes":9223372036854775808,)"
      "\"content_sum\":\"0\",\"coverage_percent\":0.0}]}}\n"
      "{\"v\":1,\"type\":\"ended\",\"time\":TIME,"
      "\"status\":75}\n");
}

TEST(RecordBytes, OfEarlierSubmissionsAreThese) {
  const RecordStage stage;
  FakeAttempt(stage, 0).make(0, "bytes");  // killed
  cluster::compact_records(stage.plan, true);
  EXPECT_EQ(steady(text_of(stage.records() + "/earlier.ndjson"), stage.folder.path()),
            "{\"v\":1,\"type\":\"killed\",\"time\":TIME,\"writer\":\"X\"}\n"
            "{\"v\":1,\"type\":\"sealed\",\"time\":TIME,"
            R"("plate":"/F/out/0.tif","file_xxh3":"xxh3:95f64cad147d23ee983871c230125b12",)"
            R"("file_bytes":5,"file":"X","input":"/F/in0.tif","input_file":"77 0 0 0",)"
            R"("input_digest":"xxh3:11","settings":"","ink":"black","compression":"g4",)"
            "\"content_sum\":\"c0ffee\",\"coverage_percent\":12.5}\n");
}

}  // namespace
}  // namespace mezzo::test::record_bytes_test
