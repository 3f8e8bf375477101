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
const longestList = 30;
let now = 0;
let playing = false;
let picked = null;
let lastFrame = null;
let frameAsked = false;

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const microseconds = (time) => `${Number(time.toFixed(6)).toLocaleString("en", { maximumFractionDigits: 6 })} µs`;

function describeMessage(id) {
  const { src, dst, step, bytes } = run.message(id);
  const name = run.data.nodes.name;
  const ofStep = run.data.unit === "message" ? "" : `, step ${step}`;
  return `message ${id} (${name[src]} → ${name[dst]}, ${bytes} B${ofStep})`;
}

function describeWait(i) {
  const { waiting, holding, kind, resource, from } = run.waits;
  return `${kind[i]}: ${describeMessage(waiting[i])} waits since ${microseconds(from[i])} for `
    + `${run.resourceName(resource[i])}, held by ${describeMessage(holding[i])}`;
}

function describeNode(node, moment) {
  const held = `${run.heldNow[node]} of ${plural(run.wanted[node], run.data.unit)}`;
  const lines = [`${run.data.nodes.name[node]} (node ${node}) has ${held}.`];
  for (const worm of moment.worms.values()) {
    if (worm.message.src === node && worm.sends) {
      lines.push(`Sends ${describeMessage(worm.message.id)}.`);
    } else if (worm.message.dst === node && worm.receives) {
      lines.push(`Receives ${describeMessage(worm.message.id)}.`);
    }
  }
  return lines.join("\n");
}

// What the page shows, for programs that read it.
function writeState(moment, drawn) {
  const state = { errors };
  if (moment) {
    let channels = 0;
    moment.worms.forEach((worm) => { channels += worm.channels.length; });
    const waiting = new Set(moment.waits.map((i) => run.waits.waiting[i]));
    const { kind, waiting: waiters, holding, resource } = run.waits;
    Object.assign(state, {
      at_us: moment.time, nodes: drawn, complete: moment.complete, held: run.heldNow.reduce((a, b) => a + b, 0),
      worms: moment.worms.size, channels,
      in_startup: [...moment.worms.values()].filter((worm) => inStartup(worm, waiting)).length,
      steps: moment.steps,
      waits: moment.waits.map((i) => ({
        kind: kind[i], waiting: waiters[i], holding: holding[i], resource: run.resourceName(resource[i]),
      })),
    });
  }
  element("state").textContent = JSON.stringify(state);
}

function writeText(moment) {
  element("now-time").textContent = `${microseconds(moment.time)} of ${microseconds(run.end)}`;
  element("now-steps").textContent = run.data.unit === "message" ? "none: a plain message list"
    : moment.steps.join(", ") || "-";
  const waiting = new Set(moment.waits.map((i) => run.waits.waiting[i]));
  const starting = [...moment.worms.values()].filter((worm) => inStartup(worm, waiting)).length;
  element("now-worms").textContent = `${moment.worms.size - starting} on their way, ${starting} starting up`;
  element("now-complete").textContent = `${moment.complete} of ${plural(run.nodeCount, "node")}`;
  element("now-waiting").textContent = plural(moment.waits.length, "header");
  element("picked").hidden = !picked || picked.node === undefined;
  if (picked && picked.node !== undefined) {
    element("picked").textContent = describeNode(picked.node, moment);
  }
}

function writeWaits(moment) {
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

// While it plays, the list and the state are left alone: nobody can read them that fast.
function draw() {
  const moment = run.at(now);
  const drawn = picture.draw(moment, picked);
  timeline.draw(now);
  element("time").value = run.end > 0 ? now / run.end : 0;
  writeText(moment);
  if (!playing) {
    writeWaits(moment);
    writeState(moment, drawn);
  }
}

function askFrame() {
  if (!frameAsked) {
    frameAsked = true;
    requestAnimationFrame(frame);
  }
}

function frame(clock) {
  frameAsked = false;
  if (playing) {
    const passed = lastFrame === null ? 0 : Math.min(0.1, (clock - lastFrame) / 1000);
    lastFrame = clock;
    now = Math.min(run.end, now + passed * run.end / Number(element("speed").value));
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
    now = 0;
  }
  if (!on) {
    keepInAddress();
  }
  askFrame();
}

function goTo(time) {
  now = Math.min(run.end, Math.max(0, time));
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
  askFrame();
}

// Steps begin at these times; a run without steps moves by a twentieth.
function stepTimes() {
  const begins = run.data.steps.from_us;
  return begins.length > 0 ? [0, ...begins, run.end].sort((a, b) => a - b)
    : Array.from({ length: 21 }, (_, i) => run.end * i / 20);
}

function nextStep() {
  return stepTimes().find((time) => time > now) ?? run.end;
}

function previousStep() {
  return stepTimes().filter((time) => time < now).pop() ?? 0;
}

function changeSpeed(by) {
  const speed = element("speed");
  speed.selectedIndex = Math.min(speed.options.length - 1, Math.max(0, speed.selectedIndex + by));
}

// "#at=150.5": the moment in microseconds, so that a link leads to it.
function readAddress() {
  const found = /^#at=([0-9.eE+-]+)$/.exec(location.hash);
  const time = found ? Number(found[1]) : NaN;
  return Number.isFinite(time) ? time : null;
}

function keepInAddress() {
  try {
    history.replaceState(null, "", `#at=${now}`);
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
  Home: () => pause(0),
  End: () => pause(run.end),
  "+": () => changeSpeed(-1),
  "-": () => changeSpeed(1),
  Escape: () => pick(null),
};

function onKey(event) {
  const tag = event.target.tagName;
  const presses = event.key === " " && (tag === "BUTTON" || tag === "SUMMARY");
  if (tag === "SELECT" || presses || event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) {
    return;
  }
  event.preventDefault();
  keys[event.key]();
}

function setUpControls() {
  const click = (id, action) => element(id).addEventListener("click", action);
  click("play", () => setPlaying(!playing));
  click("start", () => pause(0));
  click("end", () => pause(run.end));
  click("event-back", () => pause(run.previousEvent(now)));
  click("event-on", () => pause(run.nextEvent(now)));
  click("step-back", () => pause(previousStep()));
  click("step-on", () => pause(nextStep()));
  element("time").addEventListener("input", (event) => goTo(Number(event.target.value) * run.end));
  document.addEventListener("keydown", onKey);
  const seek = (event) => {
    if (event.buttons & 1) {
      goTo(timeline.toTime(event.offsetX));
    }
  };
  element("timeline").addEventListener("pointerdown", seek);
  element("timeline").addEventListener("pointermove", seek);
  window.addEventListener("hashchange", () => {
    const time = readAddress();
    if (time !== null && time !== now) {
      pause(time);
    }
  });
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
      const node = picture.nodeAt(event.offsetX * picture.ratio, event.offsetY * picture.ratio);
      pick(node === null ? null : { node });
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
    element("legend").firstElementChild.lastChild.textContent = " node, filled as far as its messages have arrived";
  }
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
  draw();
}

setUpText();
setUpControls();
setUpPicture();
now = Math.min(run.end, Math.max(0, readAddress() ?? 0));
draw();
window.addEventListener("resize", redrawAll);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
