#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// The comment that a gnuplot program for NAME begins with. Throws InputError for a name that check_output_name
/// refuses.
std::string gnuplot_heading(const std::string& name);

/// The lines of a gnuplot program that draw `drawing` into all three pictures of NAME, `width` by `height` pixels of
/// the SVG large.
std::string gnuplot_pictures(const std::string& name, const std::string& drawing, double width, double height);

/// A text as gnuplot's programs have it: in single quotes, or, with characters that mean something to gnuplot, in
/// double quotes with these as octal numbers. (Quotes in single quotes can be doubled, but of two of them in a row
/// gnuplot takes the second for the end; in double quotes a shell runs what is between backquotes.)
std::string gnuplot_text(std::string_view text);

/// Whether there is a picture, or only gnuplot's program for it.
enum class PlotOutcome { written, gnuplot_missing };

/// Runs the gnuplot program `program`, a file of `folder`, there. Throws std::runtime_error, with what gnuplot says,
/// where it fails.
PlotOutcome run_gnuplot(const std::filesystem::path& folder, const std::string& program);

/// The endings of the pictures that a gnuplot program makes: ".svg", ".png", ".pdf".
std::span<const std::string> picture_endings();

/// Writes folder/NAME.gnuplot, a gnuplot program that was made for NAME, and, through gnuplot, NAME.svg, NAME.png and
/// NAME.pdf. The same program gives the same bytes on one machine: no dates in the files, and no version of gnuplot.
/// Throws OutputError where a file cannot be written, InputError for a name that check_output_name refuses, and
/// std::runtime_error, with what gnuplot says, where it fails.
PlotOutcome write_plot(const std::string& script, const std::filesystem::path& folder, const std::string& name);

/// Runs the gnuplot program that `script` makes for a name, and writes these files alone: what ends in .svg, .png or
/// .pdf is the picture, what ends in .gnuplot the program, which then draws files of its own name. Throws what
/// write_plot throws, std::runtime_error where gnuplot is missing for a picture, and what check_picture_name throws.
void write_pictures(const std::function<std::string(const std::string& name)>& script,
                    std::span<const std::string> files);

/// Throws InputError unless the file's name ends in .svg, .png, .pdf or .gnuplot, and where check_output_name refuses
/// the name of a .gnuplot file, which is in the program.
void check_picture_name(const std::filesystem::path& file);

} // namespace wormcast
