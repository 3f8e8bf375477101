#pragma once

#include "wormcast/values/names.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// The verdict on a claim.
enum class Verdict {
  confirmed,   ///< it holds as it is printed, in everything that was tested
  refuted,     ///< it fails, and something is lost by it: a theorem, a proof, a figure, an algorithm
  misprint,    ///< it fails as printed, but its corrected form holds and nothing else depends on the slip
  ambiguous,   ///< readings of it differ in their outcome; the evidence has the outcome of each
  not_testable ///< the figure or schedule that it speaks of is not at hand; the evidence says what was tested instead
};

/// "confirmed", "refuted", ...: as in files.
inline constexpr auto verdict_names = names<Verdict>({{Verdict::confirmed, "confirmed"},
                                                      {Verdict::refuted, "refuted"},
                                                      {Verdict::misprint, "misprint"},
                                                      {Verdict::ambiguous, "ambiguous"},
                                                      {Verdict::not_testable, "not testable"}});

/// A point of a series, coordinates as exact decimals. With an interval, from `low` to `high`; both empty: none.
struct ExhibitPoint {
  std::string x;
  std::string y;
  std::string low = {};
  std::string high = {};

  friend bool operator==(const ExhibitPoint&, const ExhibitPoint&) = default;
};

/// One curve or set of points of a figure.
struct ExhibitSeries {
  enum class Kind {
    measured, ///< drawn as points
    predicted ///< drawn as a line
  };
  std::string title;
  Kind kind = Kind::measured;
  std::vector<ExhibitPoint> points;

  friend bool operator==(const ExhibitSeries&, const ExhibitSeries&) = default;
};

/// Something to point out in a figure: a crossing of two curves.
struct ExhibitMark {
  std::string x;
  std::string y; ///< empty: a vertical line
  std::string label;

  friend bool operator==(const ExhibitMark&, const ExhibitMark&) = default;
};

/// Curves in one pair of axes.
struct ExhibitFigure {
  std::string title;
  std::string x_label; ///< with the unit: "message length (bytes)"
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<ExhibitSeries> series;
  std::vector<ExhibitMark> marks;

  friend bool operator==(const ExhibitFigure&, const ExhibitFigure&) = default;
};

/// A heat map.
struct ExhibitMatrix {
  std::string title;
  std::string x_label;                          ///< of the columns
  std::string y_label;                          ///< of the rows
  bool y_up = false;                            ///< row 0 is drawn at the bottom, as the rows of a mesh
  std::vector<std::vector<std::string>> values; ///< rows of decimals; empty text: no value
  std::vector<std::vector<std::string>> labels; ///< text of a cell; empty: the value
  std::vector<std::pair<int, int>> marked;      ///< column and row of cells to point out

  friend bool operator==(const ExhibitMatrix&, const ExhibitMatrix&) = default;
};

/// A table of texts; rows are as long as the header.
struct ExhibitTable {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;

  friend bool operator==(const ExhibitTable&, const ExhibitTable&) = default;
};

/// The first of the cases searched in which a claim fails. Small cases are searched first, but nothing says that there
/// is no smaller one.
struct Counterexample {
  std::string text;                          ///< topology, messages, channel
  nlohmann::ordered_json schedule = nullptr; ///< wormcast-schedule/1; null: none

  friend bool operator==(const Counterexample&, const Counterexample&) = default;
};

/// One interpretation of a statement, with its verdict.
struct Reading {
  std::string text; ///< "shortest paths, ties to the positive side"
  Verdict verdict = Verdict::confirmed;
  std::string measured;

  friend bool operator==(const Reading&, const Reading&) = default;
};

/// The measurements of the simulator, or the proofs of the verifier, for a claim.
struct Evidence {
  std::string measured; ///< the found value, next to the claimed one
  Verdict verdict = Verdict::confirmed;
  std::string correction = {};        ///< the true statement, or the missing condition
  std::vector<Reading> readings = {}; ///< empty where there is one reading alone
  std::optional<Counterexample> counterexample = {};
  std::vector<ExhibitFigure> figures = {};
  std::vector<ExhibitMatrix> matrices = {};
  std::vector<ExhibitTable> tables = {};

  friend bool operator==(const Evidence&, const Evidence&) = default;
};

/// Evidence crosses the boundary between processes as JSON. Throws nlohmann::json::exception where `json` is not of
/// to_json's making.
nlohmann::ordered_json evidence_json(const Evidence& evidence);
Evidence evidence_from_json(const nlohmann::ordered_json& json);

/// CSV files of the exhibits: a suffix (".csv" for all figures, ".table-1.csv", ".matrix-1.csv") and the text.
std::vector<std::pair<std::string, std::string>> exhibit_csvs(const Evidence& evidence);

} // namespace wormcast
