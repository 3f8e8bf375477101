"use strict";

// The page: controls, text, and one redraw a frame at most.
const errors = [];
window.addEventListener("error", (event) => {
  errors.push(String(event.message));
  writeState(null);
});

const element = (id) => document.getElementById(id);
const run = new Run(JSON.parse(element("data").textContent));
const picture = new Picture(element("picture"), run);
const timeline = new Timeline(element("timeline"), run, picture);
const longestList = 100;
const stillSeconds = 0.3;
let now = 0;
let playing = false;
let picked = null;
let lastFrame = null;
let frameAsked = false;

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const decimal = (number, digits) => Number(number.toFixed(digits)).toLocaleString("en", { maximumFractionDigits: digits });
const microseconds = (time) => `${decimal(time, 6)} µs`;

// Of a series, whose message it is.
function whoseWords(broadcast) {
  const others = !run.round || (broadcast !== null && !run.round.traffic && run.round.broadcasts.length === 1);
  return others ? "" : broadcast === null ? " of the load" : ` of broadcast ${broadcast}`;
}

function describeMessage(id) {
  const { src, dst, step, bytes, broadcast, mpi } = run.message(id);
  const name = run.data.nodes.name;
  const ofStep = run.hasSteps && step !== null ? `, step ${step}` : "";
  return `message ${id}${whoseWords(broadcast)} (${name[src]} → ${name[dst]}, ${bytes} B${ofStep}${mpi === null ? "" : `, ${mpi}`})`;
}

function describeWait(i) {
  const { waiting, holding, kind, resource, from } = run.waits;
  return `${run.nameOf(kind[i])}: ${describeMessage(waiting[i])} waits since ${microseconds(from[i])} for `
    + `${run.resourceName(resource[i])}, held by ${describeMessage(holding[i])}`;
}

function describeNode(node, moment) {
  const lines = [`${run.data.nodes.name[node]} (node ${node}) has ${run.heldNow[node]} of ${plural(run.wanted[node], run.data.unit)}.`];
  for (const worm of moment.worms.values()) {
    if (worm.message.src === node && worm.sends) {
      lines.push(`Sends ${describeMessage(worm.message.id)}.`);
    } else if (worm.message.dst === node && worm.receives) {
      lines.push(`Receives ${describeMessage(worm.message.id)}.`);
    }
  }
  return lines.join("\n");
}

// Where each text is: the moment of a record, the period as words.
function period(from, to) {
  return `${microseconds(from)} to ${Number.isFinite(to) ? microseconds(to) : "never"}`;
}

function listButton(text, pressed, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.setAttribute("aria-current", String(pressed));
  button.addEventListener("click", action);
  const item = document.createElement("li");
  item.append(button);
  return item;
}

// Who held the picked channel, or the ports of the picked node, and who waited for it, in the order of time.
function pickedRecords() {
  const wanted = picked.channel !== undefined ? (number) => number === picked.channel
    : (number) => run.resource(number).port !== undefined && run.resource(number).node === picked.node;
  const { occupancy, waits } = run;
  const ofPort = (number) => (picked.node === undefined ? "" : `${run.resource(number).port}: `);
  const held = run.holders(wanted).map((i) => ({ from: occupancy.from[i], to: occupancy.to[i],
    text: `${ofPort(occupancy.resource[i])}${describeMessage(occupancy.message[i])}` }));
  const waited = [];
  waits.resource.forEach((number, i) => {
    if (wanted(number)) {
      waited.push({ from: waits.from[i], to: waits.to[i],
        text: `${ofPort(number)}${run.letterOf(waits.kind[i])}, ${describeMessage(waits.waiting[i])} waits for message ${waits.holding[i]}${whoseWords(run.message(waits.holding[i]).broadcast)}` });
    }
  });
  return { held, all: [...held, ...waited].sort((a, b) => a.from - b.from) };
}

function writePicked(moment) {
  const box = element("picked");
  const title = element("picked-title");
  if (!picked || picked.wait !== undefined) {
    title.textContent = "Who held it when";
    box.textContent = picked ? describeWait(picked.wait) : "Click on a channel or a node.";
    return;
  }
  const { held, all } = pickedRecords();
  title.textContent = picked.channel === undefined ? `Ports of ${run.data.nodes.name[picked.node]}` : `Channel ${run.resourceName(picked.channel)}`;
  const words = document.createElement("p");
  const busy = held.reduce((sum, { from, to }) => sum + Math.min(to, run.end) - from, 0);
  words.textContent = picked.node !== undefined ? describeNode(picked.node, moment)
    : held.length === 0 ? "Nobody held it." : `Held by ${plural(held.length, "message")}, ${microseconds(busy)} in all.`;
  const list = document.createElement("ol");
  const now = all.findIndex(({ to }) => to > moment.time);
  const first = Math.max(0, (now < 0 ? all.length : now) - longestList / 2);
  const shown = all.slice(first, first + longestList);
  list.append(...shown.map(({ from, to, text }) => listButton(`${period(from, to)}: ${text}`,
    from <= moment.time && moment.time < to, () => pause(from))));
  if (shown.length < all.length) {
    const rest = document.createElement("li");
    rest.textContent = `${all.length - shown.length} more, before and after`;
    list.append(rest);
  }
  box.replaceChildren(words, list);
  const current = list.querySelector("[aria-current=true]");
  box.scrollTop = current ? Math.max(0, current.offsetTop - box.offsetTop - 40) : 0;
}

// What the page shows, for programs that read it.
function writeState(moment, drawn) {
  const state = { errors };
  if (moment) {
    let channels = 0;
    moment.worms.forEach((worm) => { channels += worm.channels.length; });
    const { kind, waiting: waiters, holding, resource } = run.waits;
    Object.assign(state, {
      at_us: moment.time, nodes: drawn, complete: moment.complete, held: run.heldNow.reduce((a, b) => a + b, 0),
      worms: moment.worms.size, worms_shown: [...moment.worms.values()].filter((worm) => worm.shown).length, channels,
      in_startup: [...moment.worms.values()].filter((worm) => inStartup(worm, moment.waiting)).length,
      others: othersAmong(moment), steps: moment.steps,
      waits: moment.waits.map((i) => ({
        kind: kind[i], waiting: waiters[i], holding: holding[i], resource: run.resourceName(resource[i]),
      })),
      controls_px: [element("timeline"), element("play"), element("time")].map((control) => control.getBoundingClientRect().bottom),
      window_px: [window.innerWidth, window.innerHeight], page_px: document.documentElement.scrollWidth,
    });
  }
  element("state").textContent = JSON.stringify(state);
}

// Worms of messages that belong to no broadcast of the round.
function othersAmong(moment) {
  return [...moment.worms.values()].filter((worm) => !run.isOwn(worm.message)).length;
}

function writeText(moment) {
  const steps = moment.steps.join(", ") || "none";
  element("now-time").textContent = `${decimal(moment.time, 3)} of ${decimal(run.end, 3)} µs`;
  element("clock").textContent = microseconds(moment.time) + (run.hasSteps && moment.steps.length > 0 && moment.steps.length < 9
    ? `, ${moment.steps.length === 1 ? "step" : "steps"} ${steps}` : "");
  element("now-steps").textContent = steps;
  const starting = [...moment.worms.values()].filter((worm) => inStartup(worm, moment.waiting)).length;
  element("now-load").textContent = plural(othersAmong(moment), "worm");
  element("now-worms").textContent = `${moment.worms.size - starting} on their way, ${starting} starting up`;
  if (run.hasSteps) {
    element("now-complete").textContent = `${moment.complete} of ${plural(run.nodeCount, "node")}`;
  } else {
    const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
    element("now-complete").textContent = `${sum(run.heldNow)} of ${plural(sum(run.wanted), "message")}`;
  }
  element("now-waiting").textContent = plural(moment.waits.length, "header");
}

function writeWaits(moment) {
  element("waits-title").textContent = `Waiting headers (${moment.waits.length})`;
  const list = element("waits");
  const items = moment.waits.slice(0, longestList).map((i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = describeWait(i);
    button.setAttribute("aria-pressed", String(Boolean(picked && picked.wait === i)));
    button.addEventListener("click", () => pick(picked && picked.wait === i ? null : { wait: i }));
    const item = document.createElement("li");
    item.append(button);
    return item;
  });
  if (moment.waits.length !== items.length || items.length === 0) {
    const rest = document.createElement("li");
    rest.textContent = items.length === 0 ? "none" : `and ${moment.waits.length - items.length} more`;
    items.push(rest);
  }
  list.replaceChildren(...items);
}

// While it plays, the lists and the state are left alone: nobody can read them that fast.
function draw() {
  const moment = run.at(now);
  const drawn = picture.draw(moment, picked);
  timeline.draw(now);
  element("time").value = run.end > run.begin ? (now - run.begin) / (run.end - run.begin) : 0;
  writeText(moment);
  for (const id of ["waits", "picked"]) {
    element(id).classList.toggle("stale", playing);
  }
  if (!playing) {
    writeWaits(moment);
    writePicked(moment);
    writeState(moment, drawn);
  }
}

function askFrame() {
  if (!frameAsked) {
    frameAsked = true;
    requestAnimationFrame(frame);
  }
}

// Microseconds of the run in a second. Time in which nothing changes passes in stillSeconds where that is asked for.
function playbackRate() {
  const rate = (run.end - run.begin) / Number(element("speed").value);
  const still = run.nextEvent(now) - (run.events[Math.max(0, upperBound(run.events, now) - 1)] ?? run.begin);
  return element("skip").checked ? Math.max(rate, still / stillSeconds) : rate;
}

function frame(clock) {
  frameAsked = false;
  if (playing) {
    const passed = lastFrame === null ? 0 : Math.min(0.1, (clock - lastFrame) / 1000);
    lastFrame = clock;
    now = Math.min(run.end, now + passed * playbackRate());
    if (now >= run.end) {
      setPlaying(false);
    }
  }
  draw();
  if (playing) {
    askFrame();
  }
}

function setPlaying(on) {
  playing = on;
  lastFrame = null;
  element("play").textContent = on ? "Pause" : "Play";
  if (on && now >= run.end) {
    now = run.begin;
  }
  if (!on) {
    keepInAddress();
  }
  askFrame();
}

function goTo(time) {
  now = Math.min(run.end, Math.max(run.begin, time));
  if (!playing) {
    keepInAddress();
  }
  askFrame();
}

function pause(time) {
  setPlaying(false);
  goTo(time);
}

function pick(what) {
  picked = what;
  keepInAddress();
  askFrame();
}

// What the filters ask for: {filter}, or {wrong}, the field whose text means nothing here.
function readFilters() {
  const text = (id) => element(id).value.trim();
  const kinds = [...document.querySelectorAll("#kinds label:not([hidden]) input")];
  const checked = kinds.filter((box) => box.checked).map((box) => box.value);
  const message = text("filter-message") === "" ? null : Number(text("filter-message"));
  if (message !== null && !run.position.has(message)) {
    return { wrong: "filter-message", why: `no message ${text("filter-message")} is shown here` };
  }
  const node = text("filter-node") === "" ? null : nodeOf(text("filter-node"));
  if (node === -1) {
    return { wrong: "filter-node", why: `no node ${text("filter-node")}` };
  }
  const step = text("filter-step") === "" ? null : Number(text("filter-step"));
  const asked = text("filter-whose");
  const whose = asked === "" ? null : asked === "load" ? asked : Number(asked);
  return { filter: { whose, step, message, node, kinds: checked.length === kinds.length ? null : new Set(checked) } };
}

// A node by its name, however it is spaced, or its number; -1: there is none.
function nodeOf(text) {
  const bare = (name) => name.replace(/[\s()]/g, "");
  const named = run.data.nodes.name.findIndex((name) => bare(name) === bare(text));
  return named >= 0 ? named : /^\d+$/.test(text) && Number(text) < run.nodeCount ? Number(text) : -1;
}

function applyFilters() {
  const { filter, wrong, why } = readFilters();
  for (const id of ["filter-message", "filter-node"]) {
    element(id).classList.toggle("wrong", id === wrong);
    element(id).setAttribute("aria-invalid", String(id === wrong));
  }
  if (filter) {
    run.show(filter);
  }
  const all = plural(run.data.messages.id.length, "message");
  element("filter-found").textContent = why || (run.chosen === null ? all : `${run.chosen.size} of ${all}`);
  document.querySelectorAll("#key button").forEach((chip) => {
    chip.setAttribute("aria-pressed", String(run.filter.step === Number(chip.value)));
  });
  timeline.drawGround();
  keepInAddress();
  askFrame();
}

// "all" and `options`; what was selected stays so.
function setOptions(select, options) {
  const { value } = select;
  select.replaceChildren(new Option("all", ""), ...options);
  select.value = value;
}

function setUpFilters() {
  const steps = [...new Set(run.data.steps.step)];
  const select = element("filter-step");
  setOptions(select, steps.map((step) => new Option(String(step), String(step))));
  if (run.round) {
    const broadcasts = run.round.broadcasts.map((number) => new Option(`broadcast ${number}`, String(number)));
    setOptions(element("filter-whose"), [...broadcasts, ...(run.round.traffic ? [new Option("the load", "load")] : [])]);
  }
  element("key").replaceChildren(...steps.map((step) => {
    const chip = document.createElement("button");
    const { colour, core } = picture.look(step);
    const swatch = document.createElement("i");
    swatch.style.setProperty("--worm", colour);
    swatch.className = core;
    chip.type = "button";
    chip.value = String(step);
    chip.title = `Step ${step} alone`;
    chip.append(swatch, String(step));
    chip.addEventListener("click", () => {
      select.value = run.filter.step === step ? "" : String(step);
      applyFilters();
    });
    return chip;
  }));
  if (steps.length > 0) {
    element("key").prepend("step");
  } else {
    element("key").textContent = "Each message has its colour; they repeat.";
  }
}

// Steps begin at these times; a run without steps moves by a twentieth.
function stepTimes() {
  const begins = run.data.steps.from_us;
  return begins.length > 0 ? [run.begin, ...begins, run.end].sort((a, b) => a - b)
    : Array.from({ length: 21 }, (_, i) => run.begin + (run.end - run.begin) * i / 20);
}

function nextStep() {
  return stepTimes().find((time) => time > now) ?? run.end;
}

function previousStep() {
  return stepTimes().filter((time) => time < now).pop() ?? run.begin;
}

function changeSpeed(by) {
  const speed = element("speed");
  speed.selectedIndex = Math.min(speed.options.length - 1, Math.max(0, speed.selectedIndex + by));
}

// "#at=150.5&step=3&kinds=step,port&channel=12": the moment in microseconds, the filters and what is picked, so that a
// link leads there.
function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const number = (name, end) => (/^\d+$/.test(words.get(name) ?? "") && Number(words.get(name)) < end ? Number(words.get(name)) : undefined);
  const time = /^[0-9.eE+-]+$/.test(words.get("at") ?? "") ? Number(words.get("at")) : NaN;
  element("filter-step").value = run.data.steps.step.some((step) => String(step) === words.get("step")) ? words.get("step") : "";
  element("filter-whose").value = [...element("filter-whose").options].some(({ value }) => value === words.get("whose")) ? words.get("whose") : "";
  element("filter-message").value = words.get("message") ?? "";
  element("filter-node").value = words.get("node") ?? "";
  const kinds = words.has("kinds") ? words.get("kinds").split(",") : null;
  document.querySelectorAll("#kinds input").forEach((box) => {
    box.checked = kinds === null || kinds.includes(box.value);
  });
  const channel = number("channel", run.channelCount);
  const node = number("picked", run.nodeCount);
  picked = channel !== undefined ? { channel } : node !== undefined ? { node } : null;
  return Number.isFinite(time) ? Math.min(run.end, Math.max(run.begin, time)) : null;
}

function keepInAddress() {
  const { whose, step, message, node, kinds } = run.filter;
  const words = [["at", now], ["whose", whose], ["step", step], ["message", message], ["node", node === null ? null : encodeURIComponent(run.data.nodes.name[node])], ["kinds", kinds && [...kinds].join(",")],
    ["channel", picked && picked.channel], ["picked", picked && picked.node]];
  try {
    history.replaceState(null, "", "#" + words.filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => `${name}=${value}`).join("&"));
  } catch {
    // Some browsers refuse that to local files, or many times a second; nothing else depends on it.
  }
}

const keys = {
  " ": () => setPlaying(!playing),
  ArrowLeft: () => pause(run.previousEvent(now)),
  ArrowRight: () => pause(run.nextEvent(now)),
  ArrowUp: () => pause(run.previousEvent(now)),
  ArrowDown: () => pause(run.nextEvent(now)),
  PageUp: () => pause(previousStep()),
  PageDown: () => pause(nextStep()),
  Home: () => pause(run.begin),
  End: () => pause(run.end),
  "+": () => changeSpeed(-1),
  "-": () => changeSpeed(1),
  s: () => element("skip").click(),
  Escape: () => pick(null),
};

function onKey(event) {
  const tag = event.target.tagName;
  const presses = event.key === " " && (tag === "BUTTON" || tag === "SUMMARY");
  const types = tag === "INPUT" && !["range", "checkbox"].includes(event.target.type);
  const checks = event.key === " " && event.target.type === "checkbox";
  if (tag === "SELECT" || types || checks || presses || event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) {
    return;
  }
  event.preventDefault();
  keys[event.key]();
}

function setUpControls() {
  const click = (id, action) => element(id).addEventListener("click", action);
  click("play", () => setPlaying(!playing));
  click("start", () => pause(run.begin));
  click("end", () => pause(run.end));
  click("event-back", () => pause(run.previousEvent(now)));
  click("event-on", () => pause(run.nextEvent(now)));
  click("step-back", () => pause(previousStep()));
  click("step-on", () => pause(nextStep()));
  element("time").addEventListener("input", (event) => goTo(run.begin + Number(event.target.value) * (run.end - run.begin)));
  document.addEventListener("keydown", onKey);
  const seek = (event) => {
    if (event.buttons & 1) {
      goTo(timeline.toTime(event.offsetX));
    }
  };
  element("timeline").addEventListener("pointerdown", seek);
  element("timeline").addEventListener("pointermove", seek);
  window.addEventListener("hashchange", () => {
    setPlaying(false);
    now = readAddress() ?? now;
    applyFilters();
  });
  element("filters").addEventListener("input", applyFilters);
  element("filters").addEventListener("submit", (event) => event.preventDefault());
  element("filters").addEventListener("reset", () => setTimeout(applyFilters));
}

// One finger or the mouse moves, two fingers or the wheel zoom, a click picks.
function setUpPicture() {
  const canvas = element("picture");
  const fingers = new Map();
  let travelled = 0;
  const zoom = (factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) => {
    picture.zoomAt(factor, x * picture.ratio, y * picture.ratio);
    askFrame();
  };
  element("closer").addEventListener("click", () => zoom(1.5));
  element("wider").addEventListener("click", () => zoom(1 / 1.5));
  element("whole").addEventListener("click", () => {
    picture.showWhole();
    askFrame();
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-0.0015 * event.deltaY), event.offsetX, event.offsetY);
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    travelled = fingers.size === 0 ? 0 : Infinity;
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) {
      return;
    }
    const place = [event.offsetX, event.offsetY];
    const other = [...fingers].find(([id]) => id !== event.pointerId);
    if (other) {
      const apart = ([x, y]) => Math.hypot(x - other[1][0], y - other[1][1]) || 1;
      zoom(apart(place) / apart(before), (place[0] + other[1][0]) / 2, (place[1] + other[1][1]) / 2);
    } else {
      travelled += Math.hypot(place[0] - before[0], place[1] - before[1]);
      picture.move((place[0] - before[0]) * picture.ratio, (place[1] - before[1]) * picture.ratio);
      askFrame();
    }
    fingers.set(event.pointerId, place);
  });
  canvas.addEventListener("pointerup", (event) => {
    fingers.delete(event.pointerId);
    if (travelled < 6) {
      pick(picture.at(event.offsetX * picture.ratio, event.offsetY * picture.ratio));
    }
  });
  canvas.addEventListener("pointercancel", (event) => fingers.delete(event.pointerId));
}

function setUpText() {
  const { title, rows, notes, deadlock, unit } = run.data;
  document.title = `${title} - wormcast`;
  element("title").textContent = title;
  element("picture").setAttribute("aria-label", `Network: ${title}`);
  for (const [id, text] of [["notes", notes.join(" ")], ["deadlock", deadlock || ""]]) {
    element(id).textContent = text;
    element(id).hidden = text === "";
  }
  if (unit === "message") {
    element("legend-node").textContent = "node, filled as far as its messages have arrived";
  }
  if (run.round && run.round.traffic) {
    element("kind-step").textContent = "waits for a worm of the same step, or both are of the load";
  }
  if (!run.hasSteps) {
    element("legend-worm").textContent = "channels that a worm holds; each message has its colour";
    element("complete-name").textContent = "delivered";
  }
  const absent = [run.hasSteps ? ".of-no-steps" : ".of-steps", ...(run.round ? [] : [".of-rounds"])];
  document.querySelectorAll(absent.join(", ")).forEach((part) => {
    part.hidden = true;
  });
  element("rows").replaceChildren(...rows.map(([name, value]) => {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = name;
    row.append(head);
    row.insertCell().textContent = value;
    return row;
  }));
}

function redrawAll() {
  picture.readColours();
  picture.resize();
  timeline.resize();
  setUpFilters();
  applyFilters();
}

setUpText();
setUpFilters();
setUpControls();
setUpPicture();
// Nothing waits where a deadlock begins to grow: its page opens where it ends.
now = readAddress() ?? (run.stuck ? run.end : run.begin);
picture.resize();
timeline.resize();
applyFilters();
draw();
window.addEventListener("resize", redrawAll);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
