#include "wormcast/experiments/view/film.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace wormcast {

namespace {

constexpr std::uint32_t least_side = 200;
constexpr std::uint32_t largest_side = 7680;

std::string frame_name(std::size_t number)
{
  return fmt::format("frame-{:05}.png", number + 1);
}

bool is_gif(const FilmRequest& request)
{
  return std::filesystem::path(request.video).extension() == ".gif";
}

/// The output of a program that was run, or the signal that ended it.
std::string last_words(const ProcessOutcome& outcome)
{
  return outcome.signal != 0 ? strsignal(outcome.signal) : outcome.captured_output;
}

void check_ffmpeg(const FilmRequest& request)
{
  const ProcessOutcome outcome = execute_program(std::array<std::string, 2>{"ffmpeg", "-version"}, ".");
  if (outcome.signal != 0 || outcome.report.code != 0) {
    throw std::runtime_error(fmt::format(
        "{} cannot be made: ffmpeg is not installed (package ffmpeg); .gif needs gnuplot alone", request.video));
  }
}

void check_frames_folder(const std::filesystem::path& folder)
{
  std::error_code error;
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_directory(folder, error)) {
    throw InputError(fmt::format("{}: expected a folder for the frames", folder.string()));
  }
  if (std::filesystem::exists(folder / frame_name(0), error)) {
    throw InputError(fmt::format("{}: holds frames already, expected a new or an empty folder", folder.string()));
  }
}

void draw(const std::filesystem::path& folder, const std::string& program, const std::string& wanted)
{
  write_output(folder / "film.gnuplot", program);
  if (run_gnuplot(folder, "film.gnuplot") == PlotOutcome::gnuplot_missing) {
    throw std::runtime_error(fmt::format("{} cannot be made: gnuplot is not installed (package gnuplot-nox)", wanted));
  }
}

/// The frames as PNG files in `folder`.
void draw_frames(const FilmRequest& request, const FrameArtist& artist, Moments moments, const std::vector<Time>& times,
                 const std::filesystem::path& folder)
{
  std::string program = "points = 0.75\n" + artist.ground();
  program += fmt::format("set terminal pngcairo size {},{} noenhanced font 'sans,9' background rgb 'white'\n",
                         request.size.width, request.size.height);
  for (std::size_t i = 0; i < times.size(); ++i) {
    program += fmt::format("set output '{}'\n{}", frame_name(i), artist.frame(moments.at(times[i])));
  }
  draw(folder, program + "set output\n", request.frames.empty() ? request.video : request.frames);
}

void draw_gif(const FilmRequest& request, const FrameArtist& artist, Moments moments, const std::vector<Time>& times,
              const std::filesystem::path& folder)
{
  std::string program = "points = 0.75\n" + artist.ground();
  program +=
      fmt::format("set terminal gif animate delay {} loop 0 size {},{} noenhanced font 'DejaVuSans,9' background "
                  "rgb 'white'\nset output 'film.gif'\n",
                  100 / film_frames_per_second, request.size.width, request.size.height);
  for (const Time time : times) {
    program += artist.frame(moments.at(time));
  }
  draw(folder, program + "set output\n", request.video);
}

void encode_video(const FilmRequest& request, const std::filesystem::path& folder)
{
  const std::string ending = std::filesystem::path(request.video).extension().string();
  std::vector<std::string> arguments = {
      "ffmpeg", "-nostdin",      "-y", "-loglevel", "error", "-framerate", fmt::to_string(film_frames_per_second),
      "-i",     "frame-%05d.png"};
  const std::vector<std::string> codec =
      ending == ".webm" ? std::vector<std::string>{"-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0"}
                        : std::vector<std::string>{"-c:v", "libx264", "-crf", "20", "-movflags", "+faststart"};
  arguments.insert(arguments.end(), codec.begin(), codec.end());
  for (const char* argument : {"-pix_fmt", "yuv420p", "-fflags", "+bitexact", "-flags:v", "+bitexact"}) {
    arguments.emplace_back(argument);
  }
  arguments.push_back("film" + ending);
  const ProcessOutcome outcome = execute_program(arguments, folder.string());
  if (outcome.signal != 0 || outcome.report.code != 0) {
    throw std::runtime_error(fmt::format("{}: ffmpeg failed: {}", request.video, last_words(outcome)));
  }
}

void copy_frames(const std::filesystem::path& from, const std::filesystem::path& folder, std::size_t count)
{
  make_folder(folder);
  for (std::size_t i = 0; i < count; ++i) {
    write_output(folder / frame_name(i), read_written(from / frame_name(i)));
  }
}

} // namespace

void check_film(const FilmRequest& request)
{
  for (const std::string& picture : request.pictures) {
    check_picture_name(picture);
    const OutputFile can_be_written(picture);
  }
  if (request.frame_count < 2 || request.frame_count > most_film_frames) {
    throw InputError(fmt::format("--frame-count: found {}, expected 2 to {}", request.frame_count, most_film_frames));
  }
  for (const std::uint32_t side : {request.size.width, request.size.height}) {
    if (side < least_side || side > largest_side || side % 2 != 0) {
      throw InputError(fmt::format("--size: found {}x{}, expected even numbers of pixels from {} to {}",
                                   request.size.width, request.size.height, least_side, largest_side));
    }
  }
  if (!request.frames.empty()) {
    check_frames_folder(request.frames);
  }
  if (request.video.empty()) {
    return;
  }
  const std::string ending = std::filesystem::path(request.video).extension().string();
  if (ending != ".gif" && ending != ".webm" && ending != ".mp4") {
    throw InputError(fmt::format("{}: expected a video's name that ends in .gif, .webm or .mp4", request.video));
  }
  const OutputFile can_be_written(request.video);
  if (!is_gif(request)) {
    check_ffmpeg(request);
  }
}

std::vector<Time> film_times(const std::vector<Time>& changes, std::int64_t count, bool skip_still)
{
  const auto whole = static_cast<double>((changes.back() - changes.front()).picoseconds);
  const double longest = skip_still ? whole / 60 : whole;
  std::vector<double> shown = {0}; // when each change comes in the film
  for (std::size_t i = 1; i < changes.size(); ++i) {
    shown.push_back(shown.back() + std::min(longest, static_cast<double>((changes[i] - changes[i - 1]).picoseconds)));
  }
  std::vector<Time> times;
  std::size_t after = 0;
  for (std::int64_t frame = 0; frame + 1 < count; ++frame) {
    const double moment = shown.back() * static_cast<double>(frame) / static_cast<double>(count - 1);
    while (after < shown.size() && shown[after] <= moment) {
      ++after;
    }
    const std::size_t before = after - 1;
    const double part = after < shown.size() ? (moment - shown[before]) / (shown[after] - shown[before]) : 0;
    const Time still = after < shown.size() ? changes[after] - changes[before] : Time{};
    times.push_back(changes[before] + Time{static_cast<std::int64_t>(part * static_cast<double>(still.picoseconds))});
  }
  times.push_back(changes.back());
  return times;
}

std::vector<std::filesystem::path> write_film(const FilmRequest& request, const ViewedRun& run)
{
  const Moments moments(run);
  std::vector<std::filesystem::path> written;
  const std::vector<Time> changes = moments.changes();
  if (!request.pictures.empty()) {
    const Time middle =
        run.deadlock ? changes.back() : Time{(changes.front().picoseconds + changes.back().picoseconds) / 2};
    const Time at = request.at.value_or(middle);
    if (at > changes.back()) {
      throw InputError(fmt::format("--at: found {}, but the {} ends at {}", format_time(at),
                                   run.round ? "round" : "run", format_time(changes.back())));
    }
    const FrameSize size = request.size_is_given ? request.size : fitted_size(run, request.size);
    const FrameArtist artist(run, size);
    const std::string drawing =
        "points = GPVAL_TERM eq 'pdfcairo' ? 0.75 : 1\n" + artist.ground() + artist.frame(Moments(moments).at(at));
    const auto script = [&](const std::string& name) {
      return gnuplot_heading(name) + gnuplot_pictures(name, drawing, size.width, size.height);
    };
    write_pictures(script, request.pictures);
    written.insert(written.end(), request.pictures.begin(), request.pictures.end());
  }
  const FrameArtist artist(run, request.size);
  const ScratchFolder scratch;
  const std::vector<Time> times = film_times(changes, request.frame_count, request.skip_still);
  const bool video = !request.video.empty();
  if (!request.frames.empty() || (video && !is_gif(request))) {
    draw_frames(request, artist, moments, times, scratch.path());
  }
  if (!request.frames.empty()) {
    copy_frames(scratch.path(), request.frames, times.size());
    written.emplace_back(request.frames);
  }
  if (video) {
    if (is_gif(request)) {
      draw_gif(request, artist, moments, times, scratch.path());
    } else {
      encode_video(request, scratch.path());
    }
    write_output(request.video,
                 read_written(scratch.path() / ("film" + std::filesystem::path(request.video).extension().string())));
    written.emplace_back(request.video);
  }
  return written;
}

} // namespace wormcast
