#include "wormcast/experiments/compare/run_json.hpp"

#include <string>
#include <type_traits>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// Calls `visit` with the name of each field and the field itself. A field that is missing here is an error of the
/// compiler.
template <typename Run, typename Visit> void visit_fields(Run& run, const Visit& visit)
{
  auto& [alpha, beta_numerator, beta_denominator, ports_needed, fits_ports, valid, contention_free, has_formula,
         predicted, predicted_is, measured, from_source, ties_known, least_by_ties, most_by_ties, ties_deadlock,
         deadlock, deadlocks, runs, contention, messages, bytes_sent, tcd, max_channel_load, fair_beta, deficiency,
         deadlock_free_from, deadlock_checked, without_faults] = run;
  visit("alpha", alpha);
  visit("beta_numerator", beta_numerator);
  visit("beta_denominator", beta_denominator);
  visit("ports_needed", ports_needed.count);
  visit("fits_ports", fits_ports);
  visit("valid", valid);
  visit("contention_free", contention_free);
  visit("has_formula", has_formula);
  visit("predicted", predicted);
  visit("predicted_is", predicted_is);
  visit("measured", measured.picoseconds);
  visit("from_source", from_source.picoseconds);
  visit("ties_known", ties_known);
  visit("least_by_ties", least_by_ties.picoseconds);
  visit("most_by_ties", most_by_ties.picoseconds);
  visit("ties_deadlock", ties_deadlock);
  visit("deadlock", deadlock.picoseconds);
  visit("deadlocks", deadlocks);
  visit("runs", runs);
  visit("contention", contention);
  visit("messages", messages);
  visit("bytes_sent", bytes_sent);
  visit("tcd", tcd);
  visit("max_channel_load", max_channel_load);
  visit("fair_beta", fair_beta);
  visit("deficiency", deficiency);
  visit("deadlock_free_from", deadlock_free_from);
  visit("deadlock_checked", deadlock_checked);
  visit("without_faults", without_faults);
}

constexpr int bits_of_a_number = 64; // sums of waits have twice as many

struct FieldWriter {
  Json& json;

  template <typename Value> void operator()(const char* name, const Value& value) const { json[name] = value; }
  void operator()(const char* name, const std::optional<Time>& time) const
  {
    json[name] = time ? Json(time->picoseconds) : Json(nullptr);
  }
  void operator()(const char* name, const std::optional<std::uint64_t>& number) const
  {
    json[name] = number ? Json(*number) : Json(nullptr);
  }
  void operator()(const char* name, PredictionKind kind) const { json[name] = prediction_kind_names.text(kind); }
  void operator()(const char* name, const ContentionTotals& totals) const
  {
    json[name] = Json::object();
    for (const ContentionKind kind : all_contention_kinds) {
      const TotalTime::Picoseconds wait = totals[kind].wait.picoseconds;
      json[name][std::string(contention_kind_names.text(kind))] = {
          {"count", totals[kind].count},
          {"wait_high", static_cast<std::uint64_t>(wait >> bits_of_a_number)},
          {"wait_low", static_cast<std::uint64_t>(wait)}};
    }
  }
};

struct FieldReader {
  const Json& json;

  template <typename Value> void operator()(const char* name, Value& value) const
  {
    value = json.at(name).get<std::remove_cvref_t<Value>>();
  }
  void operator()(const char* name, std::optional<Time>& time) const
  {
    const Json& value = json.at(name);
    time = value.is_null() ? std::nullopt : std::optional(Time{value.get<std::int64_t>()});
  }
  void operator()(const char* name, std::optional<std::uint64_t>& number) const
  {
    const Json& value = json.at(name);
    number = value.is_null() ? std::nullopt : std::optional(value.get<std::uint64_t>());
  }
  void operator()(const char* name, PredictionKind& kind) const
  {
    kind = prediction_kind_names.read(json.at(name).get<std::string>());
  }
  void operator()(const char* name, ContentionTotals& totals) const
  {
    for (const ContentionKind kind : all_contention_kinds) {
      const Json& read = json.at(name).at(std::string(contention_kind_names.text(kind)));
      ContentionTotals::Kind& sum = totals.by_kind[static_cast<std::size_t>(kind)];
      sum.count = read.at("count").get<std::uint64_t>();
      const TotalTime::Picoseconds high = read.at("wait_high").get<std::uint64_t>();
      sum.wait.picoseconds = high << bits_of_a_number | read.at("wait_low").get<std::uint64_t>();
    }
  }
};

} // namespace

nlohmann::ordered_json run_json(const ComparedRun& run, const SeedLatencies& latencies)
{
  Json json = Json::object();
  visit_fields(run, FieldWriter{json});
  json["latencies"] = latencies;
  return json;
}

void read_run_json(const nlohmann::ordered_json& json, ComparedRun& run, SeedLatencies& latencies)
{
  visit_fields(run, FieldReader{json});
  latencies = json.at("latencies").get<SeedLatencies>();
}

} // namespace wormcast
