#include "wormcast/experiments/sweep/result_store.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>
#include <sqlite3.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace wormcast {

namespace {

constexpr int application_id = 0x776f726d; // "worm"

constexpr const char* schema = R"(
CREATE TABLE points (
  key TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  config TEXT NOT NULL,
  state TEXT NOT NULL,
  result TEXT NOT NULL,
  error TEXT NOT NULL,
  wall_seconds REAL NOT NULL
);
)";

/// They can hold its lock for a moment.
constexpr std::chrono::seconds until_children_of_killed_sweeps_are_gone(2);

/// The columns that format 2 added.
constexpr const char* schema_2 = R"(
ALTER TABLE points ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
CREATE TABLE sweep (
  document TEXT NOT NULL
);
CREATE TABLE sweep_points (
  position INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  cells TEXT NOT NULL,
  facts TEXT NOT NULL
);
)";

constexpr const char* point_columns = "SELECT key, config, state, result, error, wall_seconds, checksum FROM points ";

constexpr const char* all_columns =
    "SELECT key, version, config, state, result, error, wall_seconds FROM points LIMIT 0";

/// RFC 9923 (FNV-1a), 128 bits, in hexadecimal, of texts with a zero behind each. The arithmetic is modulo 2^128.
std::string hash_of(std::span<const std::string_view> parts)
{
  constexpr std::uint64_t prime_high = 1ULL << 24;
  constexpr std::uint64_t prime_low = 0x13b;
  std::uint64_t high = 0x6c62272e07bb0142;
  std::uint64_t low = 0x62b821756295c58d;
  const auto absorb = [&](unsigned char byte) {
    low ^= byte;
    const std::uint64_t low_half = (low & 0xffffffff) * prime_low;
    const std::uint64_t high_half = (low >> 32) * prime_low + (low_half >> 32);
    high = high * prime_low + low * prime_high + (high_half >> 32);
    low = high_half << 32 | (low_half & 0xffffffff);
  };
  for (const std::string_view part : parts) {
    for (const char byte : part) {
      absorb(static_cast<unsigned char>(byte));
    }
    absorb(0);
  }
  return fmt::format("{:016x}{:016x}", high, low);
}

/// Of all that a row says, so that it need not be parsed to know that it is whole.
std::string checksum_of(const StoredPoint& stored)
{
  const std::array<std::string_view, 4> parts = {stored.config, point_state_names.text(stored.state), stored.result,
                                                 stored.error};
  return hash_of(parts);
}

/// Why the row of a finished point cannot be one that this program has written; empty: it can.
std::string damage_of(const StoredPoint& stored)
{
  if (stored.state != PointState::done && stored.state != PointState::deadlock) {
    return {};
  }
  try {
    const nlohmann::json result = nlohmann::json::parse(stored.result);
    if (!result.is_object() || result.value("format", "") != "wormcast-result/1") {
      return "its result has another format";
    }
    if (result.at("config") != nlohmann::json::parse(stored.config)) {
      return "its result is that of another configuration";
    }
    if (result.at("latency_us").is_null() != (stored.state == PointState::deadlock)) {
      return "its result has another state";
    }
    return {};
  } catch (const nlohmann::json::exception&) {
    return "its result is not complete";
  }
}

/// Whether a result is that of a series among more traffic than the network carries. Stores of version 0.2.0 have such
/// points as done.
bool is_saturated(const std::string& result)
{
  if (result.find("\"saturated\": true") == std::string::npos) {
    return false;
  }
  const nlohmann::json json = nlohmann::json::parse(result, nullptr, false);
  return json.is_object() && json.value("format", "") == "wormcast-series/1" && json.contains("load") &&
         json["load"].is_object() && json["load"].value("saturated", false);
}

/// The error that SQLite's last failure on `database` is to a user.
[[noreturn]] void fail(sqlite3* database, const std::filesystem::path& file)
{
  switch (sqlite3_errcode(database)) {
  case SQLITE_NOTADB:
  case SQLITE_CORRUPT:
    throw InputError(fmt::format("{}: not a usable SQLite database ({}); name another folder with --out", file.string(),
                                 sqlite3_errmsg(database)));
  case SQLITE_FULL:
    throw OutputError(fmt::format("{}: cannot write results: the disk is full", file.string()));
  case SQLITE_BUSY:
    throw OutputError(fmt::format("{}: another program holds the lock of the database", file.string()));
  default: {
    const int reason = sqlite3_system_errno(database);
    throw OutputError(fmt::format("{}: cannot read or write results: {}{}", file.string(), sqlite3_errmsg(database),
                                  reason != 0 ? fmt::format(" ({})", std::strerror(reason)) : std::string()));
  }
  }
}

/// One SQL statement with its parameters bound in order.
class Statement {
public:
  Statement(sqlite3* database, const std::filesystem::path& file, const char* sql) : database_(database), file_(file)
  {
    if (sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr) != SQLITE_OK) {
      fail(database, file);
    }
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(const std::string& text)
  {
    check(sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
  }
  Statement& bind(double number)
  {
    check(sqlite3_bind_double(statement_, ++bound_, number));
    return *this;
  }
  /// Whether there is a (further) row.
  bool step()
  {
    const int outcome = sqlite3_step(statement_);
    if (outcome != SQLITE_ROW && outcome != SQLITE_DONE) {
      fail(database_, file_);
    }
    return outcome == SQLITE_ROW;
  }
  std::string text(int column) const
  {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes == nullptr ? std::string() : std::string(bytes, sqlite3_column_bytes(statement_, column));
  }
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  double real(int column) const { return sqlite3_column_double(statement_, column); }

private:
  void check(int outcome)
  {
    if (outcome != SQLITE_OK) {
      fail(database_, file_);
    }
  }

  sqlite3* database_;
  const std::filesystem::path& file_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

/// The row of point_columns that `query` has reached; none, with a warning, where it is damaged.
std::optional<StoredPoint> read_point(const Statement& query, const std::filesystem::path& file)
{
  const std::optional<PointState> state = point_state_names.find(query.text(2));
  StoredPoint stored{query.text(0), query.text(1), state.value_or(PointState::died),
                     query.text(3), query.text(4), query.real(5)};
  const bool whole = state && query.text(6) == checksum_of(stored);
  std::string damage = whole ? std::string() : damage_of(stored);
  if (!whole && damage.empty() && !query.text(6).empty()) {
    damage = "it has been changed";
  }
  if (!state) {
    damage = fmt::format("it has the state \"{}\"", query.text(2));
  }
  if (!damage.empty()) {
    spdlog::warn("{}: the row of the point {} is damaged: {}; it is computed again", file.string(), stored.key, damage);
    return std::nullopt;
  }
  if (stored.state == PointState::done && is_saturated(stored.result)) {
    stored.state = PointState::saturated;
  }
  return stored;
}

std::int64_t pragma(sqlite3* database, const std::filesystem::path& file, const char* sql)
{
  Statement statement(database, file, sql);
  return statement.step() ? statement.integer(0) : 0;
}

} // namespace

bool is_finished(PointState state)
{
  return state == PointState::done || state == PointState::deadlock || state == PointState::incomplete ||
         state == PointState::saturated;
}

bool is_answer(PointState state)
{
  return state == PointState::done || state == PointState::saturated;
}

std::string results_version()
{
  // 2: complete, predicted_is; verdicts of loads; buffers that cover per_hop.
  constexpr int revision = 2;
  return fmt::format("{}/{}", program_version(), revision);
}

std::string point_key(std::string_view version, std::string_view config, std::string_view files)
{
  const std::array parts = {version, config, files};
  return hash_of(parts);
}

void ResultStore::Close::operator()(sqlite3* database) const
{
  sqlite3_close(database);
}

ResultStore::ResultStore(const std::filesystem::path& folder, Opening opening) : file_(folder / "results.sqlite")
{
  if (opening == Opening::read) {
    if (std::error_code ignored; !std::filesystem::exists(file_, ignored)) {
      throw InputError(fmt::format("{}: holds no results of a sweep (no results.sqlite)", folder.string()));
    }
    open_database(opening);
    prepare_format(opening);
    return;
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (std::error_code ignored; !std::filesystem::is_directory(folder, ignored)) {
    throw OutputError(fmt::format("{}: cannot make the folder for the results: {}", folder.string(),
                                  error ? error.message() : "it is not a folder"));
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    throw OutputError(fmt::format("{}: cannot write results there: {}", folder.string(), std::strerror(errno)));
  }
  if (!lock_.acquire_folder(folder, until_children_of_killed_sweeps_are_gone)) {
    throw InputError(fmt::format("{}: another sweep is writing its results here", folder.string()));
  }
  open_database(opening);
  prepare_format(opening);
  if (opening == Opening::anew) {
    execute("DELETE FROM points");
  }
  if (opening == Opening::fresh && count() > 0) {
    throw InputError(fmt::format("{}: holds the results of an earlier sweep; go on with --resume, or name another "
                                 "folder with --out",
                                 folder.string()));
  }
}

ResultStore::~ResultStore() = default;

void ResultStore::open_database(Opening opening)
{
  sqlite3* database = nullptr;
  const int outcome = sqlite3_open_v2(
      file_.c_str(), &database,
      opening == Opening::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  database_.reset(database);
  if (outcome != SQLITE_OK) {
    fail(database, file_);
  }
  sqlite3_busy_timeout(database, 10000);
}

void ResultStore::execute(const std::string& sql)
{
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail(database_.get(), file_);
  }
}

void ResultStore::prepare_format(Opening opening)
{
  sqlite3* database = database_.get();
  const std::int64_t application = pragma(database, file_, "PRAGMA application_id");
  const std::int64_t version = pragma(database, file_, "PRAGMA user_version");
  const bool empty = pragma(database, file_, "SELECT count(*) FROM sqlite_schema") == 0;
  if (empty && opening == Opening::read) {
    throw InputError(fmt::format("{}: holds no results of a sweep", file_.string()));
  }
  if (!empty && application != application_id) {
    throw InputError(fmt::format("{}: a database of another program, "
                                 "not results of a sweep; name another folder with --out",
                                 file_.string()));
  }
  const bool earlier = version == 1;
  if (!empty && version != format_version && (!earlier || opening == Opening::read)) {
    throw InputError(fmt::format("{}: results in format {}, but this program reads and writes format {}; {}",
                                 file_.string(), version, format_version,
                                 earlier ? "\"wormcast sweep --resume\" brings them up to it and computes nothing anew"
                                         : "name another folder with --out"));
  }
  if (!empty && sqlite3_exec(database, all_columns, nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw InputError(fmt::format("{}: not a table of results ({}); name another folder with --out", file_.string(),
                                 sqlite3_errmsg(database)));
  }
  if (opening == Opening::read) {
    return;
  }
  if (opening == Opening::alone) {
    execute("PRAGMA locking_mode = EXCLUSIVE");
  }
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = NORMAL");
  if (empty || earlier) {
    execute(fmt::format("BEGIN; PRAGMA application_id = {}; PRAGMA user_version = {}; {} {} COMMIT;", application_id,
                        format_version, empty ? schema : "", schema_2));
  }
}

std::optional<StoredPoint> ResultStore::find(const std::string& key) const
{
  Statement query(database_.get(), file_, fmt::format("{}WHERE key = ?", point_columns).c_str());
  return query.bind(key).step() ? read_point(query, file_) : std::nullopt;
}

void ResultStore::for_each(const std::function<void(StoredPoint&& point)>& take) const
{
  Statement query(database_.get(), file_, fmt::format("{}WHERE version = ? ORDER BY key", point_columns).c_str());
  query.bind(std::string(program_version()));
  while (query.step()) {
    if (std::optional<StoredPoint> point = read_point(query, file_)) {
      take(std::move(*point));
    }
  }
}

std::vector<std::string> ResultStore::other_versions() const
{
  Statement query(database_.get(), file_, "SELECT DISTINCT version FROM points WHERE version != ? ORDER BY version");
  query.bind(std::string(program_version()));
  std::vector<std::string> versions;
  while (query.step()) {
    versions.push_back(query.text(0));
  }
  return versions;
}

void ResultStore::put(const StoredPoint& point)
{
  Statement(database_.get(), file_,
            "INSERT OR REPLACE INTO points (key, version, config, state, result, error, wall_seconds, checksum) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(point.key)
      .bind(std::string(program_version()))
      .bind(point.config)
      .bind(std::string(point_state_names.text(point.state)))
      .bind(point.result)
      .bind(point.error)
      .bind(point.wall_seconds)
      .bind(checksum_of(point))
      .step();
}

std::uint64_t ResultStore::count() const
{
  return static_cast<std::uint64_t>(pragma(database_.get(), file_, "SELECT count(*) FROM points"));
}

void ResultStore::put_sweep(const StoredSweep& sweep)
{
  execute("BEGIN; DELETE FROM sweep; DELETE FROM sweep_points;");
  try {
    Statement(database_.get(), file_, "INSERT INTO sweep (document) VALUES (?)").bind(sweep.document).step();
    for (const StoredSweep::Row& row : sweep.rows) {
      Statement(database_.get(), file_, "INSERT INTO sweep_points (key, cells, facts) VALUES (?, ?, ?)")
          .bind(row.key)
          .bind(row.cells)
          .bind(row.facts)
          .step();
    }
    execute("COMMIT");
  } catch (...) {
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

std::optional<std::string> ResultStore::sweep_document() const
{
  Statement query(database_.get(), file_, "SELECT document FROM sweep");
  return query.step() ? std::optional(query.text(0)) : std::nullopt;
}

void ResultStore::make_view(const std::vector<ViewColumn>& columns)
{
  const auto doubled = [](std::string_view text, char quote) {
    std::string result;
    for (const char letter : text) {
      result += letter;
      if (letter == quote) {
        result += quote;
      }
    }
    return result;
  };
  std::string select;
  for (const ViewColumn& column : columns) {
    std::string value = column.table + "." + column.field;
    if (!column.path.empty()) {
      std::string path = "$";
      for (const std::string& part : column.path) {
        path += part.starts_with('[') ? part : ".\"" + part + "\"";
      }
      // Where there is no result its text is empty, which is no JSON.
      value = fmt::format("json_extract(nullif({}, ''), '{}')", value, doubled(path, '\''));
    }
    if (column.type == ViewColumn::Type::real) {
      value = fmt::format("CAST({} AS REAL)", value);
    } else if (column.type == ViewColumn::Type::fraction) { // the cast reads the digits up to the slash
      value = fmt::format("CAST({0} AS REAL) / CASE WHEN instr({0}, "
                          "'/') THEN substr({0}, instr({0}, '/') + 1) ELSE 1 END",
                          value);
    }
    select += fmt::format("  {} AS \"{}\",\n", value, doubled(column.name, '"'));
  }
  execute(fmt::format("BEGIN; DROP VIEW IF EXISTS runs; CREATE VIEW runs AS SELECT\n{}"
                      "  CASE WHEN points.state = 'done' AND json_extract(points.result, '$.load.saturated')\n"
                      "    THEN 'saturated' ELSE points.state END AS state,\n"
                      "  points.error AS error,\n  points.wall_seconds AS wall_seconds\n"
                      "FROM sweep_points LEFT JOIN points ON points.key = sweep_points.key\n"
                      "ORDER BY sweep_points.position; COMMIT;",
                      select));
}

} // namespace wormcast
