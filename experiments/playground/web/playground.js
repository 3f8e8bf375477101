"use strict";

// The form, which writes a configuration; a worker runs it, and a frame plays the page that comes back.
const element = (id) => document.getElementById(id);
const usual = {
  "topology.kind": "mesh", "topology.dims": "8, 8", "network.startup": "150us", "network.per_hop": "0us",
  "network.per_byte": "0.5us", "algorithm.name": "recursion_based", "algorithm.source": "", "message.bytes": "4KiB",
};
const plainKeys = ["startup", "per_byte", "per_hop", "ports"];
const given = new Map(Object.entries(usual)); // what the fields hold, by key, also of those that are not shown now
let catalogue = null;
let worker = null;
let ownText = false; // the text was changed by hand
const urls = new Map();

// What the page shows, for programs that read its console.
function writeState(state) {
  console.info(`wormcast-playground ${JSON.stringify(state)}`);
}

// A field's text as a value of TOML. What is no number, list or truth stays a text: the simulator says what it expects.
function valueOf(declared, text) {
  if (declared.is_text) {
    return JSON.stringify(text);
  }
  if (/^(true|false|[-+]?\d+(\.\d+)?(e[-+]?\d+)?|\[.*\])$/i.test(text)) {
    return text;
  }
  const parts = text.split(/\s*[,x]\s*|\s+/);
  return parts.length > 1 && parts.every((part) => /^-?\d+(\.\d+)?$/.test(part)) ? `[${parts.join(", ")}]` : JSON.stringify(text);
}

const kindNow = () => catalogue.topologies.find(({ name }) => name === element("kind").value);
const algorithmNow = () => catalogue.algorithms.find(({ name }) => name === element("algorithm-name").value);

// The keys of each section of the configuration that the form has now.
function sections() {
  const fixed = (list, name) => list.filter((declared) => declared.name !== name);
  return [["topology", [{ name: "kind", is_text: true }, ...kindNow().parameters]], ["network", catalogue.network],
    ["algorithm", [{ name: "name", is_text: true }, ...fixed(catalogue.algorithm, "name"), ...algorithmNow().parameters]],
    ["message", catalogue.message], ["run", catalogue.run]];
}

const textOf = (key) => (given.get(key) ?? "").trim();

function writtenText() {
  const parts = sections().map(([section, list]) => {
    const lines = list.filter(({ name }) => textOf(`${section}.${name}`) !== "")
      .map((declared) => `${declared.name} = ${valueOf(declared, textOf(`${section}.${declared.name}`))}`);
    return lines.length > 0 ? `[${section}]\n${lines.join("\n")}\n` : "";
  });
  return parts.filter((part) => part !== "").join("\n");
}

// "#topology.kind=mesh&message.bytes=64" or, where the text was changed by hand, "#text=...": a link leads to the run.
function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  if (words.has("text")) {
    ownText = true;
    element("text").value = words.get("text");
  } else if ([...words].length > 0) {
    given.clear();
    words.forEach((value, key) => given.set(key, value));
  }
}

function keepInAddress() {
  const words = ownText ? [["text", element("text").value]]
    : sections().flatMap(([section, list]) => list.map(({ name }) => [`${section}.${name}`, textOf(`${section}.${name}`)]))
      .filter(([, value]) => value !== "");
  try {
    history.replaceState(null, "", `#${new URLSearchParams(words)}`);
  } catch {
    // Some browsers refuse that to local files; nothing else depends on it.
  }
}

function offer(link, text, type) {
  URL.revokeObjectURL(urls.get(link));
  urls.set(link, URL.createObjectURL(new Blob([text], { type })));
  element(link).href = urls.get(link);
}

function writeText() {
  if (!ownText) {
    element("text").value = writtenText();
  }
  offer("save-text", element("text").value, "application/toml");
}

function field(section, declared) {
  const key = `${section}.${declared.name}`;
  const label = document.createElement("label");
  const name = document.createElement("span");
  const isClosed = declared.choices.length > 0 && declared.is_text;
  const input = document.createElement(isClosed ? "select" : "input");
  const usually = declared.default === null ? "" : [declared.default].flat().join(", ");
  name.textContent = declared.name;
  label.title = `${declared.text}: ${declared.expected}`;
  if (isClosed) {
    input.append(new Option(usually === "" ? "-" : `${usually} (default)`, ""),
      ...declared.choices.filter((choice) => choice !== usually).map((choice) => new Option(choice)));
  } else {
    input.placeholder = declared.required ? "required" : usually;
  }
  input.id = key;
  input.value = textOf(key);
  input.addEventListener("input", () => {
    given.set(key, input.value);
    ownText = false;
    writeText();
  });
  label.append(name, input);
  return label;
}

// The fields for what is chosen: those that stay, too, as they hold the same.
function showFields() {
  const show = (id, section, list) => element(id).replaceChildren(...list.map((declared) => field(section, declared)));
  const isPlain = ({ name }) => plainKeys.includes(name);
  show("topology", "topology", kindNow().parameters);
  show("network", "network", catalogue.network.filter(isPlain));
  show("network-more", "network", catalogue.network.filter((declared) => !isPlain(declared) && declared.name !== "router"));
  show("algorithm", "algorithm", [...catalogue.algorithm.filter(({ name }) => name !== "name"), ...algorithmNow().parameters]);
  show("message", "message", catalogue.message);
  show("run", "run", catalogue.run);
  element("kind-summary").textContent = kindNow().summary;
  element("algorithm-summary").textContent = `${algorithmNow().summary}. Topologies: ${algorithmNow().topologies || "all"}. `
    + `Ports: ${algorithmNow().ports || "any"}.`;
}

function choose(id, key, options) {
  const select = element(id);
  select.replaceChildren(...options);
  select.value = textOf(key);
  if (select.value === "") {
    select.selectedIndex = 0;
  }
  given.set(key, select.value);
  select.addEventListener("input", () => {
    given.set(key, select.value);
    ownText = false;
    showFields();
    writeText();
  });
}

function showForm() {
  const groups = new Map();
  for (const { name, operation } of catalogue.algorithms) {
    if (!groups.has(operation)) {
      groups.set(operation, document.createElement("optgroup"));
      groups.get(operation).label = operation.replaceAll("_", " ");
    }
    groups.get(operation).append(new Option(name));
  }
  element("version").textContent = catalogue.version;
  choose("kind", "topology.kind", catalogue.topologies.map(({ name }) => new Option(name)));
  choose("algorithm-name", "algorithm.name", [...groups.values()]);
  showFields();
  writeText();
}

function setRunning(on) {
  element("start").disabled = on;
  element("stop").disabled = !on;
}

function say(status, error = "") {
  element("status").textContent = status;
  element("error").textContent = error;
  element("error").hidden = error === "";
}

// What the player says of itself, once its scripts have run.
function playerState() {
  const state = element("player").contentDocument?.getElementById("state")?.textContent;
  return state ? JSON.parse(state) : null;
}

function showResult(result, page) {
  setRunning(false);
  element("verdict").hidden = true;
  element("saves").hidden = true;
  element("player").hidden = true;
  if (result.error) {
    say("", result.error);
    writeState(result);
    return;
  }
  const verdict = result.valid ? "The schedule is proved right." : "The schedule is refuted.";
  const latency = result.latency_us === null ? "It ends in a deadlock." : `Latency ${result.latency_us} µs.`;
  say(`${result.title}: ${latency} ${verdict} Simulated in ${Math.round(1000 * result.simulation_s)} ms. ${result.warnings.join(" ")}`);
  element("verdict").hidden = false;
  element("verdict").open = !result.valid;
  element("verdict").querySelector("summary").textContent = verdict;
  element("check").textContent = result.check;
  element("saves").hidden = false;
  offer("save-page", page, "text/html");
  const player = element("player");
  player.onload = () => writeState({ ...result, configuration: element("text").value, player: playerState() });
  player.hidden = false;
  player.srcdoc = page;
}

function start() {
  writeText();
  keepInAddress();
  setRunning(true);
  say("It is being simulated.");
  worker.postMessage({ text: element("text").value });
}

function answered({ data }) {
  if (data.failed) {
    setRunning(false);
    say("", `The simulator failed: ${data.failed}`);
    writeState({ error: data.failed });
    startWorker(); // what it holds is not to be trusted any more
  } else if (data.catalogue && !catalogue) {
    catalogue = data.catalogue;
    showForm();
    start();
  } else if (data.result) {
    showResult(data.result, data.page);
  }
}

function startWorker() {
  const code = new Blob([element("engine").textContent], { type: "text/javascript" });
  const bytes = Uint8Array.from(atob(element("module").textContent), (letter) => letter.charCodeAt(0));
  worker = new Worker(URL.createObjectURL(code));
  worker.onmessage = answered;
  worker.onerror = (event) => say("", `The simulator failed: ${event.message}`);
  worker.postMessage({ module: bytes });
}

element("form").addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
element("stop").addEventListener("click", () => {
  worker.terminate();
  startWorker();
  setRunning(false);
  say("Stopped.");
});
element("text").addEventListener("input", () => {
  ownText = true;
});
readAddress();
startWorker();
