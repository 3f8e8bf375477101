#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/fugaku/checks.hpp"
#include "wormcast/experiments/reproduction/fugaku/error_rules.hpp"
#include "wormcast/experiments/reproduction/fugaku/measured_study.hpp"
#include "wormcast/experiments/validation/error_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace wormcast::fugaku {

namespace {

Evidence recursive_doubling_on_squares()
{
  const MeasuredStudy& measured = measured_study();
  const std::vector<MeasuredRow> rows = rows_of(measured, "allreduce", "4x4x4", "RECDOUB-L-UTOFU-0-1", mebibyte);
  const double folded = median_of(errors(measured, "folded", rows));
  const double plain = median_of(errors(measured, "plain", rows));
  return judged(
      "median errors from 1 MiB on",
      {observed("folded", "within 5 %", folded, folded <= 0.05), observed("plain", "above 30 %", plain, plain > 0.3)},
      folded > 0.1);
}

Evidence one_vector_through_b()
{
  const MeasuredStudy& measured = measured_study();
  const std::map<std::uint64_t, Time>& additions = measured.constants.values.tables.at("addition");
  std::vector<Observation> observations;
  bool is_refuted = false;
  for (const std::uint64_t bytes : {8 * mebibyte, 64 * mebibyte, 512 * mebibyte}) {
    const MeasuredRow row = rows_of(measured, "allreduce", "8x8x8", "BINE-L-UTOFU-0-1", bytes).front();
    const double vector = static_cast<double>(bytes) * measured.constants.values.per_byte.nearest();
    const double vectors = static_cast<double>((row.median - 9 * additions.at(bytes)).picoseconds) / vector;
    observations.push_back({.what = case_text(row.of),
                            .expected = "10.0 +- 0.3",
                            .found = fmt::format("{:.2f}", vectors),
                            .holds = std::abs(vectors - 10) <= 0.3});
    is_refuted = is_refuted || vectors < 9.5 || vectors > 10.5;
    const double error = errors(measured, "folded", {row}).front();
    observations.push_back(observed("folded, the same", "within 4 %", error, std::abs(error) <= 0.04));
  }
  return judged("(measured - 9 additions) / (bytes times T_c), and errors of the prediction", observations, is_refuted);
}

Evidence constants_carry_over()
{
  const MeasuredStudy& measured = measured_study();
  const std::vector<double> all =
      errors(measured, "folded", rows_of(measured, "allreduce", "4x4x4", "RECDOUB-L-UTOFU-0-1"));
  const double median = median_of(all);
  const double worst = worst_of(all);
  return judged(
      fmt::format("errors of {} rows of recursive doubling, all sizes; those of Bine are held back", all.size()),
      {observed("median", "at most 3 %", median, median <= 0.03),
       observed("worst", "at most 8 %", worst, worst <= 0.08)},
      median > 0.06);
}

Evidence trees_without_contention()
{
  const MeasuredStudy& measured = measured_study();
  std::vector<Observation> observations;
  bool is_refuted = false;
  for (const std::string shape : {"4x4x4", "8x8x8"}) {
    for (const MeasuredRow& row : rows_of(measured, "bcast", shape, "BINE-BINOMIAL_TREE_TMPBUF-UTOFU-0-1")) {
      const double error = errors(measured, "folded", {row}).front();
      observations.push_back(observed(case_text(row.of), "within 6 %", error, std::abs(error) <= 0.06));
      is_refuted = is_refuted || std::abs(error) > 0.12;
    }
  }
  return judged("errors of broadcasts by Bine trees with one port", observations, is_refuted);
}

Evidence serial_addition()
{
  const MeasuredStudy& measured = measured_study();
  const auto time = [&](const std::string& algorithm, const std::vector<std::string>& further) {
    const std::uint64_t bytes = 512 * mebibyte;
    const MeasuredRow row = rows_of(measured, "allreduce", "2x2x2", algorithm, bytes).front();
    return static_cast<double>(predicted(measured, "folded", row, further).picoseconds);
  };
  const double one = time("BINE-L-UTOFU-0-1", {});
  const double free = one / time("BINE-L-UTOFU-0-6", {"run.reduce=2KiB 0us"});
  const double serial = as_measured(one / time("BINE-L-UTOFU-0-6", {}), free);
  return judged("by how much six ports are predicted to be faster than one at 2x2x2, 512 MiB",
                {{.what = "without time for additions of threads",
                  .expected = "above 3.3",
                  .found = fmt::format("{:.2f}", free),
                  .holds = free > 3.3},
                 {.what = "with serial additions",
                  .expected = "2.0 to 2.9",
                  .found = fmt::format("{:.2f}", serial),
                  .holds = serial >= 2.0 && serial <= 2.9}},
                true);
}

} // namespace

std::vector<Check> row_checks()
{
  return {
      of_rows("recursive_doubling_on_squares", "the rows of RECDOUB-L on 4x4x4 and those of the constants",
              recursive_doubling_on_squares),
      of_rows("one_vector_through_b", "the rows of BINE-L on 8x8x8 and those of the constants", one_vector_through_b),
      of_rows("constants_carry_over", "the rows of one port on 4x4x4 and those of the constants", constants_carry_over),
      of_rows("trees_without_contention", "the rows of broadcasts and those of the constants",
              trees_without_contention),
      of_rows("serial_addition", "the rows of 2x2x2", serial_addition)};
}

} // namespace wormcast::fugaku
