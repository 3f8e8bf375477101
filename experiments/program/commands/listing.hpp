#pragma once

#include "wormcast/experiments/program/commands/command.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Where the results of a command are written in addition to, or instead of, its table.
struct ListingFiles {
  std::string json; ///< "-": standard output, instead of the table; empty: not wanted
  std::string csv;  ///< the same
  std::vector<std::string> pictures;
};

/// The options --json and --csv; the texts say what is written: "the table".
CommandOption listing_json_option(ListingFiles& files, std::string_view what);
CommandOption listing_csv_option(ListingFiles& files, std::string_view what);
/// The option --picture; the text says what is drawn: "the fastest over --lengths".
CommandOption listing_picture_option(ListingFiles& files, std::string_view what);

/// Throws InputError where two outputs would go to standard output, or a picture's name does not say what it is.
void check_listing(const ListingFiles& files);

/// Throws OutputError where --json or --csv names a file that cannot be written: before the work that it is for.
void check_writable(const ListingFiles& files);

/// The forms of a command's results, each made only where it is asked for.
struct Listing {
  std::function<std::string()> table;
  std::function<std::string()> json;
  std::function<std::string()> csv = {};                                   ///< empty: --csv is not offered
  std::function<std::string(const std::string& name)> gnuplot_script = {}; ///< of NAME.svg ...; empty: no --picture
};

/// Writes what `files` asks for, and the table where nothing else goes to standard output. Throws OutputError.
void write_listing(const ListingFiles& files, const Listing& listing);

} // namespace wormcast
