// Pictures, frames and videos of `wormcast view`.

#include "tests/experiments/program/commands/view_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <set>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;

/// Width and height in the header of a PNG file.
std::pair<unsigned, unsigned> png_size(const std::string& png)
{
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
      value = value << 8 | static_cast<unsigned char>(png[i]);
    }
    return value;
  };
  return {number(16), number(20)};
}

TEST_F(ViewCommand, DrawsAMomentAsAPicture)
{
  const ProgramRun run =
      run_program({"view", contended, "--picture", "m.svg", "--picture", "m.png", "--at", "5450us"}, folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string svg = read_file(folder.path() / "m.svg");
  EXPECT_THAT(svg, HasSubstr("mesh 8 x 8, recursion_based"));
  EXPECT_THAT(svg, HasSubstr("5450 µs; steps 6, 7, 8; 5 waiting"));
  EXPECT_THAT(svg, HasSubstr("(7, 7)"));
  EXPECT_THAT(svg, HasSubstr(">2000<")); // a time along the time line
  const auto [width, height] = png_size(read_file(folder.path() / "m.png"));
  EXPECT_EQ(height, 960U);
  EXPECT_LT(width, 1200U); // no wider than a square needs
  ASSERT_EQ(run_program({"view", contended, "--picture", "w.png", "--size", "1280x720"}, folder.path()).exit_code, 0);
  EXPECT_EQ(png_size(read_file(folder.path() / "w.png")), std::pair(1707U, 960U));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "mesh_self_timed.html")) << "only what was asked for";

  ASSERT_EQ(run_program({"view", WORMCAST_CONFIGS "/torus_ring_deadlock.toml", "--picture", "d.svg"}, folder.path())
                .exit_code,
            4);
  EXPECT_THAT(read_file(folder.path() / "d.svg"), HasSubstr("6 waiting; deadlock"));
}

TEST_F(ViewCommand, DrawsSwitchesAsCircles)
{
  make(WORMCAST_CONFIGS "/fat_tree_broadcast.toml");
  EXPECT_LT(data["hosts"].get<std::size_t>(), data["nodes"]["x"].size());
  const auto circles = [&](const std::string& config) {
    const ProgramRun run = run_program({"view", config, "--picture", "nodes.gnuplot"}, folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return read_file(folder.path() / "nodes.gnuplot").find("$switches") != std::string::npos;
  };
  EXPECT_TRUE(circles(WORMCAST_CONFIGS "/fat_tree_broadcast.toml"));
  EXPECT_FALSE(circles(contended));
}

TEST_F(ViewCommand, DrawsARunAsFramesAndAsAnAnimation)
{
  const std::string config = folder.write("small.toml", small_config).string();
  const auto film = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"view", config, "--frame-count", "4", "--size", "400x300"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_program(arguments, folder.path());
  };
  const ProgramRun run = film({"--frames", "frames", "--video", "run.gif"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "frames")) {
    names.insert(entry.path().filename().string());
    EXPECT_EQ(png_size(read_file(entry.path())), std::pair(400U, 300U));
  }
  EXPECT_EQ(names, (std::set<std::string>{"frame-00001.png", "frame-00002.png", "frame-00003.png", "frame-00004.png"}));
  EXPECT_NE(read_file(folder.path() / "frames/frame-00001.png"), read_file(folder.path() / "frames/frame-00002.png"));
  EXPECT_EQ(read_file(folder.path() / "run.gif").substr(0, 6), "GIF89a");
  EXPECT_THAT(read_file(folder.path() / "run.gif"), HasSubstr("NETSCAPE2.0")) << "repeats";

  const ProgramRun again = film({"--frames", "frames"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("frames: holds frames already, expected a new or an empty folder"));
  ASSERT_EQ(film({"--frames", "same"}).exit_code, 0);
  EXPECT_EQ(read_file(folder.path() / "same/frame-00003.png"), read_file(folder.path() / "frames/frame-00003.png"));
}

TEST_F(ViewCommand, GivesTheSameBytesOfAnAnimationEachTime)
{
  const auto animation = [&](const std::string& name) {
    const ProgramRun run =
        run_program({"view", contended, "--video", name, "--frame-count", "10", "--size", "640x480"}, folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return read_file(folder.path() / name);
  };
  const std::string first = animation("first.gif");
  EXPECT_EQ(animation("second.gif"), first);
  EXPECT_EQ(animation("third.gif"), first);
}

/// The program with a folder of its own in front of what PATH holds, or with nothing else.
class WithPath {
public:
  explicit WithPath(const std::string& path) : before_(std::getenv("PATH")) { ::setenv("PATH", path.c_str(), 1); }
  ~WithPath() { ::setenv("PATH", before_.c_str(), 1); }
  WithPath(const WithPath&) = delete;
  WithPath& operator=(const WithPath&) = delete;

private:
  std::string before_;
};

// In the place of ffmpeg a program that writes what it was called with into the file that its last argument names.
TEST_F(ViewCommand, VideosAreMadeByFfmpeg)
{
  const std::string config = folder.write("small.toml", small_config).string();
  const std::vector<std::string> arguments = {"view", config, "--video", "run.webm", "--frame-count", "3"};
  const std::filesystem::path ffmpeg = folder.write("ffmpeg", R"(#!/bin/sh
[ "$1" = -version ] && exit 0
for last; do :; done
ls frame-*.png >"$last"
echo "$@" >>"$last"
)");
  std::filesystem::permissions(ffmpeg, std::filesystem::perms::owner_all);
  {
    const WithPath path(folder.path().string() + ":" + std::getenv("PATH"));
    const ProgramRun run = run_program(arguments, folder.path());
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  const std::string video = read_file(folder.path() / "run.webm");
  EXPECT_THAT(video, HasSubstr("frame-00001.png\nframe-00002.png\nframe-00003.png\n-nostdin"));
  EXPECT_THAT(video, HasSubstr("-framerate 15 -i frame-%05d.png -c:v libvpx-vp9"));

  folder.write("ffmpeg", "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\necho no such codec\nexit 1\n");
  {
    const WithPath path(folder.path().string() + ":" + std::getenv("PATH"));
    const ProgramRun run = run_program(arguments, folder.path());
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("run.webm: ffmpeg failed: no such codec"));
  }
  std::filesystem::remove(ffmpeg);
  const WithPath path(folder.path().string());
  const ProgramRun without = run_program(arguments, folder.path());
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_THAT(without.err, HasSubstr("run.webm cannot be made: ffmpeg is not installed "
                                     "(package ffmpeg); .gif needs gnuplot alone"));
  const ProgramRun gif = run_program({"view", config, "--video", "run.gif"}, folder.path());
  EXPECT_EQ(gif.exit_code, 1);
  EXPECT_THAT(gif.err, HasSubstr("run.gif cannot be made: gnuplot is not installed (package gnuplot-nox)"));
}

TEST_F(ViewCommand, RefusesPicturesThatItCannotDraw)
{
  const std::string config = folder.write("small.toml", small_config).string();
  folder.write("file", "");
  const auto refused = [&](const std::vector<std::string>& options, const std::string& message) {
    std::vector<std::string> arguments = {"view", config};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = run_program(arguments, folder.path());
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_THAT(run.err, HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "small.html"));
  };
  refused({"--picture", "p.jpg"}, "p.jpg: expected a picture's name that ends in .svg, .png, .pdf or .gnuplot");
  refused({"--picture", "p.svg", "--at", "1s"}, "--at: found 1s, but the run ends at ");
  refused({"--picture", "p.svg", "--at", "9"}, "--at: \"9\" has no unit");
  for (const char* option : {"--picture", "--video"}) {
    const ProgramRun run =
        run_program({"view", config, option, option[2] == 'p' ? "no/r.png" : "no/r.gif"}, folder.path());
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("cannot write no/r."));
  }
  refused({"--at", "9us"}, "--at says something about --picture, and none is asked for");
  refused({"--video", "v.avi"}, "v.avi: expected a video's name that ends in .gif, .webm or .mp4");
  refused({"--frames", "file"}, "file: expected a folder for the frames");
  refused({"--frames", "f", "--frame-count", "1"}, "--frame-count: found 1, expected 2 to 10000");
  refused({"--frames", "f", "--frame-count", "-1"}, "--frame-count: found -1, expected 2 to 10000");
  refused({"--frame-count", "10"}, "--frame-count says something about --frames or --video, and none is asked for");
  refused({"--skip-still"}, "--skip-still says something about --frames or --video, and none is asked for");
  refused({"--frames", "f", "--size", "300x"}, "--size: found \"300x\", expected WIDTHxHEIGHT in pixels");
  refused({"--frames", "f", "--size", "301x300"}, "--size: found 301x300, expected even numbers of pixels");
  refused({"--size", "300x300"}, "--size says something about --picture, --frames or --video, and none is asked for");
}

} // namespace
} // namespace wormcast::testing
