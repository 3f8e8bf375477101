#include "tests/values/expect_input_error.hpp"
#include "wormcast/experiments/process/workers.hpp"
#include "wormcast/formats/json_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace wormcast {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

TEST(TaskReports, KeepWhatTheyAreMadeOf)
{
  // No double holds this number of microseconds.
  const TaskReport report = {.state = "deadlock",
                             .error = "a\nline \"b\"",
                             .result = {{"us", exact_microseconds(Time{9007199254740991})}, {"load", 0.1}, {"n", 3}}};
  EXPECT_EQ(report_text(report), R"({"state":"deadlock","error":"a\nline \"b\"","result":{"us":9007199254.740991,)"
                                 R"("load":0.1,"n":3}})");
  EXPECT_EQ(read_report(report_text(report)), report);
  EXPECT_EQ(report_text({.state = TaskReport::died, .error = "\xff"}),
            "{\"state\":\"died\",\"error\":\"\xef\xbf\xbd\",\"result\":null}");
}

TEST(TaskReports, AreNothingElse)
{
  for (const std::string text :
       {"3", "[]", "{}", R"({"state":1,"error":"","result":null})", R"({"state":"done","result":null})",
        R"({"state":"done","error":""})", R"({"state":"done","error":"","result":null,"more":1})"}) {
    EXPECT_THAT(input_error([&] { read_report(text); }),
                HasSubstr(", expected the report of a task: \"state\", \"error\", \"result\""))
        << text;
  }
  EXPECT_THAT(input_error([] { read_report("{\"state\":"); }), HasSubstr("in the middle of a value"));
}

TEST(TaskReports, WithResultsOfAnotherFormAreRefused)
{
  const TaskReport report = {.state = TaskReport::done, .result = {{"a", 1}}};
  EXPECT_EQ(read_result(report, [](const Json& result) { return result.at("a").get<int>(); }), 1);
  EXPECT_THAT(input_error([&] { read_result(report, [](const Json& result) { return result.at("b").get<int>(); }); }),
              StartsWith("found {\"a\":1} as the result of a task, which is of another form"));
}

/// The report of the one task of a work in a child.
TaskReport report_of_child(const std::function<TaskReport(const Json&)>& compute)
{
  const TaskWork work = {.fingerprint = {}, .compute = compute};
  LocalWorkers workers(work, 1);
  EXPECT_TRUE(workers.start({.number = 7, .parameters = {{"piece", 3}}}));
  const std::optional<TaskOutcome> outcome = workers.wait(std::chrono::seconds(60));
  EXPECT_EQ(outcome.value().task, 7U);
  return outcome->report;
}

TEST(LocalWorkers, ReportWhatTheirTasksReturn)
{
  const TaskReport report = report_of_child([](const Json& parameters) -> TaskReport {
    return {.state = "saturated", .error = "too much", .result = parameters.at("piece")};
  });
  EXPECT_EQ(report, (TaskReport{.state = "saturated", .error = "too much", .result = 3}));
}

TEST(LocalWorkers, SayWhatEndsTheirTasks)
{
  const auto error_of = [](const std::function<TaskReport(const Json&)>& compute) {
    const TaskReport report = report_of_child(compute);
    EXPECT_TRUE(report.has_died());
    EXPECT_EQ(report.result, nullptr);
    return report.error;
  };
  EXPECT_EQ(error_of([](const Json&) -> TaskReport { throw std::runtime_error("broken"); }), "broken");
  EXPECT_EQ(error_of([](const Json&) -> TaskReport { throw std::bad_alloc(); }), "out of memory");
  EXPECT_EQ(error_of([](const Json&) -> TaskReport { ::_exit(3); }), "its process ended with exit code 3");
  EXPECT_EQ(error_of([](const Json&) -> TaskReport { ::_exit(0); }), "its process ended with exit code 0");
  EXPECT_THAT(error_of([](const Json&) -> TaskReport { std::abort(); }),
              StartsWith("its process was ended by signal 6"));
}

} // namespace
} // namespace wormcast
