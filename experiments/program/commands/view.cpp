#include "wormcast/experiments/view/view.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/view/film.hpp"
#include "wormcast/experiments/view/view_configuration.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>

namespace wormcast {

namespace {

struct ViewArguments {
  ConfigSource config;
  std::string out;
  FilmRequest film;
  std::string at;
  std::string size;
  std::optional<std::int64_t> frame_count;
  std::optional<std::int64_t> round;
};

/// "1280x720".
FrameSize parse_size(const std::string& text)
{
  FrameSize size;
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  if (width.ec == std::errc() && width.ptr != end && *width.ptr == 'x') {
    const auto height = std::from_chars(width.ptr + 1, end, size.height);
    if (height.ec == std::errc() && height.ptr == end) {
      return size;
    }
  }
  throw InputError(fmt::format("--size: found \"{}\", expected WIDTHxHEIGHT in pixels, such as 1280x720", text));
}

FilmRequest film_request(const ViewArguments& arguments)
{
  FilmRequest film = arguments.film;
  const bool moves = !film.frames.empty() || !film.video.empty();
  const auto needs = [](bool given, bool used, const char* option, const char* others) {
    if (given && !used) {
      throw InputError(fmt::format("{} says something about {}, and none is asked for", option, others));
    }
  };
  needs(!arguments.at.empty(), !film.pictures.empty(), "--at", "--picture");
  needs(arguments.frame_count.has_value(), moves, "--frame-count", "--frames or --video");
  needs(film.skip_still, moves, "--skip-still", "--frames or --video");
  needs(!arguments.size.empty(), moves || !film.pictures.empty(), "--size", "--picture, --frames or --video");
  if (!arguments.at.empty()) {
    try {
      film.at = parse_time(arguments.at);
    } catch (const InputError& error) {
      throw InputError(fmt::format("--at: {}", error.what()));
    }
  }
  if (!arguments.size.empty()) {
    film.size = parse_size(arguments.size);
    film.size_is_given = true;
  }
  if (arguments.frame_count) {
    film.frame_count = *arguments.frame_count;
  }
  check_film(film);
  return film;
}

/// Where the page goes: named after the configuration where no other name is given and nothing else is asked for.
std::string page_name(const ViewArguments& arguments)
{
  const FilmRequest& film = arguments.film;
  const bool alone = film.pictures.empty() && film.frames.empty() && film.video.empty();
  if (!arguments.out.empty() || !alone) {
    return arguments.out;
  }
  return std::filesystem::path(arguments.config.file).stem().string() + ".html";
}

/// The page, opened before a run, so that a path that cannot be written is found before; none where none is wanted.
std::unique_ptr<OutputFile> open_page(const ViewArguments& arguments)
{
  const std::string page = page_name(arguments);
  return page.empty() ? nullptr : std::make_unique<OutputFile>(page);
}

void show(const ViewedRun& run, const ViewArguments& arguments, const FilmRequest& film, OutputFile* page)
{
  for (const std::string& note : view_notes(run)) {
    spdlog::info("{}", note);
  }
  if (page != nullptr) {
    write_view_page(page->stream(), view_data(run));
    page->commit();
    if (arguments.out.empty()) {
      spdlog::info("the page is {}", page_name(arguments));
    }
  }
  write_film(film, run);
}

int view(const ViewArguments& arguments)
{
  const FilmRequest film = film_request(arguments);
  std::unique_ptr<OutputFile> page;
  const ViewRequest request = {.round = arguments.round,
                               .begin =
                                   [&](const Experiment& experiment) {
                                     say_warnings(warnings_of(experiment));
                                     page = open_page(arguments);
                                   },
                               .show = [&](const ViewedRun& run) { show(run, arguments, film, page.get()); }};
  const std::string deadlock = view_configuration(read_single_config(arguments.config, "view"), request);
  if (!deadlock.empty()) {
    spdlog::error("{}", deadlock);
    return exit_code::deadlock;
  }
  return exit_code::done;
}

} // namespace

Command view_command()
{
  auto arguments = std::make_shared<ViewArguments>();
  return {
      .name = "view",
      .summary = "one simulation as an animated page, as pictures or as a video",
      .options = config_options(
          arguments->config,
          {{.name = "--repetition",
            .target = &arguments->round,
            .text = "of a configuration with [broadcast] or [traffic]: the repetition to show, from 0 (default: the "
                    "one with the slowest broadcast)",
            .value = "N",
            .old_names = {"--round"}},
           {.name = "--out",
            .target = &arguments->out,
            .text = "the HTML page to write; it needs no other file (default, where nothing else is asked for: the "
                    "configuration's name with .html)",
            .value = "FILE|-"},
           {.name = "--picture",
            .target = &arguments->film.pictures,
            .text = "draw one moment into a file that ends in .svg, "
                    ".png, .pdf or .gnuplot; may be given several times",
            .value = "FILE"},
           {.name = "--at",
            .target = &arguments->at,
            .text = "the picture's moment, such as 150us, of a series from the round's start (default: the "
                    "deadlock, else the middle of what is shown)",
            .value = "TIME"},
           {.name = "--frames",
            .target = &arguments->film.frames,
            .text = "draw the run as frame-00001.png, ... into a folder",
            .value = "DIR"},
           {.name = "--video",
            .target = &arguments->film.video,
            .text = "the run as a video that ends in .gif, or, by ffmpeg, in .webm or .mp4",
            .value = "FILE"},
           {.name = "--frame-count",
            .target = &arguments->frame_count,
            .text = "how many frames; a video shows 15 a second (default: 150)",
            .value = "N"},
           {.name = "--skip-still",
            .target = &arguments->film.skip_still,
            .text = "give time in which nothing changes few frames"},
           {.name = "--size",
            .target = &arguments->size,
            .text = "of pictures and frames in pixels (default: 1280x720)",
            .value = "WxH"},
           unchecked_option(arguments->config)}),
      .action = [arguments](Verbosity) { return view(*arguments); }};
}

} // namespace wormcast
