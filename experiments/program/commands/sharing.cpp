#include "wormcast/experiments/program/commands/sharing.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/folder_lock.hpp"
#include "wormcast/experiments/process/launch.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/shards/rank_job.hpp"
#include "wormcast/experiments/shards/shard_stores.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace wormcast {

namespace {

/// The children of a process that was killed can hold its lock for a moment.
constexpr std::chrono::seconds until_children_are_gone(2);
/// Shards that start read what others have computed.
constexpr std::chrono::minutes while_others_read(1);

bool has_results(const std::filesystem::path& folder)
{
  std::error_code ignored;
  return std::filesystem::exists(folder / "results.sqlite", ignored);
}

/// Silence of all ranks but the first while they do their shards: they would all say the same.
class RankSilence {
public:
  RankSilence() : level_(spdlog::get_level())
  {
    if (this_launch().rank > 0) {
      spdlog::set_level(spdlog::level::err);
    }
  }
  ~RankSilence() { spdlog::set_level(level_); }
  RankSilence(const RankSilence&) = delete;
  RankSilence& operator=(const RankSilence&) = delete;

private:
  spdlog::level::level_enum level_;
};

std::string counted(const SharedCommand& command, const KeptCounts& counts)
{
  return fmt::format("{} {} computed, {} kept from before", counts.computed, command.things, counts.kept);
}

int say_interruption(const SharedCommand& command, const PassOutcome& outcome, const std::string& where,
                     const std::string& how_to_go_on)
{
  const std::string signal = ::strsignal(outcome.interrupted_by);
  if (where.empty()) {
    spdlog::error("interrupted ({})", signal);
  } else if (this_launch().rank == 0) { // every rank gets the signal
    const KeptCounts& counts = outcome.counts;
    spdlog::error("interrupted ({}): {}{} {} are kept in {}; {}", signal, counts.computed + counts.kept,
                  counts.total > 0 ? fmt::format(" of {}", counts.total) : std::string(), command.things, where,
                  how_to_go_on);
  }
  return exit_code::other;
}

/// Shards that have not done all that they can, of every number of shards that has a folder; for people.
std::string unfinished_shards(const std::filesystem::path& out)
{
  std::map<std::size_t, std::vector<bool>> complete; // by number of shards
  for (const Shard& shard : existing_shards(out)) {
    std::vector<bool>& all = complete.try_emplace(shard.count, shard.count).first->second;
    const auto state = read_shard_state(shard_folder(out, shard));
    all[shard.index] = state && state->complete;
  }
  constexpr std::size_t most_named = 10;
  std::vector<std::string> names;
  std::size_t unfinished = 0;
  for (const auto& [count, all] : complete) {
    for (std::size_t index = 0; index < count; ++index) {
      if (!all[index] && ++unfinished <= most_named) {
        names.push_back(shard_text({.index = index, .count = count}));
      }
    }
  }
  if (unfinished == 0) {
    return {};
  }
  return fmt::format("; shards that are not complete: {}{}", fmt::join(names, ", "),
                     unfinished > most_named ? fmt::format(" and {} more", unfinished - most_named) : std::string());
}

int say_missing(const SharedCommand& command, const KeptCounts& counts)
{
  spdlog::error("{}: {} {} are missing, the first: {}{}; without --no-run they are computed", command.folder.string(),
                counts.left_out.size(), command.things, counts.left_out.front(), unfinished_shards(command.folder));
  return exit_code::missing_results;
}

std::function<bool(const std::string&)> wanted_by(const SharedCommand& command, const Shard& shard)
{
  if (!command.keys_of) {
    return {};
  }
  return [keys = std::make_shared<const std::unordered_set<std::string>>(command.keys_of(shard))](
             const std::string& key) { return keys->contains(key); };
}

SharedPart part_with(const FoundResults& found, const Shard& shard)
{
  return {.shard = shard, .found = [&found](const std::string& key) { return found.find(key); }};
}

/// The store of a shard. A damaged one is of no use to anybody.
std::unique_ptr<ResultStore> open_shard_store(const std::filesystem::path& folder)
{
  try {
    return std::make_unique<ResultStore>(folder, ResultStore::Opening::alone);
  } catch (const OutputError&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}, or remove {}: what this shard has computed is computed again", error.what(), folder.string()));
  }
}

PassOutcome shard_pass(const SharedCommand& command, const Shard& shard)
{
  const std::filesystem::path folder = shard_folder(command.folder, shard);
  const std::unique_ptr<ResultStore> store = open_shard_store(folder);
  FoundResults found;
  found.read_shards(command.folder, shard, wanted_by(command, shard));
  return command.pass({.store = store.get(), .part = part_with(found, shard), .is_shard = true});
}

/// All of the work, with what shards have computed. Where there are shards the lock of their folder is held.
int whole_pass(const SharingArguments& arguments, const SharedCommand& command, bool retry)
{
  using Opening = ResultStore::Opening;
  const bool goes_on = arguments.resume || arguments.no_run || !existing_shards(command.folder).empty();
  if (arguments.no_run && existing_shards(command.folder).empty() && !has_results(command.folder)) {
    throw InputError(fmt::format("{}: holds no results, and with --no-run none are computed", command.folder.string()));
  }
  const Opening opening = goes_on                                      ? Opening::resume
                          : command.earlier == EarlierResults::refused ? Opening::fresh
                                                                       : Opening::anew;
  ResultStore store(command.folder, opening);
  FoundResults found;
  found.read_shards(command.folder, std::nullopt, wanted_by(command, {}));
  WorkPass pass{.store = &store, .part = part_with(found, {})};
  pass.part.compute = !arguments.no_run;
  pass.part.retry = retry && !arguments.no_run;
  const PassOutcome outcome = command.pass(pass);
  if (outcome.interrupted_by != 0) {
    return say_interruption(command, outcome, store.file().string(), "go on with --resume");
  }
  spdlog::debug("{}, {} results of shards read", counted(command, outcome.counts), found.count());
  return outcome.counts.left_out.empty() ? outcome.report() : say_missing(command, outcome.counts);
}

int merge_here(const SharingArguments& arguments, const SharedCommand& command)
{
  FolderLock lock;
  if (!existing_shards(command.folder).empty() &&
      !lock.acquire(shards_folder(command.folder), until_children_are_gone)) {
    throw InputError(
        fmt::format("{}: another process puts the results of the shards together", command.folder.string()));
  }
  return whole_pass(arguments, command, true);
}

int keep_nothing(const SharedCommand& command)
{
  const PassOutcome outcome = command.pass({});
  return outcome.interrupted_by != 0 ? say_interruption(command, outcome, "", "") : outcome.report();
}

void lock_shard(FolderLock& lock, const SharingArguments& arguments, const SharedCommand& command, const Shard& shard)
{
  if (!arguments.resume && command.earlier == EarlierResults::refused && has_results(command.folder) &&
      existing_shards(command.folder).empty()) {
    throw InputError(fmt::format("{}: holds the results of an earlier run; "
                                 "go on with --resume, or name another folder with --out",
                                 command.folder.string()));
  }
  const std::filesystem::path folder = shard_folder(command.folder, shard);
  const auto deadline = std::chrono::steady_clock::now() + while_others_read;
  while (!lock.acquire(folder, until_children_are_gone)) {
    FolderLock reading;
    const bool is_computed = reading.acquire(folder, std::chrono::milliseconds(0), FolderLock::reading_lock);
    if (is_computed || InterruptGuard::received() != 0 || std::chrono::steady_clock::now() > deadline) {
      throw InputError(fmt::format("{}: another process computes shard {}", folder.string(), shard_text(shard)));
    }
  }
}

int run_shard(const SharingArguments& arguments, const SharedCommand& command, const Shard& shard)
{
  const std::filesystem::path folder = shard_folder(command.folder, shard);
  FolderLock lock;
  lock_shard(lock, arguments, command, shard);
  write_shard_state(folder, {});
  const PassOutcome outcome = shard_pass(command, shard);
  if (outcome.interrupted_by != 0) {
    return say_interruption(command, outcome, folder.string(), "the same command goes on");
  }
  write_shard_state(folder, {.complete = true, .launch = {}, .work = text_hash(outcome.counts.work)});
  spdlog::info("shard {}: {}; the command without --shard puts the shards together", shard_text(shard),
               counted(command, outcome.counts));
  return exit_code::done;
}

int run_rank(const SharingArguments& arguments, const SharedCommand& command)
{
  const Launch& launch = this_launch();
  const Shard shard{.index = launch.rank, .count = launch.ranks};
  RankJob job(command.folder, shard, launch.id);
  {
    const RankSilence silence;
    FolderLock lock;
    lock_shard(lock, arguments, command, shard);
    job.begin();
    const PassOutcome outcome = shard_pass(command, shard);
    if (outcome.interrupted_by != 0) {
      return say_interruption(command, outcome, shards_folder(command.folder).string(), "the same command goes on");
    }
    const RankJob::Ending ending = job.end(outcome.counts.work);
    if (ending == RankJob::Ending::shards_missing) {
      spdlog::error("{}: {} of {} shards are missing: {}; the same command computes them, the other ones are kept",
                    command.folder.string(), job.missing().size(), shard.count, fmt::join(job.missing(), ", "));
      return exit_code::missing_results;
    }
    if (ending == RankJob::Ending::others_run) {
      return InterruptGuard::received() == 0 ? exit_code::done : exit_code::other;
    }
  }
  return whole_pass(arguments, command, false);
}

void check_arguments(const SharingArguments& arguments, const SharedCommand& command)
{
  if (arguments.no_run && !arguments.shard.empty()) {
    throw InputError("--no-run: computes nothing, so that it cannot be combined with --shard");
  }
  if (!command.folder.empty()) {
    return;
  }
  const char* const option = !arguments.shard.empty() ? "--shard"
                             : arguments.no_run       ? "--no-run"
                             : arguments.resume       ? "--resume"
                                                      : nullptr;
  if (option != nullptr) {
    throw InputError(fmt::format("{}: needs --out DIR, the folder for the results", option));
  }
}

} // namespace

std::vector<CommandOption> sharing_options(SharingArguments& arguments, const std::string& text)
{
  return {{.name = "--out", .target = &arguments.out, .text = text, .value = "DIR"},
          {.name = "--resume",
           .target = &arguments.resume,
           .text = "keep the results that are in DIR and compute what is missing"},
          {.name = "--shard",
           .target = &arguments.shard,
           .text = "compute part I of N (from 1/N to N/N) into DIR/shards; "
                   "the same command without it puts all parts together",
           .value = "I/N"},
          {.name = "--no-run",
           .target = &arguments.no_run,
           .text = "compute nothing: take what is in DIR and its shards, or say what is missing (exit code 5)"}};
}

std::vector<CommandOption> with_sharing(std::vector<CommandOption> options, SharingArguments& arguments,
                                        const std::string& text)
{
  std::ranges::move(sharing_options(arguments, text), std::back_inserter(options));
  return options;
}

int share_work(const SharingArguments& arguments, const SharedCommand& command)
{
  check_arguments(arguments, command);
  const std::optional<Shard> shard =
      arguments.shard.empty() ? std::nullopt : std::optional(parse_shard(arguments.shard));
  const InterruptGuard interrupts;
  if (shard) {
    return run_shard(arguments, command, *shard);
  }
  const Launch& launch = this_launch();
  if (launch.ranks > 1 && !command.folder.empty() && !arguments.no_run) {
    return run_rank(arguments, command);
  }
  if (launch.rank > 0) {
    return exit_code::done; // nothing to share: the first rank does it
  }
  if (launch.ranks > 1 && command.folder.empty()) {
    spdlog::warn("without --out DIR nothing is shared: the other {} ranks have nothing to do", launch.ranks - 1);
  }
  return command.folder.empty() ? keep_nothing(command) : merge_here(arguments, command);
}

} // namespace wormcast
