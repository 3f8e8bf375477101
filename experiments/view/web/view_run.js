"use strict";

// A run as the page's data tells it, and what it looks like at a moment. Nothing here draws.
class Run {
  constructor(data) {
    this.data = data;
    this.begin = data.begin_us;
    this.end = data.end_us;
    this.nodeCount = data.nodes.x.length;
    this.hostCount = data.hosts;
    this.channelCount = data.channels.from.length;
    this.stuck = data.deadlock !== null;
    this.position = new Map(data.messages.id.map((id, i) => [id, i]));
    this.occupancy = this.timed(data.occupancy, data.occupancy.message);
    this.waits = this.timed(data.waits, data.waits.waiting);
    this.wanted = Float64Array.from(data.nodes.wanted);
    this.heldNow = Float64Array.from(data.nodes.start);
    this.progressDone = 0;
    // Of a plain message list nobody knows steps.
    this.hasSteps = data.steps.step.length > 0;
    // Of a series one round is shown: {round, start_us, broadcasts, traffic}; null: a run.
    this.round = data.round;
    this.everything = { whose: null, step: null, message: null, node: null, kinds: null };
    this.show(this.everything);
  }

  // What is asked for: messages of one broadcast or of the load, of one step, one message, those of one node, waits of
  // some kinds; null: all of them.
  show(filter) {
    this.filter = filter;
    this.chosen = this.chooseMessages(filter);
    this.events = this.allEvents();
  }

  // The messages that `filter` leaves, as a set; null: all.
  chooseMessages({ whose, step, message, node }) {
    if (whose === null && step === null && message === null && node === null) {
      return null;
    }
    const near = node === null ? null : new Set(this.occupancy.message.filter((_, i) => this.touches(this.occupancy.resource[i], node)));
    const all = this.data.messages;
    return new Set(all.id.filter((id, i) => (whose === null || this.belongs(i, whose))
      && (step === null || all.step[i] === step) && (message === null || id === message)
      && (near === null || near.has(id) || all.src[i] === node || all.dst[i] === node)));
  }

  // Whether the i-th message is one of a broadcast, by its number, or of the "load".
  belongs(i, whose) {
    const of = this.data.messages.broadcast[i];
    return whose === "load" ? of === null : of === whose;
  }

  // Whether a message belongs to what is shown as such: a run's, or of the broadcasts of a round. Others have no step.
  isOwn(message) {
    return message.step !== null;
  }

  // Whether a channel or port begins or ends at `node`.
  touches(number, node) {
    const { channel, port, node: owner } = this.resource(number);
    const { from, to } = this.data.channels;
    return port ? owner === node : from[channel] === node || to[channel] === node;
  }

  // Waits for another worm's channel are of one kind where there are no steps.
  letterOf(kind) {
    return kind === "sharing" ? "V" : kind === "step" && !this.hasSteps ? "C" : kind[0].toUpperCase();
  }

  nameOf(kind) {
    return kind === "step" && !this.hasSteps ? "channel" : kind;
  }

  isShown(message) {
    return this.chosen === null || this.chosen.has(message);
  }

  isWaitShown(i) {
    const { kind, waiting, holding } = this.waits;
    return (this.filter.kinds === null || this.filter.kinds.has(kind[i])) && (this.isShown(waiting[i]) || this.isShown(holding[i]));
  }

  // Records of these messages; what a deadlock never ends lasts for ever.
  timed(records, messages) {
    const neverEnds = (to, i) => this.stuck && to >= this.end && this.message(messages[i]).delivered === null;
    return { ...records, from: Float64Array.from(records.from_us),
      to: Float64Array.from(records.to_us, (to, i) => (neverEnds(to, i) ? Infinity : to)) };
  }

  // Every moment at which something that is shown changes, ascending, each once.
  allEvents() {
    const ofWorms = (times) => (this.chosen === null ? times : times.filter((_, i) => this.isShown(this.occupancy.message[i])));
    const ofWaits = (times) => times.filter((_, i) => this.isWaitShown(i));
    const parts = [[this.begin, this.end], ofWorms(this.occupancy.from), ofWorms(this.occupancy.to), ofWaits(this.waits.from),
      ofWaits(this.waits.to), this.chosen === null ? this.data.progress.at_us : []];
    const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
    let filled = 0;
    for (const part of parts) {
      all.set(part, filled);
      filled += part.length;
    }
    all.sort();
    return all.filter((time, i) => time >= this.begin && time <= this.end && (i === 0 || time !== all[i - 1]));
  }

  nextEvent(time) {
    const i = upperBound(this.events, time);
    return i < this.events.length ? this.events[i] : this.end;
  }

  previousEvent(time) {
    const i = lowerBound(this.events, time);
    return i > 0 ? this.events[i - 1] : this.begin;
  }

  // Records that last at `time`: from their beginning to before their end.
  active(records, time) {
    const begun = upperBound(records.from, time);
    const found = [];
    for (let i = 0; i < begun; ++i) {
      if (records.to[i] > time) {
        found.push(i);
      }
    }
    return found;
  }

  message(id) {
    const i = this.position.get(id);
    const all = this.data.messages;
    return { id, step: all.step[i], src: all.src[i], dst: all.dst[i], bytes: all.bytes[i], delivered: all.delivered_us[i], mpi: all.mpi === undefined ? null : all.mpi[i],
      broadcast: this.round ? all.broadcast[i] : null };
  }

  // Records of occupancy, in the order of time, of the resources for which `wanted(number)` holds.
  holders(wanted) {
    const found = [];
    this.occupancy.resource.forEach((number, i) => {
      if (wanted(number)) {
        found.push(i);
      }
    });
    return found;
  }

  // A channel or port by its number: {channel} of an external one, {port, node} of a port.
  resource(number) {
    if (number < this.channelCount) {
      return { channel: number };
    }
    const port = number - this.channelCount;
    const ejects = port % 2 === 1;
    const owner = (port - (ejects ? 1 : 0)) / 2;
    const channels = this.data.channels;
    const node = this.data.ports_of === "node" ? owner : (ejects ? channels.to : channels.from)[owner];
    return { port: ejects ? "ejection" : "injection", node };
  }

  resourceName(number) {
    const { channel, port, node } = this.resource(number);
    const name = this.data.nodes.name;
    return port ? `${port} port of ${name[node]}`
      : `${name[this.data.channels.from[channel]]} → ${name[this.data.channels.to[channel]]}`;
  }

  // Brings heldNow to `time`; cheap while time goes on.
  fillTo(time) {
    const progress = this.data.progress;
    if (this.progressDone > 0 && progress.at_us[this.progressDone - 1] > time) {
      this.heldNow.set(this.data.nodes.start);
      this.progressDone = 0;
    }
    while (this.progressDone < progress.at_us.length && progress.at_us[this.progressDone] <= time) {
      this.heldNow[progress.node[this.progressDone]] = progress.held[this.progressDone];
      ++this.progressDone;
    }
  }

  // Everything that the picture and the text need at `time`.
  at(time) {
    this.fillTo(time);
    const worms = new Map();
    for (const i of this.active(this.occupancy, time)) {
      this.addToWorm(worms, i);
    }
    const active = this.active(this.waits, time);
    const waiting = new Set(active.map((i) => this.waits.waiting[i]));
    const waits = active.filter((i) => this.isWaitShown(i));
    let complete = 0;
    for (let node = 0; node < this.nodeCount; ++node) {
      complete += this.heldNow[node] >= this.wanted[node] ? 1 : 0;
    }
    return { time, worms, waits, waiting, complete, steps: this.stepsAt(time) };
  }

  // A worm: its message, its channels in the order in which it got them, whether it holds a port at either end.
  addToWorm(worms, record) {
    const id = this.occupancy.message[record];
    if (!worms.has(id)) {
      worms.set(id, { message: this.message(id), channels: [], granted: 0, sends: false, receives: false,
        shown: this.isShown(id) });
    }
    const worm = worms.get(id);
    const { channel, port, node } = this.resource(this.occupancy.resource[record]);
    if (!port) {
      worm.channels.push(channel);
      worm.granted = this.occupancy.from[record];
    } else if (node === worm.message.src) {
      worm.sends = true;
    } else {
      worm.receives = true;
    }
  }

  // Of the channels that a worm holds the one that leads on to none of the others.
  foremost(held) {
    const { from, to } = this.data.channels;
    const begins = new Set(held.map((channel) => from[channel]));
    return held.findLast((channel) => !begins.has(to[channel])) ?? held[held.length - 1];
  }

  stepsAt(time) {
    const steps = this.data.steps;
    return steps.step.filter((_, i) => steps.from_us[i] <= time
      && (time < steps.to_us[i] || (this.stuck && time >= this.end && steps.to_us[i] >= this.end)));
  }
}

// A time in the unit that suits times up to `largest` microseconds.
function unitOfTime(largest) {
  return largest >= 1e6 ? { name: "s", microseconds: 1e6 } : largest >= 1e3 ? { name: "ms", microseconds: 1e3 }
    : largest >= 1 || largest === 0 ? { name: "µs", microseconds: 1 } : { name: "ns", microseconds: 1e-3 };
}

// A worm that has no channel yet and is not waiting for one spends its start-up time.
function inStartup(worm, waiting) {
  return worm.channels.length === 0 && !worm.receives && !waiting.has(worm.message.id);
}

// First index of ascending `values` with a value > `value`.
function upperBound(values, value) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > value) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// First index with a value >= `value`.
function lowerBound(values, value) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] >= value) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
