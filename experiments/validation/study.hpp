#pragma once

#include "wormcast/experiments/validation/measured_rows.hpp"

#include <filesystem>
#include <optional>
#include <string>
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

/// A machine that was measured, and how its times are predicted.
struct ValidationStudy {
  std::filesystem::path file;
  std::filesystem::path measured;      ///< the file of measured rows
  std::filesystem::path configuration; ///< what all predictions have in common
  std::vector<StudiedModel> models;
  std::vector<StudiedAlgorithm> algorithms;
};

/// Reads a study in TOML: `measured` and `configuration`, files relative to the study's folder, and tables [[model]]
/// and [[algorithm]]. Throws InputError with file, line and key where something is missing, unknown or has another
/// type, FileError where the file cannot be read.
ValidationStudy read_study(const std::filesystem::path& file);

/// Returns the models' names, each once, in the order of the file.
std::vector<std::string> model_names(const ValidationStudy& study);

/// How one row is predicted.
struct StudiedRow {
  std::vector<std::string> set; ///< of the algorithm, then of the model
  bool without_contention = false;
};

/// Returns the first algorithm and the first entry of the model that are about the row, with the row's values in the
/// place of {bytes}, {ports}, {nodes}, {dims} ("[4,4,4]": the shape's sizes in their order) and {reversed_dims};
/// numbers can be divided ("{bytes/ports/64}", each time rounded up). None where there is none of them. Throws
/// InputError where a value is needed that the row does not have: ports that are not known, a shape that is no list of
/// sizes with an x between them.
std::optional<StudiedRow> configuration_changes(const ValidationStudy& study, const std::string& model,
                                                const MeasuredRow& row);

} // namespace wormcast
