"use strict";

// A run as the page's data tells it, and what it looks like at a moment. Nothing here draws.
class Run {
  constructor(data) {
    this.data = data;
    this.end = data.end_us;
    this.nodeCount = data.nodes.x.length;
    this.channelCount = data.channels.from.length;
    this.stuck = data.deadlock !== null;
    this.position = new Map(data.messages.id.map((id, i) => [id, i]));
    this.occupancy = this.timed(data.occupancy, data.occupancy.message);
    this.waits = this.timed(data.waits, data.waits.waiting);
    this.wanted = Float64Array.from(data.nodes.wanted);
    this.heldNow = Float64Array.from(data.nodes.start);
    this.progressDone = 0;
    this.events = this.allEvents();
  }

  // Records of these messages; what a deadlock never ends lasts for ever.
  timed(records, messages) {
    const neverEnds = (to, i) => this.stuck && to >= this.end && this.message(messages[i]).delivered === null;
    return { ...records, from: Float64Array.from(records.from_us),
      to: Float64Array.from(records.to_us, (to, i) => (neverEnds(to, i) ? Infinity : to)) };
  }

  // Every moment at which something changes, ascending, each once.
  allEvents() {
    const parts = [[0, this.end], this.occupancy.from, this.occupancy.to, this.waits.from, this.waits.to,
      this.data.progress.at_us];
    const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
    let filled = 0;
    for (const part of parts) {
      all.set(part, filled);
      filled += part.length;
    }
    all.sort();
    return all.filter((time, i) => time < Infinity && (i === 0 || time !== all[i - 1]));
  }

  nextEvent(time) {
    const i = upperBound(this.events, time);
    return i < this.events.length ? this.events[i] : this.end;
  }

  previousEvent(time) {
    const i = lowerBound(this.events, time);
    return i > 0 ? this.events[i - 1] : 0;
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
    return { id, step: all.step[i], src: all.src[i], dst: all.dst[i], bytes: all.bytes[i], delivered: all.delivered_us[i] };
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
    const waits = this.active(this.waits, time);
    let complete = 0;
    for (let node = 0; node < this.nodeCount; ++node) {
      complete += this.heldNow[node] >= this.wanted[node] ? 1 : 0;
    }
    return { time, worms, waits, complete, steps: this.stepsAt(time) };
  }

  // A worm: its message, its channels in the order of its way, whether it holds a port at either end.
  addToWorm(worms, record) {
    const id = this.occupancy.message[record];
    if (!worms.has(id)) {
      worms.set(id, { message: this.message(id), channels: [], granted: 0, sends: false, receives: false });
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

  stepsAt(time) {
    const steps = this.data.steps;
    return steps.step.filter((_, i) => steps.from_us[i] <= time
      && (time < steps.to_us[i] || (this.stuck && time >= this.end && steps.to_us[i] >= this.end)));
  }
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
