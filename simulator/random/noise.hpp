#pragma once

#include "wormcast/values/parameter.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace wormcast {

/// Noise of start-ups, which take T_s * (1 + X), X >= 0 (docs/network-model.md, "Noise"). All distributions are
/// computed with integers, so that they are the same on every platform.
class Noise {
public:
  /// X is exponential; `mean` >= 0; this and all other parameters are at most 10^6.
  static Noise exponential(double mean);
  /// X is uniform from 0 to `to`.
  static Noise uniform(double to);
  /// X is at least x_m, above x >= x_m with probability (x_m / x)^shape, x_m = mean * (shape - 1) / shape; shape > 1.
  static Noise pareto(double mean, double shape);
  /// X is one of `values`, which is not empty, each with the frequency of its occurrence there.
  static Noise values(const std::vector<double>& values);

  /// Returns startup * X, a function of (seed, message) and the distribution alone; at most 2^60 ps.
  Time extra(Time startup, std::uint64_t seed, std::uint64_t message) const;

private:
  enum class Kind { exponential, uniform, pareto, values };
  Noise(Kind kind, double scale);

  Kind kind_;
  std::uint64_t scale_;                                      // mean, largest or smallest X, in 2^-32
  std::uint64_t doublings_ = 0;                              // pareto: 1 / (shape * ln 2), in 2^-32
  std::shared_ptr<const std::vector<std::uint64_t>> values_; // in 2^-32
};

/// Returns the declarations of the run section's keys of noise.
std::vector<Parameter> noise_declarations();

/// Converts the values of these keys, and reads the file. Throws InputError "KEY: ..." if keys do not fit together or
/// the file contains anything but numbers from 0 to 10^6; FileError if it cannot be read.
Noise noise_of(const ParameterValues& values);

} // namespace wormcast
