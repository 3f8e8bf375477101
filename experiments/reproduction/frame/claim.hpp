#pragma once

#include "wormcast/experiments/reproduction/frame/evidence.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/values/names.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// How a reader sees a claim with the program's other commands.
struct Demonstration {
  std::string config;  ///< the text of a complete configuration (TOML), or the name of one: "configs/figure4.toml"
  std::string command; ///< "wormcast check CONFIG --contention-free"; CONFIG stands for the configuration's file
};

/// The work behind a claim. Parts and conclusion each run in a process of their own, several at a time; the order in
/// which they end has no influence on the evidence.
struct Measurement {
  /// Independent pieces of a long measurement; what they return is kept in this order. Empty: the conclusion does all.
  std::vector<std::function<nlohmann::ordered_json()>> parts = {};
  /// Makes the evidence of what the parts returned.
  std::function<Evidence(std::span<const nlohmann::ordered_json> parts)> conclude;
  /// Called once before all of them, in the process from which the others start: what it keeps in memory they have. The
  /// same for several claims is kept by the first. Empty: there is nothing to prepare.
  std::function<void()> prepare = {};
};

/// A measurement in one piece.
Measurement measured_at_once(std::function<Evidence()> measure);

/// What kind of statement a claim is about. Propositions and corollaries count as theorems, tables as figures.
enum class StatementKind {
  theorem,
  lemma,
  proof_step, ///< something that a proof uses on its way
  formula,    ///< an equation, or a closed form in the text or in a table
  figure,     ///< a figure, a table, a printed algorithm or list
  remark,     ///< a sentence of the text
  ours        ///< not said by the paper: what we add to it
};

/// "theorem", "lemma", ...: as in files.
inline constexpr auto statement_kind_names = names<StatementKind>({{StatementKind::theorem, "theorem"},
                                                                   {StatementKind::lemma, "lemma"},
                                                                   {StatementKind::proof_step, "proof step"},
                                                                   {StatementKind::formula, "formula"},
                                                                   {StatementKind::figure, "figure"},
                                                                   {StatementKind::remark, "remark"},
                                                                   {StatementKind::ours, "ours"}});

/// One statement of a paper, with what was claimed, what we found when we recorded it, and how to measure it again.
struct Claim {
  std::string name;      ///< "zhuang_liberatore.rb_2d_costs": the paper's name, a dot, the claim's
  std::string place;     ///< section, equation, table or figure: "section 4.2, table 1"
  std::string statement; ///< one sentence
  std::string claimed;   ///< the claimed value
  StatementKind kind{};
  Verdict recorded = Verdict::confirmed;
  /// Name of the claim whose finding this one has again: the same statement in another paper or model, or another
  /// sentence of the same mistake. Empty: a finding of its own.
  std::string repeats = {};
  /// A change after which the verdict is another one; none: there is nothing that could turn it.
  Mutation turned_by = Mutation::message_dropped;
  /// The verdict after it. None: what usually becomes of the recorded one (turned_verdict).
  std::optional<Verdict> turns_to = {};
  std::string changed_data = {};    ///< with Mutation::data_changed: what is changed in which way
  std::string reading = {};         ///< how the statement is read, where it can be read in several ways
  bool slow = false;                ///< takes more than about two seconds
  Demonstration demonstration = {}; ///< empty texts where no other command shows it
  Measurement measurement;
};

/// The verdict of a claim after the change that turns it: what was refuted or a misprint is confirmed, everything else
/// refuted, unless the claim says otherwise. Only of claims that something turns.
Verdict turned_verdict(const Claim& claim);

/// The change that turns a claim, for people; empty where nothing does.
std::string turning_text(const Claim& claim);

/// How a claim is shown and measured, by the claim's name without the paper's: what stands beside its entry in the
/// paper's claims.toml (bibliography.hpp).
struct Check {
  std::string name;
  Demonstration demonstration = {};
  Measurement measurement;
};

/// A check that measures in one piece.
Check check_of(std::string name, Demonstration demonstration, std::function<Evidence()> measure);

/// One of the papers, with its claims in the paper's order; or the claims that are the program's own.
struct Paper {
  std::string name;  ///< "zhuang_liberatore"
  std::string title; ///< as printed
  std::string source;
  std::function<std::vector<Claim>()> claims;
  /// Markdown that its page begins with; then the page has the claims' tables and pictures, too. Empty: a page on what
  /// a paper says, for which text is enough.
  std::string introduction = {};
};

} // namespace wormcast
