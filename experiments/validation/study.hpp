#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/validation/row_values.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Which measured rows a part of a study is about; in each text * stands for any characters.
struct RowPattern {
  std::string collective = "*";
  std::string shape = "*";
  std::string algorithm = "*";
};

/// Whether the row is one of them.
bool matches(const RowPattern& pattern, const MeasuredCase& of);

/// What a model changes in the configuration of the rows that it is about.
struct StudiedModel {
  std::string name; ///< of the model: several entries can have the same one, for different rows
  RowPattern rows;
  std::vector<std::string> set; ///< "KEY=VALUE", as of --set, with what configuration_changes() replaces
  /// Every channel is free at any time: the latency is that of run.paired.
  bool without_contention = false;
};

/// How the program simulates an algorithm that was measured.
struct StudiedAlgorithm {
  RowPattern rows;
  std::vector<std::string> set; ///< as in StudiedModel
};

/// How four constants of a machine follow from the times of one algorithm on one shape whose nodes send `messages`
/// messages of the vector's length one after the other, adding after each: fit_constants(). `sources` are keys' places.
struct FitRule {
  std::string collective;
  std::string shape;
  std::string algorithm;
  std::uint64_t messages = 0;
  Time per_hop;                           ///< T_f, not fitted
  ByteTime per_byte;                      ///< T_c, not fitted
  std::vector<std::uint64_t> short_bytes; ///< vectors of these ascending sizes are neither announced nor added
  std::uint64_t ready_bytes = 0;          ///< each message of these is announced by one without bytes
  std::uint64_t additions_from = 0;       ///< rows of at least so many bytes give the time of an addition
  Origin origin;                          ///< of the section
};

/// A time, or a table of times, that is found so that measured rows are predicted exactly, or that is given.
struct ConstantRule {
  std::string name;
  std::string value; ///< "5us", "2KiB 0us, 4KiB 3us": not fitted, and nothing else is said; empty: found
  std::string model; ///< by which the rows are predicted
  RowPattern rows;
  std::string bytes;                ///< "16KiB", "16KiB..": which sizes; empty: all
  std::vector<std::string> entries; ///< of a table, "BYTES FACTOR": what has FACTOR times the time; empty: it is a time
  Origin origin;
};

/// A machine that was measured, and how its times are predicted.
struct ValidationStudy {
  std::filesystem::path file;
  std::optional<std::filesystem::path> measured; ///< the file of measured rows
  std::filesystem::path configuration;           ///< what all predictions have in common
  std::vector<std::string> set;                  ///< changes of it for all predictions, as in StudiedModel
  std::optional<FitRule> fit;
  std::vector<ConstantRule> constants; ///< in the order in which they are found
  std::vector<StudiedModel> models;
  std::vector<StudiedAlgorithm> algorithms;
};

/// Reads a study in TOML: `configuration` and where it is given `measured`, files relative to the study's folder,
/// `set`, tables [[model]] and [[algorithm]], and where constants are fitted [fit] and [[constant]]. Throws InputError
/// with file, line and key where something is missing, unknown or has another type, FileError where the file cannot be
/// read.
ValidationStudy read_study(const std::filesystem::path& file);

/// The same of a text; `file` is the name in errors.
ValidationStudy read_study(std::string_view text, const std::filesystem::path& file);

/// Returns the models' names, each once, in the order of the file.
std::vector<std::string> model_names(const ValidationStudy& study);

/// How one row is predicted.
struct StudiedRow {
  std::vector<std::string> set; ///< of the study, of the algorithm, then of the model
  bool without_contention = false;
};

/// Returns the first algorithm and the first entry of the model that are about the row, with values in the place of
/// names in braces (with_row_values). None where there is none of them. Throws InputError as with_row_values().
std::optional<StudiedRow> configuration_changes(const ValidationStudy& study, const std::string& model,
                                                const MeasuredRow& row, const FittedValues& fitted = {});

} // namespace wormcast
