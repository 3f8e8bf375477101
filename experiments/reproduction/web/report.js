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

// Colours that people with any kind of colour vision tell apart (Okabe & Ito), the last the text's own; symbols, filled and
// empty; dashes. The numbers have no common divisor, so that 70 series look different, in print without colours, too.
const seriesColours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B98500", "#56B4E9", "--text"];
const symbols = ["circle", "rect", "triangle", "rectRot", "cross"];
const dashes = [[], [9, 3], [2, 3], [10, 3, 2, 3], [16, 4]];

function seriesLook(number) {
  const colour = seriesColours[number % seriesColours.length];
  return {
    colour: colour.startsWith("--") ? themeColour(colour) : colour,
    symbol: symbols[number % symbols.length],
    filled: Math.floor(number / symbols.length) % 2 === 0,
    dash: dashes[number % dashes.length],
  };
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

function seriesTitles(figure) {
  return [...new Set(figure.series.map((series) => series.title))];
}

function hasKind(figure, title, kind) {
  return figure.series.some((series) => series.title === title && series.kind === kind);
}

// Measured series are symbols, predicted ones lines; both of one title have one look. Measured ones alone are joined.
function datasets(figure) {
  const titles = seriesTitles(figure);
  const sets = [];
  for (const series of figure.series) {
    const { colour, symbol, filled, dash } = seriesLook(titles.indexOf(series.title));
    const line = series.kind === "predicted";
    sets.push({
      label: `${series.title}, ${series.kind}`, title: series.title, data: points(series), borderColor: colour,
      backgroundColor: filled ? colour : "transparent", pointStyle: symbol,
      showLine: line || !hasKind(figure, series.title, "predicted"),
      borderWidth: 1.5, borderDash: dash, pointRadius: line ? 0 : 4,
    });
    const bars = intervals(series);
    if (bars.length > 0) {
      sets.push({ label: `${series.title}, 95 % interval`, title: series.title, data: bars, borderColor: colour, showLine: true, spanGaps: false, pointRadius: 0, borderWidth: 2 });
    }
  }
  if (figure.marks.length > 0) {
    sets.push({
      label: "crossings", data: figure.marks.map((mark) => ({ x: Number(mark.x), y: Number(mark.y), label: mark.label })),
      borderColor: themeColour("--text"), backgroundColor: themeColour("--panel"), pointStyle: "circle", pointRadius: 8, pointHoverRadius: 8, showLine: false, order: -1,
    });
  }
  return sets;
}

// The crossings' numbers in their marks; what they mean stands below the figure.
const crossingNumbers = {
  id: "crossingNumbers",
  afterDatasetsDraw(chart) {
    const pen = chart.ctx;
    chart.data.datasets.forEach((set, i) => {
      if (set.label === "crossings") {
        pen.fillStyle = themeColour("--text");
        pen.font = "bold 11px system-ui, sans-serif";
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        chart.getDatasetMeta(i).data.forEach(({ x, y }, number) => pen.fillText(String(number + 1), x, y + 0.5));
      }
    });
  },
};

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
    plugins: [crossingNumbers],
    data: { datasets: datasets(figure) },
    options: {
      animation: false, maintainAspectRatio: false, responsive: true,
      interaction: { mode: "nearest", intersect: false },
      scales: { x: axis(figure.x_label, figure.log_x), y: axis(figure.y_label, figure.log_y) },
      plugins: {
        legend: { display: false },
        tooltip: { callbacks: { label: (item) => item.raw.label ?? `${item.dataset.label}: ${item.raw.x}, ${item.raw.y}` } },
      },
    },
  });
}

// Charts are drawn with their claims, so that they are there in print and in pictures of the page; all again when light
// turns to dark, and in light colours for print.
const charts = new Map();

function drawFigures() {
  for (const canvas of document.querySelectorAll("canvas")) {
    if (!charts.has(canvas)) {
      charts.set(canvas, drawFigure(canvas, canvas.figure));
    }
  }
}

function drawAgain() {
  for (const [canvas, chart] of charts) {
    const hidden = chart.data.datasets.map((_, i) => !chart.isDatasetVisible(i));
    chart.destroy();
    const drawn = drawFigure(canvas, canvas.figure);
    hidden.forEach((is, i) => drawn.setDatasetVisibility(i, !is));
    drawn.update();
    charts.set(canvas, drawn);
    canvas.legend.replaceChildren(...legendEntries(canvas));
  }
}

const darkness = matchMedia("(prefers-color-scheme: dark)");
darkness.addEventListener("change", drawAgain);
for (const [event, prints] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(event, () => {
    document.documentElement.toggleAttribute("data-print", prints);
    if (darkness.matches) {
      drawAgain();
    }
  });
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// The outlines of `symbols` around (0, 0).
const outlines = {
  circle: "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z", rect: "M-3.5,-3.5h7v7h-7Z", triangle: "M0,-4.5l4,7h-8Z",
  rectRot: "M0,-4.5l4.5,4.5l-4.5,4.5l-4.5,-4.5Z", cross: "M-4,0h8M0,-4v8",
};

// What a series looks like: its line where one is drawn, its symbol where something was measured.
function swatch(figure, title) {
  const { colour, symbol, filled, dash } = seriesLook(seriesTitles(figure).indexOf(title));
  const measured = hasKind(figure, title, "measured");
  const line = hasKind(figure, title, "predicted") || measured;
  return svg("svg", { width: 46, height: 12, viewBox: "-23 -6 46 12", "aria-hidden": "true" },
    line ? svg("path", { d: "M-22,0H22", stroke: colour, "stroke-width": 1.5, "stroke-dasharray": dash.join(" ") }) : "",
    measured ? svg("path", { d: outlines[symbol], stroke: colour, "stroke-width": 1.5, fill: filled ? colour : "var(--panel)" }) : "");
}

// An entry for each title; a click hides and shows its series.
function legendEntries(canvas) {
  const { figure } = canvas;
  return seriesTitles(figure).map((title) => {
    const drawn = charts.get(canvas);
    const shown = !drawn || drawn.data.datasets.every((set, i) => set.title !== title || drawn.isDatasetVisible(i));
    const entry = element("button", { type: "button", "aria-pressed": String(shown) }, swatch(figure, title), title);
    entry.addEventListener("click", () => {
      const chart = charts.get(canvas);
      const shows = entry.getAttribute("aria-pressed") !== "true";
      entry.setAttribute("aria-pressed", String(shows));
      chart.data.datasets.forEach((set, i) => {
        if (set.title === title) {
          chart.setDatasetVisibility(i, shows);
        }
      });
      chart.update();
    });
    return entry;
  });
}

// How symbols and lines are to be read.
function kindsText(figure) {
  const kinds = new Set(figure.series.map((series) => series.kind));
  return kinds.size === 2 ? "Symbols: measured. Lines: predicted." : kinds.has("predicted") ? "Predicted." : "Measured.";
}

function figureView(figure) {
  const canvas = element("canvas", { role: "img", "aria-label": figure.title });
  canvas.figure = figure;
  canvas.legend = element("div", { class: "key" }, ...legendEntries(canvas));
  const crossings = element("ol", { class: "crossings" }, ...figure.marks.map((mark) => element("li", {}, mark.label)));
  return element("div", { class: "figure" }, element("h3", {}, figure.title), element("p", {}, kindsText(figure)), canvas.legend,
    element("div", { class: "plot" }, canvas),
    ...(figure.marks.length === 0 ? [] : [element("p", {}, "Crossings:"), crossings]));
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
    entry(list, "turns", claim.turned_by === undefined ? "" : `to ${claim.turns_to} with ${claim.turned_by}`);
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
  drawFigures();
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
