#pragma once

#include "wormcast/values/parameter.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace wormcast {

/// How much longer start-ups take than T_s: T_s * (1 + X), X >= 0 (docs/network-model.md, "Noise"). All distributions
/// are made of whole numbers, so that they are the same on every platform.
class Noise {
public:
  /// X exponential; `mean` >= 0, as all that follow at most 10^6.
  static Noise exponential(double mean);
  /// X uniform from 0 to `to`.
  static Noise uniform(double to);
  /// X at least x_m, above x >= x_m with probability (x_m / x)^shape, x_m = mean * (shape - 1) / shape; shape > 1.
  static Noise pareto(double mean, double shape);
  /// X one of `values`, each as often as it stands there; not empty.
  static Noise values(const std::vector<double>& values);

  /// startup * X, a function of (seed, message) and the distribution alone; at most 2^60 ps.
  Time extra(Time startup, std::uint64_t seed, std::uint64_t message) const;

private:
  enum class Kind { exponential, uniform, pareto, values };
  Noise(Kind kind, double scale);

  Kind kind_;
  std::uint64_t scale_;                                      // mean, largest or smallest X, in 2^-32
  std::uint64_t doublings_ = 0;                              // pareto: 1 / (shape * ln 2), in 2^-32
  std::shared_ptr<const std::vector<std::uint64_t>> values_; // in 2^-32
};

/// The keys of the run section that say how start-ups are disturbed.
std::vector<Parameter> noise_declarations();

/// What these keys say. The file is read. Throws InputError "KEY: ..." where keys do not fit together or the file has
/// something else than numbers from 0 to 10^6; FileError where it cannot be read.
Noise noise_of(const ParameterValues& values);

} // namespace wormcast
