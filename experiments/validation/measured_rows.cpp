#include "wormcast/experiments/validation/measured_rows.hpp"

#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/csv_reader.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace wormcast {

namespace {

/// A table of a file, whose cells are asked for by the names of their columns.
class NamedColumns {
public:
  explicit NamedColumns(const std::filesystem::path& file) : file_(file)
  {
    try {
      table_ = read_csv(read_whole_file(file, any_length));
    } catch (const FileError&) {
      throw;
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
  }

  const std::vector<CsvRow>& rows() const { return table_.rows; }

  std::optional<std::size_t> find(std::string_view column) const
  {
    const auto found = std::ranges::find(table_.columns, column);
    return found == table_.columns.end() ? std::nullopt : std::optional(found - table_.columns.begin());
  }

  std::size_t required(std::string_view column) const
  {
    const std::optional<std::size_t> found = find(column);
    if (!found) {
      throw InputError(fmt::format("{}: found no column {} in {}", file_.string(), column,
                                   printable(fmt::format("{}", fmt::join(table_.columns, ", ")))));
    }
    return *found;
  }

  [[noreturn]] void fail(const CsvRow& row, std::string_view what) const
  {
    throw InputError(fmt::format("{}: line {}: {}", file_.string(), row.line, what));
  }

  template <typename Number> Number number(const CsvRow& row, std::size_t column, std::string_view expected) const
  {
    const std::string& text = row.cells[column];
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      fail(row, fmt::format("{}: found \"{}\", expected {}", table_.columns[column], printable(text), expected));
    }
    return value;
  }

  Time nanoseconds(const CsvRow& row, std::size_t column) const
  {
    Time time;
    try {
      time = parse_time(row.cells[column] + "ns");
    } catch (const InputError&) {
      fail(row, fmt::format("{}: found \"{}\", expected nanoseconds with at most three decimals",
                            table_.columns[column], printable(row.cells[column])));
    }
    if (time.picoseconds == 0) {
      fail(row, fmt::format("{}: found 0, expected a time above 0", table_.columns[column]));
    }
    return time;
  }

private:
  std::filesystem::path file_;
  CsvTable table_;
};

/// Nanoseconds as an exact decimal.
std::string nanoseconds_text(Time time)
{
  constexpr std::int64_t nanosecond = 1000;
  const std::int64_t rest = time.picoseconds % nanosecond;
  return fmt::to_string(time.picoseconds / nanosecond) + (rest == 0 ? "" : fmt::format(".{:03}", rest));
}

/// The columns that name a case.
struct CaseColumns {
  explicit CaseColumns(const NamedColumns& table)
      : collective(table.required("collective")), shape(table.required("shape")),
        algorithm(table.required("algorithm")), bytes(table.required("bytes"))
  {}

  MeasuredCase read(const NamedColumns& table, const CsvRow& row) const
  {
    return {.collective = row.cells[collective],
            .shape = row.cells[shape],
            .algorithm = row.cells[algorithm],
            .bytes = table.number<std::uint64_t>(row, bytes, "a whole number of bytes")};
  }

  std::size_t collective;
  std::size_t shape;
  std::size_t algorithm;
  std::size_t bytes;
};

} // namespace

std::string case_text(const MeasuredCase& of)
{
  return fmt::format("{} on {} by {}, {}", printable(of.collective), printable(of.shape), printable(of.algorithm),
                     format_bytes(of.bytes));
}

double relative_range(const MeasuredRow& row)
{
  return static_cast<double>((row.high - row.low).picoseconds) / static_cast<double>(row.median.picoseconds);
}

std::vector<MeasuredRow> read_measured_rows(const std::filesystem::path& file)
{
  const NamedColumns table(file);
  const CaseColumns cases(table);
  const std::size_t median = table.required("median_ns");
  const std::size_t low = table.required("p10_ns");
  const std::size_t high = table.required("p90_ns");
  const std::optional<std::size_t> ports = table.find("ports");
  std::vector<MeasuredRow> rows;
  std::map<MeasuredCase, std::uint64_t> lines;
  for (const CsvRow& cells : table.rows()) {
    MeasuredRow row{.of = cases.read(table, cells),
                    .ports = {},
                    .median = table.nanoseconds(cells, median),
                    .low = table.nanoseconds(cells, low),
                    .high = table.nanoseconds(cells, high)};
    if (ports && !cells.cells[*ports].empty()) {
      row.ports = table.number<std::uint32_t>(cells, *ports, "a number of ports, or nothing");
    }
    if (row.low > row.median || row.median > row.high) {
      table.fail(cells, "found percentiles that are not in the order p10_ns, median_ns, p90_ns");
    }
    const auto [earlier, is_new] = lines.emplace(row.of, cells.line);
    if (!is_new) {
      table.fail(cells, fmt::format("{} is in line {}, too", case_text(row.of), earlier->second));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<PredictedTime> read_predicted_times(const std::filesystem::path& file)
{
  const NamedColumns table(file);
  const CaseColumns cases(table);
  const std::size_t model = table.required("model");
  const std::size_t time = table.required("predicted_ns");
  std::vector<PredictedTime> predictions;
  std::map<std::pair<std::string, MeasuredCase>, std::uint64_t> lines;
  for (const CsvRow& cells : table.rows()) {
    PredictedTime prediction{.of = cases.read(table, cells), .model = cells.cells[model], .time = {}};
    if (!cells.cells[time].empty()) {
      prediction.time = table.nanoseconds(cells, time);
    }
    const auto [earlier, is_new] = lines.emplace(std::pair(prediction.model, prediction.of), cells.line);
    if (!is_new) {
      table.fail(cells, fmt::format("model {} has {} in line {}, too", printable(prediction.model),
                                    case_text(prediction.of), earlier->second));
    }
    predictions.push_back(std::move(prediction));
  }
  return predictions;
}

std::string predicted_times_csv(std::span<const PredictedTime> predictions)
{
  std::string csv =
      csv_line(std::vector<std::string>{"collective", "shape", "algorithm", "bytes", "model", "predicted_ns"});
  for (const PredictedTime& prediction : predictions) {
    csv += csv_line(std::vector<std::string>{prediction.of.collective, prediction.of.shape, prediction.of.algorithm,
                                             fmt::to_string(prediction.of.bytes), prediction.model,
                                             prediction.time ? nanoseconds_text(*prediction.time) : std::string()});
  }
  return csv;
}

} // namespace wormcast
