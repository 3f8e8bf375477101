#include "wormcast/algorithms/tuning/fastest.hpp"

#include <stdexcept>

namespace wormcast {

ExactTime formula_time(const FormulaCosts& formula, const ScheduleRequest& request)
{
  if (!request.costs) {
    throw std::logic_error("a time was asked for without the network's costs");
  }
  return ExactTime(formula.alpha) * request.costs->startup.picoseconds +
         ExactTime(formula.beta.numerator(), formula.beta.denominator()) * request.message_bytes *
             ExactTime(request.costs->per_byte.picoseconds(), request.costs->per_byte.bytes());
}

std::size_t fastest(std::span<const FormulaCosts> formulas, const ScheduleRequest& request)
{
  std::size_t best = 0;
  ExactTime least = formula_time(formulas[0], request);
  for (std::size_t i = 1; i < formulas.size(); ++i) {
    if (ExactTime time = formula_time(formulas[i], request); time < least) {
      best = i;
      least = std::move(time);
    }
  }
  return best;
}

bool is_best(const ScheduleRequest& request, std::string_view parameter)
{
  const auto found = request.parameters.all().find(parameter);
  if (found == request.parameters.all().end()) {
    return false;
  }
  const auto* text = std::get_if<std::string>(&found->second);
  return text != nullptr && *text == best_value;
}

} // namespace wormcast
