#pragma once

#include "wormcast/experiments/output/folder_lock.hpp"
#include "wormcast/values/names.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace wormcast {

/// How the computation of a point ended.
enum class PointState {
  done,
  deadlock,   ///< the simulated network came to a stop; there is a result of what was delivered until then
  bad_input,  ///< a configuration that cannot be served
  died,       ///< the process that computed it broke down
  incomplete, ///< a schedule that does not do its operation; a result only where the run was `unchecked`
  saturated   ///< traffic is more than the network carries: there is a result, without latencies
};

/// "done", "deadlock", "bad_input", "died", "incomplete", "saturated": as in the database, in results.csv and in
/// TaskReport.
inline constexpr auto point_state_names = names<PointState>({{PointState::done, "done"},
                                                             {PointState::deadlock, "deadlock"},
                                                             {PointState::bad_input, "bad_input"},
                                                             {PointState::died, "died"},
                                                             {PointState::incomplete, "incomplete"},
                                                             {PointState::saturated, "saturated"}});

/// Whether a point has all the result that it can have: the others are tried again.
bool is_finished(PointState state);

/// Whether nothing went wrong: the point is done or saturated.
bool is_answer(PointState state);

/// One point of a sweep as it is stored.
struct StoredPoint {
  std::string key = {};    ///< point_key
  std::string config = {}; ///< the effective configuration, JSON
  PointState state = PointState::done;
  std::string result = {}; ///< the result object (wormcast-result/1); empty where there is none
  std::string error = {};  ///< empty when done or saturated
  double wall_seconds = 0; ///< of the process that computed it

  friend bool operator==(const StoredPoint&, const StoredPoint&) = default;
};

/// Whether a schedule that does not do its operation was simulated all the same: there is a result, of no operation.
inline bool is_unchecked(const StoredPoint& point)
{
  return point.state == PointState::incomplete && !point.result.empty();
}

/// Whether a point is to be reported as one that failed.
inline bool has_failed(const StoredPoint& point)
{
  return !is_answer(point.state) && !is_unchecked(point);
}

/// What says in keys of points who has computed them: the program's version and, as results can change while it stays,
/// a number that rises where they do. Points of another one are computed again.
std::string results_version();

/// The key of a point: 128-bit FNV-1a hash, in hexadecimal, of a version (results_version), the effective configuration
/// and the contents of the files that it names (`files`: FileContents).
std::string point_key(std::string_view version, std::string_view config, std::string_view files);

/// A sweep as a whole as it is stored, without the results of its points.
struct StoredSweep {
  struct Row {
    std::string key;   ///< of a point; empty where its configuration is wrong
    std::string cells; ///< JSON: a list of the axes' values, numbers as numbers
    std::string facts; ///< JSON: an object with what is known of the topology, and the configuration's times as numbers
  };
  std::string document;  ///< JSON: what it takes to show the sweep again
  std::vector<Row> rows; ///< in the order of the plan
};

/// A column of the view `runs`.
struct ViewColumn {
  enum class Type {
    as_stored, ///< the value as it is: a number of JSON is an INTEGER or a REAL, another value a TEXT
    real,      ///< a number as REAL
    fraction   ///< a text such as "39/16" as REAL
  };
  std::string name;
  std::string table; ///< "points" or "sweep_points"
  std::string field; ///< of the table; or the JSON in which `path` leads to the value
  std::vector<std::string> path = {};
  Type type = Type::as_stored;
};

/// The results of a sweep in the SQLite file `results.sqlite` of its folder, one row a point. Each put is one
/// transaction (write-ahead log), so that what was put survives however the program ends. While a store is
/// open no other can be opened on its folder; reading the database with other programs is possible at any time.
class ResultStore {
public:
  enum class Opening {
    fresh,  ///< the folder must not hold results
    resume, ///< the results in the folder stay
    anew,   ///< the results in the folder are removed
    alone,  ///< like resume; no other program can read while it is open, which needs no memory shared through files:
            ///< network file systems have none
    read    ///< there must be results; nothing is written, and another store may be open
  };

  /// Makes the folder and the database where missing. Throws InputError where the folder holds results and `opening` is
  /// fresh, where another store is open on it, where results.sqlite is not a database, not one of this program, or of
  /// a later version of the format (an earlier one is brought up to this one unless `opening` is read); OutputError
  /// where the folder or the file cannot be made or written.
  ResultStore(const std::filesystem::path& folder, Opening opening);
  ~ResultStore();
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;

  /// Hands over the rows of this version of the program, in the order of their keys; damaged ones as find() does.
  void for_each(const std::function<void(StoredPoint&& point)>& take) const;

  /// The versions of the program, other than this one, that have rows here.
  std::vector<std::string> other_versions() const;

  /// The row of a point. One that is damaged counts as missing, with a warning: it can be computed again.
  std::optional<StoredPoint> find(const std::string& key) const;

  /// Stores a point, instead of one with the same key. Throws OutputError (full disk); then nothing has changed.
  void put(const StoredPoint& point);

  std::uint64_t count() const;

  /// Stores the sweep as a whole, instead of the one before.
  void put_sweep(const StoredSweep& sweep);

  /// The document of put_sweep; none where results were written before there were any.
  std::optional<std::string> sweep_document() const;

  /// Makes the view `runs` anew: a row for each point of the sweep with these columns, state, error and wall_seconds.
  void make_view(const std::vector<ViewColumn>& columns);

  /// Where the database is.
  const std::filesystem::path& file() const { return file_; }

  static constexpr int format_version = 2;

private:
  struct Close {
    void operator()(sqlite3* database) const;
  };

  void open_database(Opening opening);
  void prepare_format(Opening opening);
  void execute(const std::string& sql);

  std::filesystem::path file_;
  FolderLock lock_; ///< of the folder, as long as the database is open
  std::unique_ptr<sqlite3, Close> database_;
};

} // namespace wormcast
