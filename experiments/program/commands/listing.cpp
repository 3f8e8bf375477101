#include "wormcast/experiments/program/commands/listing.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace wormcast {

CommandOption listing_json_option(ListingFiles& files, std::string_view what)
{
  return {.name = "--json",
          .target = &files.json,
          .text = fmt::format("write {} as JSON (-: standard output, instead of the table)", what),
          .value = "FILE|-"};
}

CommandOption listing_csv_option(ListingFiles& files, std::string_view what)
{
  return {.name = "--csv",
          .target = &files.csv,
          .text = fmt::format("write {} as CSV (-: standard output, instead of the table)", what),
          .value = "FILE|-"};
}

CommandOption listing_picture_option(ListingFiles& files, std::string_view what)
{
  return {.name = "--picture",
          .target = &files.pictures,
          .text =
              fmt::format("draw {} (.svg, .png, .pdf, or .gnuplot for the program); may be given several times", what),
          .value = "FILE"};
}

void check_listing(const ListingFiles& files)
{
  if (files.json == "-" && files.csv == "-") {
    throw InputError("--json and --csv: found - for both, expected at most one of them on standard output");
  }
  for (const std::string& picture : files.pictures) {
    check_picture_name(picture);
  }
}

void check_writable(const ListingFiles& files)
{
  for (const std::string& file : {files.json, files.csv}) {
    if (!file.empty()) {
      const OutputFile can_be_written(file);
    }
  }
}

void write_listing(const ListingFiles& files, const Listing& listing)
{
  if (!files.json.empty()) {
    write_output(files.json, listing.json());
  }
  if (!files.csv.empty()) {
    write_output(files.csv, listing.csv());
  }
  if (files.json != "-" && files.csv != "-") {
    write_standard_output(listing.table());
  }
  if (!files.pictures.empty()) { // last: the table says why there is nothing to draw
    write_pictures(listing.gnuplot_script, files.pictures);
  }
}

} // namespace wormcast
