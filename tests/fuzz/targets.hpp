#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace wormcast::fuzz {

/// What became of an input.
enum class Verdict {
  accepted,
  refused,  ///< with an InputError, as every input that is wrong
  too_large ///< legal, but takes more time or memory than an input may
};

/// A reader of files, and what is done with what it has read.
struct Target {
  std::string_view name;     ///< seeds are in seeds/NAME
  std::string_view language; ///< its words are in dictionaries/LANGUAGE.dict
  /// False: too large, see limits.hpp. Throws InputError where the input is wrong; whatever else it throws is a defect.
  bool (*run)(std::string_view input);
};

/// All targets. A new one: a function declared here, a line in targets.cpp, a folder of seeds.
std::span<const Target> targets();

/// Throws std::out_of_range where there is no such target.
const Target& find_target(std::string_view name);

struct Outcome {
  Verdict verdict = Verdict::accepted;
  std::string error; ///< what is wrong with a refused one
};

/// Throws std::logic_error where an error has no text, and what the target throws besides InputErrors.
Outcome run_target(const Target& target, std::string_view input);

/// Throws std::logic_error(text): a promise that the project makes was broken.
void require(bool kept, const char* text);

/// An input for readers that take a path: a temporary file, one at a time.
class InputFile {
public:
  InputFile(std::string_view text, std::string_view extension);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

bool run_config(std::string_view input);           ///< config.cpp
bool run_sweep(std::string_view input);            ///< sweep.cpp
bool run_booksim(std::string_view input);          ///< booksim.cpp
bool run_schedule(std::string_view input);         ///< schedule.cpp
bool run_goal(std::string_view input);             ///< goal.cpp
bool run_dot(std::string_view input);              ///< graph.cpp
bool run_graphml(std::string_view input);          ///< graph.cpp
bool run_routing_table(std::string_view input);    ///< routing_table.cpp
bool run_msccl(std::string_view input);            ///< msccl.cpp
bool run_forestcoll(std::string_view input);       ///< forestcoll.cpp
bool run_te_ccl(std::string_view input);           ///< te_ccl.cpp
bool run_time_independent(std::string_view input); ///< time_independent.cpp
bool run_netrace(std::string_view input);          ///< netrace.cpp
bool run_chakra(std::string_view input); ///< chakra.cpp: the files of ranks with a line of five "=" between them
bool run_trace(std::string_view input);  ///< trace.cpp

} // namespace wormcast::fuzz
