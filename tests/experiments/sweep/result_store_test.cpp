#include "tests/experiments/program/commands/program.hpp"
#include "tests/experiments/program/commands/stored_points.hpp"
#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;

StoredPoint point(int number)
{
  StoredPoint stored;
  stored.key = point_key("1", fmt::format("{}", number), "");
  stored.config = fmt::format("{{\"number\": {}}}", number);
  stored.result =
      fmt::format(R"({{"format": "wormcast-result/1", "config": {}, "latency_us": {}.25}})", stored.config, number);
  stored.wall_seconds = 0.5;
  return stored;
}

template <typename Error> std::string error_of(const std::function<void()>& act)
{
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void execute(const std::filesystem::path& file, const char* sql)
{
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

TEST(PointKey, IsFnv1aOf128Bits)
{
  // Reference values: FNV-1a, 128 bits (RFC 9923), of "\0\0\0" and of "0.1.0\0{}\0abc\0".
  EXPECT_EQ(point_key("", "", ""), "a68bb3934c8b5822836dbc78c7423ce7");
  EXPECT_EQ(point_key("0.1.0", "{}", "abc"), "c245206f6ea134fc637bc45cf089c414");
}

TEST(PointKey, IsOfFilesThatCanBeReadAlone)
{
  const TemporaryDirectory directory;
  const auto topology = make_grid("mesh", {2, 2});
  const auto digest = [&](const char* name) { return FileContents().of(*topology, {directory.path() / name}); };
  directory.write("empty", "");
  EXPECT_NE(digest("empty"), "");
  EXPECT_THAT(error_of<FileError>([&] { digest("missing"); }), HasSubstr("missing: No such file or directory"));
}

TEST(PointKey, TellsVersionsConfigsAndFilesApart)
{
  const std::string key = point_key("0.1.0", "{}", "");
  EXPECT_NE(key, point_key("0.1.1", "{}", ""));
  EXPECT_NE(key, point_key("0.1.0", "{ }", ""));
  EXPECT_NE(key, point_key("0.1.0", "{}", "x"));
  EXPECT_NE(point_key("a", "b", ""), point_key("ab", "", ""));
}

TEST(ResultStore, KeepsPoints)
{
  const TemporaryDirectory folder;
  StoredPoint failed = point(2);
  failed.state = PointState::deadlock;
  failed.error = "deadlock: \"x\"\nsecond line";
  failed.result = R"({"format": "wormcast-result/1", "config": {"number": 2}, "latency_us": null})";
  {
    ResultStore store(folder.path() / "new" / "folder", ResultStore::Opening::fresh);
    store.put(point(1));
    store.put(failed);
    EXPECT_EQ(store.find(point(1).key), point(1));
  }
  const ResultStore store(folder.path() / "new" / "folder", ResultStore::Opening::resume);
  EXPECT_EQ(store.count(), 2U);
  EXPECT_EQ(store.find(point(1).key), point(1));
  EXPECT_EQ(store.find(failed.key), failed);
  EXPECT_EQ(store.find(point(3).key), std::nullopt);
}

TEST(ResultStore, KnowsPointsThatSaturateAlsoWhereTheyAreStoredAsDone)
{
  const TemporaryDirectory folder;
  ResultStore store(folder.path(), ResultStore::Opening::fresh);
  StoredPoint old = point(1); // as version 0.2.0 has put it
  old.result = R"({
  "format": "wormcast-series/1",
  "config": {"number": 1},
  "latency_us": null,
  "load": {
    "saturated": true
  }
})";
  store.put(old);
  EXPECT_EQ(store.find(old.key).value().state, PointState::saturated);
  StoredPoint saturated = old;
  saturated.state = PointState::saturated;
  store.put(saturated);
  EXPECT_EQ(store.find(old.key), saturated);
  old.result = with(old.result, "true", "false");
  store.put(old);
  EXPECT_EQ(store.find(old.key), old);
}

TEST(ResultStore, ShowsPointsWithoutAResultAndFieldsWithinFields)
{
  const TemporaryDirectory folder;
  ResultStore store(folder.path(), ResultStore::Opening::fresh);
  StoredPoint done = point(1);
  done.result =
      R"({"format": "wormcast-series/1", "config": {"number": 1}, "load": {"saturated": true, "waits": {"other": 2.5}}})";
  store.put(done);
  StoredPoint died = point(2);
  died.state = PointState::died;
  died.result.clear();
  store.put(died);
  store.put_sweep({"{}", {{done.key, "[]", "{}"}, {died.key, "[]", "{}"}}});
  store.make_view({{"other", "points", "result", {"load", "waits", "other"}}});
  EXPECT_EQ(stored_rows(store.file(), "SELECT other, typeof(other), state FROM runs"),
            "2.5|real|saturated\n-|null|died\n");
}

TEST(ResultStore, ReplacesAPointWithTheSameKey)
{
  const TemporaryDirectory folder;
  ResultStore store(folder.path(), ResultStore::Opening::fresh);
  StoredPoint died = point(1);
  died.state = PointState::died;
  store.put(died);
  store.put(point(1));
  EXPECT_EQ(store.count(), 1U);
  EXPECT_EQ(store.find(point(1).key), point(1));
}

TEST(ResultStore, KeepsWhatWasPutBeforeItsProcessWasKilled)
{
  const TemporaryDirectory folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ResultStore store(folder.path(), ResultStore::Opening::fresh);
    for (int i = 0; i < 20; ++i) {
      store.put(point(i));
    }
    (void)!::write(ready[1], "x", 1);
    for (int i = 20;; ++i) {
      store.put(point(i));
    }
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ::usleep(5000); // in the middle of some put
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ResultStore store(folder.path(), ResultStore::Opening::resume);
  ASSERT_GE(store.count(), 20U);
  const auto count = static_cast<int>(store.count());
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(store.find(point(i).key), point(i)) << i;
  }
  store.put(point(count));
  EXPECT_EQ(store.find(point(count).key), point(count));
}

TEST(ResultStore, DoesNotOverwriteEarlierResults)
{
  const TemporaryDirectory folder;
  {
    ResultStore store(folder.path(), ResultStore::Opening::fresh);
  }
  {
    ResultStore store(folder.path(), ResultStore::Opening::fresh); // nothing in it yet
    store.put(point(1));
  }
  const std::string error = error_of<InputError>([&] { ResultStore(folder.path(), ResultStore::Opening::fresh); });
  EXPECT_THAT(error, HasSubstr("--resume"));
  EXPECT_THAT(error, HasSubstr("--out"));
  EXPECT_EQ(ResultStore(folder.path(), ResultStore::Opening::resume).count(), 1U);
}

TEST(ResultStore, BringsTheFirstFormatUpToDate)
{
  const TemporaryDirectory folder;
  const std::filesystem::path file = folder.path() / "results.sqlite";
  execute(file, R"(PRAGMA application_id = 2003792493; PRAGMA user_version = 1;
CREATE TABLE points (key TEXT PRIMARY KEY, version TEXT NOT NULL, config TEXT NOT NULL, state TEXT NOT NULL,
                     result TEXT NOT NULL, error TEXT NOT NULL, wall_seconds REAL NOT NULL);)");
  const StoredPoint old = point(1);
  execute(file, fmt::format("INSERT INTO points VALUES ('{}', '0.1.0', '{}', 'done', '{}', '', 0.5)", old.key,
                            old.config, old.result)
                    .c_str());
  EXPECT_THAT(error_of<InputError>([&] { ResultStore(folder.path(), ResultStore::Opening::read); }),
              HasSubstr("results in format 1, but this program reads and writes format 2; \"wormcast sweep --resume\" "
                        "brings them up to it and computes nothing anew"));
  ResultStore store(folder.path(), ResultStore::Opening::resume);
  EXPECT_EQ(store.find(old.key), old);
  store.put(point(2));
  EXPECT_EQ(store.find(point(2).key), point(2));
  EXPECT_EQ(store.sweep_document(), std::nullopt);
}

TEST(ResultStore, NoticesThatARowHasBeenChanged)
{
  const TemporaryDirectory folder;
  {
    ResultStore store(folder.path(), ResultStore::Opening::fresh);
    store.put(point(1));
  }
  execute(folder.path() / "results.sqlite", "UPDATE points SET result = replace(result, '1.25', '2.25')");
  EXPECT_EQ(ResultStore(folder.path(), ResultStore::Opening::resume).find(point(1).key), std::nullopt);
}

TEST(ResultStore, IsReadWhileAnotherOneWrites)
{
  const TemporaryDirectory folder;
  EXPECT_THAT(error_of<InputError>([&] { ResultStore(folder.path(), ResultStore::Opening::read); }),
              HasSubstr("holds no results of a sweep"));
  EXPECT_THAT(folder.names(), ::testing::IsEmpty());
  ResultStore store(folder.path(), ResultStore::Opening::fresh);
  store.put(point(1));
  store.put_sweep({.document = "{}", .rows = {{point(1).key, R"(["a"])", R"({"nodes": 4})"}, {"", R"(["b"])", "{}"}}});
  store.make_view({{"axis", "sweep_points", "cells", {"[0]"}},
                   {"nodes", "sweep_points", "facts", {"nodes"}},
                   {"it's \"", "points", "config", {"number"}},
                   {"latency_us", "points", "result", {"latency_us"}}});
  const ResultStore reader(folder.path(), ResultStore::Opening::read);
  EXPECT_EQ(reader.find(point(1).key), point(1));
  EXPECT_EQ(reader.sweep_document(), "{}");
  EXPECT_EQ(
      stored_rows(folder.path() / "results.sqlite", "SELECT axis, nodes, \"it's \"\"\", latency_us, state FROM runs"),
      "a|4|1|1.25|done\nb|-|-|-|-\n");
}

TEST(ResultStore, IsOpenOnlyOnce)
{
  const TemporaryDirectory folder;
  const ResultStore store(folder.path(), ResultStore::Opening::fresh);
  EXPECT_THAT(error_of<InputError>([&] { ResultStore(folder.path(), ResultStore::Opening::resume); }),
              HasSubstr("another sweep"));
}

TEST(ResultStore, CanBeReadByOthersMeanwhile)
{
  const TemporaryDirectory folder;
  ResultStore store(folder.path(), ResultStore::Opening::fresh);
  store.put(point(1));
  execute(store.file(), "SELECT * FROM points");
  store.put(point(2));
  EXPECT_EQ(store.count(), 2U);
}

TEST(ResultStore, RefusesAFileThatIsNoDatabase)
{
  const TemporaryDirectory folder;
  folder.write("results.sqlite", std::string(5000, 'x'));
  EXPECT_THAT(error_of<InputError>([&] { ResultStore(folder.path(), ResultStore::Opening::resume); }),
              HasSubstr("not a usable SQLite database"));
  EXPECT_EQ(read_file(folder.path() / "results.sqlite"), std::string(5000, 'x'));
}

TEST(ResultStore, RefusesTheDatabaseOfAnotherProgram)
{
  const TemporaryDirectory folder;
  execute(folder.path() / "results.sqlite", "CREATE TABLE points (x)");
  EXPECT_THAT(error_of<InputError>([&] { ResultStore(folder.path(), ResultStore::Opening::resume); }),
              HasSubstr("another program"));
}

TEST(ResultStore, RefusesAnotherVersionOfTheFormat)
{
  const TemporaryDirectory folder;
  ResultStore(folder.path(), ResultStore::Opening::fresh).put(point(1));
  execute(folder.path() / "results.sqlite", "PRAGMA user_version = 7");
  EXPECT_THAT(error_of<InputError>([&] { ResultStore(folder.path(), ResultStore::Opening::resume); }),
              HasSubstr("results in format 7, but this program reads and writes format 2"));
}

TEST(ResultStore, TellsThatTheFolderIsAFile)
{
  const TemporaryDirectory folder;
  const auto file = folder.write("file", "text");
  EXPECT_THAT(error_of<OutputError>([&] { ResultStore(file, ResultStore::Opening::fresh); }), HasSubstr(file.string()));
  EXPECT_THAT(error_of<OutputError>([&] { ResultStore(file / "below", ResultStore::Opening::fresh); }),
              HasSubstr("Not a directory"));
  EXPECT_EQ(read_file(file), "text");
}

TEST(ResultStore, TellsThatTheFolderCannotBeMade)
{
  EXPECT_THAT(error_of<OutputError>([] { ResultStore("/proc/results", ResultStore::Opening::fresh); }),
              HasSubstr("/proc/results: cannot make the folder"));
}

TEST(ResultStore, ReportsAFullDiskAndLosesNothing)
{
  const TemporaryDirectory folder;
  // A limit on the size of files stands for a full disk; it holds in a child only.
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    int code = 1;
    try {
      ResultStore store(folder.path(), ResultStore::Opening::fresh);
      store.put(point(1));
      const rlimit limit = {300000, 300000};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      StoredPoint large = point(2);
      large.result = std::string(1000000, 'x');
      try {
        store.put(large);
      } catch (const OutputError&) {
        code = store.find(point(1).key) == point(1) && !store.find(large.key) ? 0 : 2;
      }
    } catch (...) {
      code = 3;
    }
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const ResultStore store(folder.path(), ResultStore::Opening::resume);
  EXPECT_EQ(store.find(point(1).key), point(1));
  EXPECT_EQ(store.count(), 1U);
}

} // namespace
} // namespace wormcast::testing
