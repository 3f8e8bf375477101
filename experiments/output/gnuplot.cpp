#include "wormcast/experiments/output/gnuplot.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/output_name.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace wormcast {

namespace {

/// The dates that a PDF file holds, as zeros: its length, and so its table of contents, stays as it is.
std::string without_dates(std::string pdf)
{
  for (std::size_t at = pdf.find("Date (D:"); at != std::string::npos; at = pdf.find("Date (D:", at + 1)) {
    for (std::size_t i = at + std::strlen("Date (D:"); i < pdf.size() && pdf[i] != ')'; ++i) {
      pdf[i] = pdf[i] >= '0' && pdf[i] <= '9' ? '0' : pdf[i];
    }
  }
  return pdf;
}

/// gnuplot names itself and its version here.
std::string without_producer(std::string svg)
{
  const std::size_t begin = svg.find("<desc>Produced by");
  const std::size_t end = svg.find("</desc>\n", begin);
  if (begin != std::string::npos && end != std::string::npos) {
    svg.erase(begin, end + std::strlen("</desc>\n") - begin);
  }
  return svg;
}

} // namespace

std::string gnuplot_text(std::string_view text)
{
  constexpr std::string_view special = "\"`\\@";
  const std::string shown = printable(text);
  if (shown.find_first_of("'`\\@") == std::string::npos) {
    return "'" + shown + "'";
  }
  std::string result = "\"";
  for (const char character : shown) {
    result += special.find(character) == std::string_view::npos ? std::string(1, character)
                                                                : fmt::format("\\{:03o}", character);
  }
  return result + "\"";
}

std::string gnuplot_heading(const std::string& name)
{
  check_output_name(name, "a picture's name"); // whoever draws it again gives it to gnuplot, and to a shell
  return fmt::format("# Draws {0}.svg, {0}.png and {0}.pdf: gnuplot {0}.gnuplot\n", name);
}

std::string gnuplot_pictures(const std::string& name, const std::string& drawing, double width, double height)
{
  constexpr double png_scale = 4.0 / 3; // a point of a font is 4/3 pixels there
  constexpr double pixels_in_inch = 96;
  const auto output = [&name](const char* ending) {
    return "set output " + gnuplot_text(fmt::format("{}.{}", name, ending)) + "\n";
  };
  std::string script = fmt::format("set terminal svg size {:.0f},{:.0f} noenhanced font 'sans-serif,14' background rgb "
                                   "'white' name 'wormcast'\n",
                                   width, height);
  script += output("svg");
  script += drawing;
  script += fmt::format("set terminal pngcairo size {:.0f},{:.0f} noenhanced font 'sans,14' linewidth 1.5\n",
                        png_scale * width, png_scale * height);
  script += output("png");
  script += drawing;
  script += fmt::format("set terminal pdfcairo size {:.3f}in,{:.3f}in noenhanced font 'sans,10.5' linewidth 1.5\n",
                        width / pixels_in_inch, height / pixels_in_inch);
  script += output("pdf");
  return script + drawing + "set output\n";
}

std::span<const std::string> picture_endings()
{
  static const std::vector<std::string> endings = {".svg", ".png", ".pdf"};
  return endings;
}

PlotOutcome run_gnuplot(const std::filesystem::path& folder, const std::string& program)
{
  // "./": gnuplot gives to a shell what follows a leading "<". A PDF says when it was made in local time. The
  // palettes of a GIF depend on memory that libgd reads before it writes it: glibc fills it with zeros, 255 inverted.
  const ProcessOutcome outcome =
      *execute_program(std::array<std::string, 3>{"gnuplot", "--default-settings", "./" + program}, folder.string(),
                       {.environment = {"TZ=UTC0", "MALLOC_PERTURB_=255"}});
  if (outcome.signal == 0 && outcome.report.code == 127) {
    return PlotOutcome::gnuplot_missing;
  }
  if (outcome.signal != 0 || outcome.report.code != 0) {
    const std::size_t end = outcome.captured_output.find_last_not_of('\n');
    const std::string said = outcome.captured_output.substr(0, end == std::string::npos ? 0 : end + 1);
    throw std::runtime_error(
        fmt::format("{}: gnuplot failed: {}", program, outcome.signal != 0 ? strsignal(outcome.signal) : said));
  }
  return PlotOutcome::written;
}

PlotOutcome write_plot(const std::string& script, const std::filesystem::path& folder, const std::string& name)
{
  check_output_name(name, "a picture's name");
  write_output(folder / (name + ".gnuplot"), script);
  const ScratchFolder scratch; // gnuplot follows links, and leaves half a file where it fails
  write_output(scratch.path() / (name + ".gnuplot"), script);
  if (run_gnuplot(scratch.path(), name + ".gnuplot") == PlotOutcome::gnuplot_missing) {
    return PlotOutcome::gnuplot_missing;
  }
  const auto drawn = [&](const char* ending) { return read_written(scratch.path() / (name + ending)); };
  write_output(folder / (name + ".svg"), without_producer(drawn(".svg")));
  write_output(folder / (name + ".png"), drawn(".png"));
  write_output(folder / (name + ".pdf"), without_dates(drawn(".pdf")));
  return PlotOutcome::written;
}

void check_picture_name(const std::filesystem::path& file)
{
  const std::string ending = file.extension().string();
  if (std::ranges::find(picture_endings(), ending) == picture_endings().end() && ending != ".gnuplot") {
    throw InputError(
        fmt::format("{}: expected a picture's name that ends in .svg, .png, .pdf or .gnuplot", file.string()));
  }
  if (ending == ".gnuplot") {
    check_output_name(file.stem().string(), file.string());
  }
}

void write_pictures(const std::function<std::string(const std::string& name)>& script,
                    std::span<const std::string> files)
{
  std::string name;
  for (const std::string& file : files) {
    check_picture_name(file);
    if (const std::filesystem::path path = file; name.empty() && path.extension() == ".gnuplot") {
      name = path.stem().string();
    }
  }
  name = name.empty() ? "picture" : name;
  const ScratchFolder scratch;
  const PlotOutcome outcome = write_plot(script(name), scratch.path(), name);
  std::string undrawn;
  for (const std::filesystem::path file : files) {
    if (outcome == PlotOutcome::written || file.extension() == ".gnuplot") {
      write_output(file, read_written(scratch.path() / (name + file.extension().string())));
    } else if (undrawn.empty()) {
      undrawn = file.string();
    }
  }
  if (!undrawn.empty()) {
    throw std::runtime_error(fmt::format("{} is not drawn: gnuplot is not installed (package gnuplot-nox)", undrawn));
  }
}

} // namespace wormcast
