#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace wormcast::testing {

/// max c*y, A*y <= b, y >= 0 with b >= 0, by the simplex method in floating point. What it gives is feasible but for
/// rounding; it need not be the maximum.
inline std::vector<double> maximize(std::vector<std::vector<double>> a, std::vector<double> b, std::vector<double> c)
{
  const std::size_t rows = a.size();
  const std::size_t columns = c.size();
  std::vector<std::size_t> basis(rows); // variable of each row; columns .. columns+rows-1 are slacks
  for (std::size_t row = 0; row < rows; ++row) {
    a[row].resize(columns + rows, 0.0);
    a[row][columns + row] = 1.0;
    basis[row] = columns + row;
  }
  c.resize(columns + rows, 0.0);
  for (std::size_t pivots = 0; pivots < 20 * (rows + columns); ++pivots) {
    const auto entering = static_cast<std::size_t>(std::max_element(c.begin(), c.end()) - c.begin());
    if (c[entering] < 1e-11) {
      break;
    }
    std::size_t leaving = rows;
    for (std::size_t row = 0; row < rows; ++row) {
      if (a[row][entering] > 1e-9 &&
          (leaving == rows || b[row] / a[row][entering] < b[leaving] / a[leaving][entering])) {
        leaving = row;
      }
    }
    if (leaving == rows) {
      break;
    }
    const double pivot = a[leaving][entering];
    for (double& value : a[leaving]) {
      value /= pivot;
    }
    b[leaving] /= pivot;
    const auto subtract = [&](std::vector<double>& from, double factor) {
      for (std::size_t i = 0; i < from.size(); ++i) {
        from[i] -= factor * a[leaving][i];
      }
    };
    for (std::size_t row = 0; row < rows; ++row) {
      if (row != leaving && a[row][entering] != 0.0) {
        b[row] = std::max(0.0, b[row] - a[row][entering] * b[leaving]);
        subtract(a[row], a[row][entering]);
      }
    }
    subtract(c, c[entering]);
    basis[leaving] = entering;
  }
  std::vector<double> solution(columns, 0.0);
  for (std::size_t row = 0; row < rows; ++row) {
    if (basis[row] < columns) {
      solution[basis[row]] = b[row];
    }
  }
  return solution;
}

/// A lower bound on beta for 2^doublings nodes with one port in `steps` steps: the dual of a linear program, so that
/// every feasible solution is a proof. With b_t the largest message of step t and q_i the part of the message that
/// leaves the source in step i first (i at most steps - doublings + 1, q_i <= b_i, sum 1):
/// - a part that left in step i has at most 2^(t-i+1) copies after step t, and at least N / 2^(steps-t);
/// - at most min(2^(t-1), N-1) nodes receive in step t, so that steps t1+1 .. t2 make at most the sum of
///   min(2^(t-1), N-1) b_t new copies;
/// - at most 2^h nodes have anything after step h; who is informed later holds after step t2 no more than was sent to
/// it
///   since, and the others no more than the message (for h = doublings - 1 and t2 = steps: some node has nothing after
///   step h, so that the steps from there on send the whole message).
inline double least_beta(std::size_t doublings, std::size_t steps)
{
  const double nodes = std::ldexp(1.0, static_cast<int>(doublings));
  const std::size_t leaving = steps - doublings + 1;
  struct Cut {
    std::size_t after = 0; ///< t1, or h
    std::size_t until = 0; ///< t2
    bool holders = false;  ///< of the third kind
  };
  std::vector<Cut> cuts;
  for (std::size_t until = steps - doublings + 1; until <= steps; ++until) {
    for (std::size_t after = 0; after < until; ++after) {
      if (steps <= 4 * doublings || until == steps || after + 1 == until) {
        cuts.push_back({after, until, false});
      }
      if (after < doublings) {
        cuts.push_back({after, until, true});
      }
    }
  }
  const auto copies_made = [&](std::size_t i, const Cut& cut) { // of the part i, over N
    const double before = cut.after < i ? 1.0 : std::ldexp(1.0, static_cast<int>(cut.after - i + 1));
    const double behind = std::ldexp(1.0, static_cast<int>(cut.until) - static_cast<int>(steps));
    if (cut.holders) {
      return std::max(0.0, behind - std::ldexp(1.0, static_cast<int>(cut.after)) / nodes);
    }
    return std::max(0.0, std::max(behind, 1.0 / nodes) - before / nodes);
  };
  const auto receivers = [&](std::size_t t, const Cut& cut) { // who can profit from step t, over N
    if (cut.holders) {
      return (std::ldexp(1.0, static_cast<int>(std::min(t, doublings))) -
              std::ldexp(1.0, static_cast<int>(cut.after))) /
             nodes;
    }
    return std::min(std::ldexp(1.0, static_cast<int>(t) - 1), nodes - 1) / nodes;
  };
  // Variables: 0 the sum of q, then q_i <= b_i by i, then the cuts. Rows: q_i, then b_t.
  const std::size_t first_cut = 1 + leaving;
  std::vector<std::vector<double>> a(leaving + steps, std::vector<double>(first_cut + cuts.size(), 0.0));
  std::vector<double> b(leaving + steps, 1.0);
  std::vector<double> c(first_cut + cuts.size(), 0.0);
  c[0] = 1.0;
  for (std::size_t i = 1; i <= leaving; ++i) {
    a[i - 1][0] = 1.0;
    a[i - 1][i] = -1.0;
    b[i - 1] = 1e-7 * static_cast<double>(i % 7 + 1); // against cycling; taken back below
    a[leaving + i - 1][i] = 1.0;
  }
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    for (std::size_t i = 1; i <= leaving; ++i) {
      a[i - 1][first_cut + j] = -copies_made(i, cuts[j]);
    }
    for (std::size_t t = cuts[j].after + 1; t <= cuts[j].until; ++t) {
      a[leaving + t - 1][first_cut + j] = receivers(t, cuts[j]);
    }
  }
  std::vector<double> y = maximize(a, b, c);
  // Made feasible again: the first variable is as large as the rows of q allow, and all are scaled down to those of b.
  y[0] = 0.0;
  double most = 1e9;
  double largest = 1.0;
  for (std::size_t row = 0; row < a.size(); ++row) {
    double sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      sum += a[row][i] * y[i];
    }
    if (row < leaving) {
      most = std::min(most, -sum);
    } else {
      largest = std::max(largest, sum);
    }
  }
  return std::max(0.0, most) / largest - 1e-9;
}

} // namespace wormcast::testing
