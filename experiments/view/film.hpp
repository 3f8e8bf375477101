#pragma once

#include "wormcast/experiments/view/frame.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

inline constexpr std::uint32_t film_frames_per_second = 15;
inline constexpr std::uint32_t most_film_frames = 10'000;

/// The drawings of a run in addition to its page.
struct FilmRequest {
  std::vector<std::string> pictures = {}; ///< of one moment; end in .svg, .png, .pdf or .gnuplot
  std::optional<Time> at = {};            ///< their moment; none: the deadlock, else the middle
  std::string frames = {};                ///< folder for frame-00001.png ...; empty: none
  std::string video = {};                 ///< ends in .gif, .webm or .mp4; empty: none
  std::int64_t frame_count = 150;
  bool skip_still = false; ///< time without changes has few frames
  FrameSize size = {};
  bool size_is_given = false; ///< else pictures are only as wide as what they show needs
};

/// Throws InputError where a name has another ending, a number is out of its range, or the folder holds frames already;
/// std::runtime_error where what a video needs is not installed, OutputError where a file cannot be written.
void check_film(const FilmRequest& request);

/// The moments of `count` frames from the first of `changes` (ascending) to the last: evenly spaced, or, with
/// `skip_still`, so that nothing between two changes takes more than a sixtieth of them all.
std::vector<Time> film_times(const std::vector<Time>& changes, std::int64_t count, bool skip_still);

/// Draws what is asked for by gnuplot, and by ffmpeg where it is .webm or .mp4. Returns the files written, a folder's
/// frames as one. Throws OutputError, std::runtime_error where gnuplot or ffmpeg is missing or fails, and InputError
/// where the moment is beyond the run's end.
std::vector<std::filesystem::path> write_film(const FilmRequest& request, const ViewedRun& run);

} // namespace wormcast
