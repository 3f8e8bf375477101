#include "wormcast/experiments/view/view.hpp"

#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/output/web_page.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/experiments/view/node_progress.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// From `at` on the node has `held` of its final blocks.
struct ProgressPoint {
  Time at;
  NodeId node{};
  std::uint64_t held = 0;
};

bool thins_progress(const ViewedRun& run, const ViewLimits& limits)
{
  return run.messages.own_count() > limits.progress_points;
}

/// Every delivery of a new block to a node; if there are too many, only those that advance a node to the next of a
/// number of equal parts, including the last.
std::vector<ProgressPoint> progress_points(const ViewedRun& run, ViewedProgress& progress, const ViewLimits& limits)
{
  const std::uint64_t parts =
      thins_progress(run, limits)
          ? std::max<std::uint64_t>(1, limits.progress_points / run.experiment.topology->host_count())
          : 0;
  const auto part_of = [parts](std::uint64_t held, std::uint64_t wanted) {
    return parts == 0 || wanted <= parts ? held : held * parts / wanted;
  };
  std::vector<ProgressPoint> points;
  for (const MessageId id : deliveries_in_order(run.delivered.first(run.messages.own_count()))) {
    const NodeId node = run.messages.destination(id);
    const std::uint64_t before = progress.held(node);
    progress.deliver(id);
    const std::uint64_t after = progress.held(node);
    if (part_of(after, progress.wanted(node)) != part_of(before, progress.wanted(node))) {
      points.push_back({*run.delivered[index(id)], node, after});
    }
  }
  return points;
}

/// The messages that the page speaks of, ascending: those drawn as worms and those of the waits.
std::vector<MessageId> shown_messages(const ViewedRun& run)
{
  std::vector<bool> shown(run.messages.count());
  for (std::uint32_t id = 0; id < shown.size(); ++id) {
    shown[id] = run.recorder.draws(MessageId{id});
  }
  for (const ContentionRecord& wait : run.recorder.waits()) {
    shown[index(wait.waiting)] = true;
    shown[index(wait.holding)] = true;
  }
  std::vector<MessageId> messages;
  for (std::uint32_t id = 0; id < shown.size(); ++id) {
    if (shown[id]) {
      messages.push_back(MessageId{id});
    }
  }
  return messages;
}

std::vector<std::uint32_t> ids_below(std::uint32_t count)
{
  std::vector<std::uint32_t> ids(count);
  std::iota(ids.begin(), ids.end(), 0U);
  return ids;
}

std::string coordinate_text(double coordinate)
{
  return fmt::to_string(std::round(1000 * coordinate) / 1000);
}

/// Writes one JSON object of lists, members in the order of the calls.
class ListWriter {
public:
  ListWriter(fmt::memory_buffer& out, std::string_view name) : out_(out)
  {
    fmt::format_to(std::back_inserter(out_), ",\"{}\":{{", name);
  }

  /// `text_of` gives the JSON of one element.
  template <typename Range, typename TextOf> ListWriter& list(std::string_view name, const Range& range, TextOf text_of)
  {
    fmt::format_to(std::back_inserter(out_), "{}\"{}\":[", first_ ? "" : ",", name);
    first_ = false;
    const char* separator = "";
    for (const auto& element : range) {
      fmt::format_to(std::back_inserter(out_), "{}{}", separator, text_of(element));
      separator = ",";
    }
    out_.push_back(']');
    return *this;
  }

  void close() { out_.push_back('}'); }

private:
  fmt::memory_buffer& out_;
  bool first_ = true;
};

/// `"from_us"` and `"to_us"` of records.
template <typename Records> void add_times(ListWriter& lists, const Records& records)
{
  lists.list("from_us", records, [](const auto& record) { return format_microseconds(record.from); })
      .list("to_us", records, [](const auto& record) { return format_microseconds(record.to); });
}

/// Which part of a series it is; null: a run.
Json round_json(const ViewedRun& run)
{
  if (!run.round) {
    return nullptr;
  }
  Json broadcasts = Json::array();
  for (std::uint32_t place = 0; place < run.messages.operations().size(); ++place) {
    broadcasts.push_back(*run.messages.first_broadcast() + place);
  }
  return {{"round", run.round->number},
          {"start_us", exact_microseconds(run.round->start)},
          {"broadcasts", broadcasts},
          {"traffic", run.round->traffic}};
}

/// All that is not a long list.
Json summary(const ViewedRun& run, const ViewLimits& limits)
{
  const Experiment& experiment = run.experiment;
  Json json;
  json["format"] = "wormcast-view/1";
  json["version"] = program_version();
  json["title"] = run.title;
  json["rows"] = run.rows;
  json["config"] = experiment.effective;
  json["notes"] = view_notes(run, limits);
  json["deadlock"] = run.deadlock ? Json(*run.deadlock) : Json(nullptr);
  json["round"] = round_json(run);
  json["begin_us"] = exact_microseconds(run.begin);
  json["end_us"] = exact_microseconds(run.end);
  json["per_hop_us"] = exact_microseconds(experiment.network.per_hop);
  json["hosts"] = experiment.topology->host_count();
  json["unit"] = NodeProgress::counts_messages(run.messages.operations().front()->operation) ? "message" : "block";
  json["ports_of"] = experiment.network.ports.count == PortModel::all ? "channel" : "node";
  return json;
}

void add_nodes(fmt::memory_buffer& out, const Topology& topology, const Drawing& drawing,
               const ViewedProgress& progress)
{
  const std::vector<std::uint32_t> ids = ids_below(topology.node_count());
  ListWriter(out, "nodes")
      .list("x", drawing.nodes, [](DrawingPoint place) { return coordinate_text(place.x); })
      .list("y", drawing.nodes, [](DrawingPoint place) { return coordinate_text(place.y); })
      .list("name", ids, [&](std::uint32_t id) { return json_quoted(topology.node_name(NodeId{id})); })
      .list("wanted", ids,
            [&](std::uint32_t id) { return topology.is_host(NodeId{id}) ? progress.wanted(NodeId{id}) : 0; })
      .list("start", ids,
            [&](std::uint32_t id) { return topology.is_host(NodeId{id}) ? progress.held(NodeId{id}) : 0; })
      .close();
}

void add_channels(fmt::memory_buffer& out, const Topology& topology, const Drawing& drawing)
{
  const std::vector<std::uint32_t> ids = ids_below(topology.channel_count());
  std::vector<std::uint32_t> bent;
  std::ranges::copy_if(ids, std::back_inserter(bent),
                       [&](std::uint32_t id) { return drawing.channels[id].shape != ChannelShape::line; });
  ListWriter(out, "channels")
      .list("from", ids, [&](std::uint32_t id) { return index(topology.channel_source(ChannelId{id})); })
      .list("to", ids, [&](std::uint32_t id) { return index(topology.channel_target(ChannelId{id})); })
      .list("bent", bent,
            [&](std::uint32_t id) {
              const ChannelDrawing& channel = drawing.channels[id];
              return fmt::format("[{},\"{}\",{},{}]", id, channel.shape == ChannelShape::arc ? "arc" : "stub",
                                 coordinate_text(channel.bend.x), coordinate_text(channel.bend.y));
            })
      .close();
}

void add_labels(fmt::memory_buffer& out, const Drawing& drawing)
{
  ListWriter(out, "labels")
      .list("text", drawing.labels, [](const DrawingLabel& label) { return json_quoted(label.text); })
      .list("x", drawing.labels, [](const DrawingLabel& label) { return coordinate_text(label.place.x); })
      .list("y", drawing.labels, [](const DrawingLabel& label) { return coordinate_text(label.place.y); })
      .close();
}

/// A number, or "null".
std::string number_text(std::optional<std::uint32_t> number)
{
  return number ? fmt::to_string(*number) : "null";
}

void add_messages(fmt::memory_buffer& out, const ViewedRun& run)
{
  const std::vector<MessageId> shown = shown_messages(run);
  const ViewedMessages& messages = run.messages;
  const ViewedBytes bytes(messages);
  ListWriter lists(out, "messages");
  lists.list("id", shown, [&](MessageId id) { return messages.name(id); });
  if (run.round) {
    lists.list("broadcast", shown, [&](MessageId id) { return number_text(messages.broadcast(id)); });
  }
  lists.list("step", shown, [&](MessageId id) { return number_text(messages.step(id)); })
      .list("src", shown, [&](MessageId id) { return index(messages.source(id)); })
      .list("dst", shown, [&](MessageId id) { return index(messages.destination(id)); })
      .list("bytes", shown, [&](MessageId id) { return bytes(id); })
      .list("delivered_us", shown, [&](MessageId id) {
        const std::optional<Time>& time = run.delivered[index(id)];
        return time ? format_microseconds(*time) : "null";
      });
  if (const ProgramWords* const words = simulated_words(run.experiment); words != nullptr && !run.round) {
    lists.list("mpi", shown, [&](MessageId id) { return json_quoted(words->text(words->messages[index(id)])); });
  }
  lists.close();
}

void add_records(fmt::memory_buffer& out, const ResourceNames& names, const ViewedRun& run)
{
  const ViewRecorder& recorder = run.recorder;
  const auto name = [&](MessageId id) { return run.messages.name(id); };
  ListWriter steps(out, "steps");
  steps.list("step", recorder.steps(), [](const StepSpan& span) { return span.step; })
      .list("messages", recorder.steps(), [](const StepSpan& span) { return span.messages; });
  add_times(steps, recorder.steps());
  steps.close();
  ListWriter occupancy(out, "occupancy");
  occupancy.list("resource", recorder.occupancies(), [&](const auto& record) { return names.number(record.resource); })
      .list("message", recorder.occupancies(), [&](const auto& record) { return name(record.message); });
  add_times(occupancy, recorder.occupancies());
  occupancy.close();
  const std::vector<ContentionRecord>& records = recorder.waits();
  ListWriter waits(out, "waits");
  waits.list("kind", records, [](const auto& record) { return json_quoted(contention_kind_names.text(record.kind)); })
      .list("resource", records, [&](const auto& record) { return names.number(record.resource); })
      .list("waiting", records, [&](const auto& record) { return name(record.waiting); })
      .list("holding", records, [&](const auto& record) { return name(record.holding); });
  add_times(waits, records);
  waits.close();
}

} // namespace

void check_view_limits(const Topology& topology, const ViewLimits& limits)
{
  const auto check = [&](std::uint64_t found, std::string_view what, std::uint64_t most) {
    if (found > most) {
      throw InputError(fmt::format("{} has {} {}, expected at most {} in a page", topology.title(), found, what, most));
    }
  };
  check(topology.node_count(), "nodes", limits.nodes);
  check(topology.channel_count(), "channels", limits.channels);
}

std::vector<std::string> view_notes(const ViewedRun& run, const ViewLimits& limits)
{
  const ViewRecorder& recorder = run.recorder;
  std::vector<std::string> notes;
  if (!run.remark.empty()) {
    notes.push_back(run.remark);
  }
  if (recorder.drawn_messages() < run.messages.own_count()) {
    notes.push_back(fmt::format("{} of {} messages are drawn as worms: of each step an evenly spaced sample.",
                                recorder.drawn_messages(), run.messages.own_count()));
  }
  const auto under_way =
      static_cast<std::uint64_t>(std::ranges::count_if(run.messages.others(), &ViewedMessages::Other::under_way));
  if (recorder.drawn_others() < under_way) {
    notes.push_back(fmt::format("{} of {} messages of the load are drawn as worms, evenly spaced.",
                                recorder.drawn_others(), under_way));
  }
  if (recorder.waits().size() < recorder.all_waits()) {
    notes.push_back(
        fmt::format("Of {} waits the {} longest are shown.", recorder.all_waits(), recorder.waits().size()));
  }
  if (thins_progress(run, limits)) {
    notes.emplace_back("Nodes fill in coarser steps than they receive.");
  }
  return notes;
}

std::string view_data(const ViewedRun& run, const ViewLimits& limits)
{
  const Topology& topology = *run.experiment.topology;
  const Drawing drawing = draw_topology(topology);
  ViewedProgress progress(run.messages, topology.host_count());
  std::string begin = json_text(summary(run, limits), JsonLayout::one_line);
  begin.pop_back(); // its brace: the lists follow
  fmt::memory_buffer out;
  out.append(begin);
  add_nodes(out, topology, drawing, progress);
  add_channels(out, topology, drawing);
  add_labels(out, drawing);
  add_messages(out, run);
  add_records(out, ResourceNames(topology, run.experiment.network.ports), run);
  const std::vector<ProgressPoint> points = progress_points(run, progress, limits);
  ListWriter(out, "progress")
      .list("at_us", points, [](const ProgressPoint& point) { return format_microseconds(point.at); })
      .list("node", points, [](const ProgressPoint& point) { return index(point.node); })
      .list("held", points, [](const ProgressPoint& point) { return point.held; })
      .close();
  out.push_back('}');
  return fmt::to_string(out);
}

void write_view_page(std::ostream& out, std::string_view data)
{
  const std::string script =
      fmt::format("{}\n{}\n{}\n{}", web::view_run_js, web::view_picture_js, web::view_timeline_js, web::view_js);
  const std::string json = json_for_script(std::string(data));
  const std::string style = fmt::format("{}\n{}", web::palette_css, web::view_css);
  const std::array<PagePart, 3> parts = {{{"style", style}, {"data", json}, {"script", script}}};
  write_page(out, web::view_html, parts);
}

} // namespace wormcast
