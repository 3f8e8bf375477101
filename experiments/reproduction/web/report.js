"use strict";

// The page of `wormcast reproduce --out`: #data holds the reproduction (format wormcast-reproduction/1). The fragment
// keeps the filters and the claim that is open: #paper=kim_2014&verdict=refuted&text=lemma or #claim=NAME.

const reproduction = JSON.parse(document.getElementById("data").textContent);
const verdictNames = Object.keys(reproduction.summary.distinct).filter((name) => name !== "claims");
const byId = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function verdictOf(claim) {
  return claim.error === null ? claim.evidence.verdict : "error";
}

function verdictClass(verdict) {
  return verdict.replace(" ", "-");
}

function foundText(claim) {
  return claim.error === null ? claim.evidence.measured : claim.error;
}

function paperTitle(name) {
  const paper = reproduction.papers.find((one) => one.name === name);
  return paper ? paper.source : name;
}

// Filters

function readFragment() {
  return new URLSearchParams(location.hash.slice(1));
}

function writeFragment() {
  const words = new URLSearchParams();
  for (const id of ["paper", "verdict", "text"]) {
    if (byId(id).value !== "") {
      words.set(id, byId(id).value);
    }
  }
  history.replaceState(null, "", words.size === 0 ? location.pathname + location.search : "#" + words);
}

function fillFilters() {
  byId("paper").append(element("option", { value: "" }, "all"));
  for (const paper of reproduction.papers) {
    byId("paper").append(element("option", { value: paper.name }, `${paper.source}: ${paper.title}`));
  }
  byId("verdict").append(element("option", { value: "" }, "all"));
  for (const name of [...verdictNames, "error"]) {
    if (reproduction.claims.some((claim) => verdictOf(claim) === name)) {
      byId("verdict").append(element("option", { value: name }, name));
    }
  }
  const words = readFragment();
  for (const id of ["paper", "verdict", "text"]) {
    byId(id).value = words.get(id) ?? "";
  }
}

function isShown(claim) {
  const text = byId("text").value.toLowerCase();
  const wanted = readFragment().get("claim");
  return (wanted === null || wanted === claim.name) &&
    (byId("paper").value === "" || byId("paper").value === claim.paper) &&
    (byId("verdict").value === "" || byId("verdict").value === verdictOf(claim)) &&
    [claim.name, claim.place, claim.statement, claim.claimed, foundText(claim)].some((part) => part.toLowerCase().includes(text));
}

// Figures

function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function seriesColour(number, count) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return `hsl(${Math.round(360 * number / Math.max(count, 1))} 70% ${dark ? 65 : 40}%)`;
}

// A point is [x, y] or [x, y, low, high].
const points = (series) => series.points.map(([x, y]) => ({ x: Number(x), y: Number(y) }));

function intervals(series) {
  const bars = [];
  for (const [x, , low, high] of series.points) {
    if (low !== undefined) {
      bars.push({ x: Number(x), y: Number(low) }, { x: Number(x), y: Number(high) }, { x: Number(x), y: NaN });
    }
  }
  return bars;
}

// Measured series are points, predicted ones lines; both of one title have one colour.
function datasets(figure) {
  const titles = [...new Set(figure.series.map((series) => series.title))];
  const sets = [];
  for (const series of figure.series) {
    const colour = seriesColour(titles.indexOf(series.title), titles.length);
    const line = series.kind === "predicted";
    sets.push({
      label: line ? `${series.title}, predicted` : series.title, data: points(series), borderColor: colour, backgroundColor: colour,
      showLine: line || !figure.series.some((other) => other.title === series.title && other.kind === "predicted"),
      borderWidth: line ? 1.5 : 1, borderDash: line ? [] : [3, 3], pointRadius: line ? 0 : 3,
    });
    const bars = intervals(series);
    if (bars.length > 0) {
      sets.push({ label: `${series.title}, 95 % interval`, data: bars, borderColor: colour, showLine: true, spanGaps: false, pointRadius: 0, borderWidth: 2, hidden: false });
    }
  }
  if (figure.marks.length > 0) {
    sets.push({
      label: "crossings", data: figure.marks.map((mark) => ({ x: Number(mark.x), y: Number(mark.y), label: mark.label })),
      borderColor: themeColour("--text"), backgroundColor: themeColour("--text"), pointStyle: "rectRot", pointRadius: 6, showLine: false,
    });
  }
  return sets;
}

function axis(title, logarithmic) {
  return {
    type: logarithmic ? "logarithmic" : "linear",
    title: { display: true, text: title, color: themeColour("--text") },
    ticks: { color: themeColour("--faint"), maxRotation: 0 },
    grid: { color: themeColour("--line") },
  };
}

function drawFigure(canvas, figure) {
  return new Chart(canvas, {
    type: "scatter",
    data: { datasets: datasets(figure) },
    options: {
      animation: false, maintainAspectRatio: false, responsive: true,
      interaction: { mode: "nearest", intersect: false },
      scales: { x: axis(figure.x_label, figure.log_x), y: axis(figure.y_label, figure.log_y) },
      plugins: {
        legend: { labels: { color: themeColour("--text"), boxWidth: 12, filter: (item) => !item.text.endsWith("interval") && !item.text.endsWith(", predicted") } },
        tooltip: { callbacks: { label: (item) => item.raw.label ?? `${item.dataset.label}: ${item.raw.x}, ${item.raw.y}` } },
      },
    },
  });
}

// Charts are drawn when they come near the screen; all again when light turns to dark.
const charts = new Map();
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (entry.isIntersecting && !charts.has(entry.target)) {
      charts.set(entry.target, drawFigure(entry.target, entry.target.figure));
    }
  }
}, { rootMargin: "400px" });

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const [canvas, chart] of charts) {
    chart.destroy();
    charts.set(canvas, drawFigure(canvas, canvas.figure));
  }
});

function figureView(figure) {
  const canvas = element("canvas", { role: "img", "aria-label": figure.title });
  canvas.figure = figure;
  watcher.observe(canvas);
  return element("div", {}, element("h3", {}, figure.title), element("div", { class: "plot" }, canvas),
    figure.marks.length === 0 ? "" : element("p", {}, "Crossings: " + figure.marks.map((mark) => mark.label).join("; ")));
}

// Heat maps

function heatColour(share) {
  return `hsl(${210 - 190 * share} 75% ${88 - 30 * share}%)`;
}

function matrixView(matrix) {
  const numbers = matrix.values.flat().filter((value) => value !== "").map(Number);
  const low = Math.min(...numbers);
  const high = Math.max(...numbers);
  const marked = new Set(matrix.marked.map(([column, row]) => `${column} ${row}`));
  const table = element("table", { class: "matrix" });
  const rows = matrix.values.map((values, row) => {
    const line = element("tr", {}, element("th", {}, String(row)));
    values.forEach((value, column) => {
      const label = matrix.labels.length > 0 ? matrix.labels[row][column] : value;
      const cell = element("td", {}, label);
      if (value === "") {
        cell.className = "none";
      } else {
        cell.style.background = heatColour(high > low ? (Number(value) - low) / (high - low) : 0);
      }
      if (marked.has(`${column} ${row}`)) {
        cell.classList.add("marked");
      }
      line.append(cell);
    });
    return line;
  });
  table.append(...(matrix.y_up ? rows.reverse() : rows));
  const width = Math.max(...matrix.values.map((values) => values.length));
  table.append(element("tr", {}, element("th"), ...Array.from({ length: width }, (_, column) => element("th", {}, String(column)))));
  return element("div", {}, element("h3", {}, matrix.title),
    element("p", {}, `${matrix.x_label} to the right, ${matrix.y_label} ${matrix.y_up ? "upwards" : "downwards"}; ${low} to ${high}` +
      (marked.size > 0 ? "; framed: marked" : "")),
    element("div", { class: "scroll" }, table));
}

function tableView(table) {
  return element("details", {}, element("summary", {}, table.title),
    element("div", { class: "scroll" }, element("table", {},
      element("thead", {}, element("tr", {}, ...table.header.map((name) => element("th", {}, name)))),
      element("tbody", {}, ...table.rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))))))));
}

// Claims

function entry(list, name, value) {
  if (value !== "") {
    list.append(element("dt", {}, name), element("dd", {}, value));
  }
}

function claimView(claim) {
  const verdict = verdictOf(claim);
  const list = element("dl");
  entry(list, "paper", `${paperTitle(claim.paper)}, ${claim.place}`);
  entry(list, "kind", claim.kind);
  entry(list, "claim", claim.statement);
  entry(list, "claimed", claim.claimed);
  entry(list, "reading", claim.reading);
  entry(list, "found", foundText(claim));
  entry(list, "verdict", element("span", { class: verdictClass(verdict) }, verdict + (claim.agrees ? "" : ` (recorded: ${claim.recorded})`)));
  entry(list, "repeat it", element("code", {}, claim.repeat));
  entry(list, "see it", claim.command === "" ? "" : element("code", {}, claim.command));
  const view = element("section", { id: claim.name }, element("h2", {}, claim.name), list);
  if (claim.error === null) {
    for (const reading of claim.evidence.readings) {
      entry(list, "read as", `${reading.text}: ${reading.verdict}`);
    }
    entry(list, "instead", claim.evidence.correction);
    entry(list, "same finding as", claim.repeats);
    if (claim.evidence.counterexample !== null) {
      entry(list, "counterexample", claim.evidence.counterexample.text);
      if (claim.evidence.counterexample.schedule !== null) {
        view.append(element("details", {}, element("summary", {}, "the counterexample's schedule"),
          element("pre", {}, JSON.stringify(claim.evidence.counterexample.schedule))));
      }
    }
    view.append(...claim.evidence.figures.map(figureView), ...claim.evidence.matrices.map(matrixView), ...claim.evidence.tables.map(tableView));
  }
  if (claim.config !== "") {
    view.append(element("details", {}, element("summary", {}, claim.config_file), element("pre", {}, claim.config)));
  }
  return view;
}

function verdictRow(claim) {
  const verdict = verdictOf(claim);
  const row = element("tr", {}, element("td", { class: verdictClass(verdict) }, verdict),
    element("td", {}, `${paperTitle(claim.paper)}, ${claim.place}`),
    element("td", {}, element("a", { href: `#claim=${claim.name}` }, claim.statement)),
    element("td", {}, claim.claimed), element("td", {}, foundText(claim)));
  if (!claim.agrees) {
    row.className = "differs";
  }
  return row;
}

// Views are made once, when they are first shown.
const views = new Map();

function show() {
  const shown = reproduction.claims.filter(isShown);
  document.querySelector("#verdicts tbody").replaceChildren(...shown.map(verdictRow));
  byId("claims").replaceChildren(...shown.map((claim) => {
    if (!views.has(claim.name)) {
      views.set(claim.name, claimView(claim));
    }
    return views.get(claim.name);
  }));
  const wanted = readFragment().get("claim");
  byId("count").replaceChildren(`${shown.length} of ${reproduction.claims.length} claims`);
  if (wanted !== null) {
    byId("count").append(" ", element("a", { href: "#" }, "show all"));
  }
  document.documentElement.dataset.shown = shown.length;
}

function summaryText() {
  const counted = (claims) => verdictNames.map((name) => [name, claims.filter((claim) => verdictOf(claim) === name).length])
    .filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`).join(", ");
  const distinct = reproduction.claims.filter((claim) => claim.repeats === "");
  const differing = reproduction.claims.filter((claim) => !claim.agrees).length;
  return `${reproduction.claims.length} claims of ${reproduction.papers.length} ${reproduction.papers.length === 1 ? "paper" : "papers"}: ${counted(reproduction.claims)}; ` +
    (distinct.length === reproduction.claims.length ? "" : `${distinct.length} distinct findings: ${counted(distinct)}; `) +
    (differing === 0 ? "all verdicts as recorded." : `${differing} not as recorded.`) + ` Wormcast ${reproduction.version}.`;
}

fillFilters();
byId("summary").textContent = summaryText();
for (const id of ["paper", "verdict", "text"]) {
  byId(id).addEventListener("input", () => {
    writeFragment();
    show();
  });
}
byId("filters").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", () => {
  show();
  if (readFragment().has("claim")) {
    byId("claims").scrollIntoView();
  }
});
show();
