"use strict";

// The network on a canvas: what never changes on a layer of its own, what holds at a moment on top.
class Picture {
  constructor(canvas, run) {
    this.canvas = canvas;
    this.run = run;
    this.ground = document.createElement("canvas");
    this.bends = new Map(run.data.channels.bent.map(([id, shape, x, y]) => [id, { shape, x, y }]));
    // Straight channels of a node.
    this.degree = Math.max(1, (run.channelCount - this.bends.size) / run.nodeCount);
    this.measure();
    this.zoom = 1;
    this.centre = this.middle;
    this.readColours();
    this.resize();
  }

  // The drawing's size and middle, bows included.
  measure() {
    const { x, y } = this.run.data.nodes;
    const { from, to } = this.run.data.channels;
    let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
    const include = (atX, atY) => {
      left = Math.min(left, atX);
      right = Math.max(right, atX);
      bottom = Math.min(bottom, atY);
      top = Math.max(top, atY);
    };
    x.forEach((_, node) => include(x[node], y[node]));
    this.run.data.labels.x.forEach((atX, i) => include(atX, this.run.data.labels.y[i]));
    this.bends.forEach((bend, id) => {
      if (bend.shape === "arc") {
        include((x[from[id]] + x[to[id]]) / 2 + bend.x, (y[from[id]] + y[to[id]]) / 2 + bend.y);
      }
    });
    this.extent = { x: right - left, y: top - bottom };
    this.middle = { x: (left + right) / 2, y: (bottom + top) / 2 };
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    this.colours = {};
    for (const name of ["ground", "panel", "text", "faint", "line", "node", "accent", "step", "depth", "port", "sharing", "other", "load"]) {
      this.colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.worms = style.getPropertyValue("--worms").trim().split(/\s+/);
    this.dirty = true;
  }

  // What tells a message's worm apart: its step, or in a plain message list, which has no steps, the message itself.
  // Null: it belongs to the load.
  numberOf(message) {
    return this.run.hasSteps || !this.run.isOwn(message) ? message.step : message.id;
  }

  // Ten colours; the next ten are the same with a light core, and ten more with a broken core. The load has its own.
  look(number) {
    if (number === null) {
      return { colour: this.colours.load, core: "" };
    }
    const colour = this.worms[number % this.worms.length];
    return { colour, core: ["", "cored", "broken"][Math.floor(number / this.worms.length) % 3] };
  }

  wormColour(message) {
    return this.look(this.numberOf(message)).colour;
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.ratio = ratio;
    for (const canvas of [this.canvas, this.ground]) {
      canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
      canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    }
    this.place();
  }

  // Scale (pixels of the canvas per unit) and the size of things for the present zoom.
  place() {
    const { width, height } = this.canvas;
    // Clock and buttons stand above the network.
    this.above = 40 * this.ratio;
    const fit = Math.min(width / (this.extent.x + 1.7), (height - this.above) / (this.extent.y + 1.5), 90 * this.ratio);
    this.scale = fit * this.zoom;
    this.side = Math.min(0.46 * this.scale, 26 * this.ratio);
    this.lane = Math.min(0.07 * this.scale, 4 * this.ratio);
    // Where many channels meet, thinner worms, so that nodes and names stay in sight.
    this.wormWidth = Math.max(1.4 * this.ratio, Math.min(0.11 * this.scale, 5 * this.ratio) * Math.min(1, Math.sqrt(4 / this.degree)));
    this.headerRadius = Math.max((this.degree > 4 ? 2.4 : 3.2) * this.ratio,
      Math.min((this.degree > 4 ? 0.07 : 0.12) * this.scale, 5.5 * this.ratio));
    this.nameSize = this.sizeOfNames();
    this.dirty = true;
  }

  toScreen(x, y) {
    return [this.canvas.width / 2 + (x - this.centre.x) * this.scale,
      (this.canvas.height + this.above) / 2 - (y - this.centre.y) * this.scale];
  }

  toDrawing(screenX, screenY) {
    return { x: this.centre.x + (screenX - this.canvas.width / 2) / this.scale,
      y: this.centre.y - (screenY - (this.canvas.height + this.above) / 2) / this.scale };
  }

  nodePlace(node) {
    return this.toScreen(this.run.data.nodes.x[node], this.run.data.nodes.y[node]);
  }

  zoomAt(factor, screenX, screenY) {
    const fixed = this.toDrawing(screenX, screenY);
    this.zoom = Math.min(200, Math.max(0.5, this.zoom * factor));
    this.place();
    const moved = this.toDrawing(screenX, screenY);
    this.centre = { x: this.centre.x + fixed.x - moved.x, y: this.centre.y + fixed.y - moved.y };
  }

  move(dx, dy) {
    this.centre = { x: this.centre.x - dx / this.scale, y: this.centre.y + dy / this.scale };
    this.dirty = true;
  }

  showWhole() {
    this.zoom = 1;
    this.centre = this.middle;
    this.place();
  }

  // The pieces of a channel in pixels, each [x0, y0, control x, control y, x1, y1], in the direction of travel and to the
  // right of the link's middle. A stub has two: away from one node, and to the other.
  pieces(channel) {
    const { from, to } = this.run.data.channels;
    const [ax, ay] = this.nodePlace(from[channel]);
    const [bx, by] = this.nodePlace(to[channel]);
    const bend = this.bends.get(channel);
    if (bend && bend.shape === "stub") {
      const dx = bend.x;
      const dy = -bend.y;
      const near = this.side / 2;
      const far = Math.max(near + 2 * this.ratio, 0.55 * this.scale);
      return [this.beside(ax + near * dx, ay + near * dy, ax + far * dx, ay + far * dy, 0, 0),
        this.beside(bx - far * dx, by - far * dy, bx - near * dx, by - near * dy, 0, 0)];
    }
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const cut = Math.min(this.side / 2, length / 3);
    const dx = (bx - ax) / length * cut;
    const dy = (by - ay) / length * cut;
    const bow = bend ? [2 * bend.x * this.scale, -2 * bend.y * this.scale] : [0, 0];
    return [this.beside(ax + dx, ay + dy, bx - dx, by - dy, ...bow)];
  }

  beside(ax, ay, bx, by, bowX, bowY) {
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const px = -(by - ay) / length * this.lane;
    const py = (bx - ax) / length * this.lane;
    return [ax + px, ay + py, (ax + bx) / 2 + bowX + px, (ay + by) / 2 + bowY + py, bx + px, by + py];
  }

  drawGround() {
    this.dirty = false;
    const pen = this.ground.getContext("2d");
    pen.clearRect(0, 0, this.ground.width, this.ground.height);
    if (this.scale >= 3 * this.ratio) {
      pen.strokeStyle = this.colours.line;
      pen.lineWidth = Math.max(0.7, Math.min(this.ratio, 0.05 * this.scale));
      pen.beginPath();
      for (let channel = 0; channel < this.run.channelCount; ++channel) {
        for (const [x0, y0, cx, cy, x1, y1] of this.pieces(channel)) {
          pen.moveTo(x0, y0);
          pen.quadraticCurveTo(cx, cy, x1, y1);
        }
      }
      pen.stroke();
    }
  }

  // `picked`: {node}, {channel} or {wait}, whose waiting and holding worms are set off; may be null.
  draw(moment, picked) {
    if (this.dirty) {
      this.drawGround();
    }
    const pen = this.canvas.getContext("2d");
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.ground, 0, 0);
    this.drawPicked(pen, moment, picked);
    this.drawWorms(pen, moment);
    this.drawPorts(pen, moment);
    this.drawHeaders(pen, moment);
    const drawn = this.drawNodes(pen);
    this.drawWaits(pen, moment);
    this.drawNames(pen);
    if (picked && picked.node !== undefined) {
      this.ring(pen, picked.node, 1.15, this.colours.accent);
    }
    return drawn;
  }

  drawPicked(pen, moment, picked) {
    pen.lineCap = "butt";
    if (picked && picked.wait !== undefined) {
      this.drawPickedWorms(pen, moment, picked.wait);
    }
    if (picked && picked.channel !== undefined) {
      this.strokeWide(pen, [picked.channel], this.colours.accent);
    }
  }

  // One path a look. Worms that share a link on several virtual channels are drawn thinner on top of each other; those
  // that the filters leave out are thin and grey.
  drawWorms(pen, moment) {
    const crowd = new Map();
    const strokes = new Map();
    const hidden = [];
    for (const worm of moment.worms.values()) {
      if (!worm.shown) {
        hidden.push(...worm.channels);
        continue;
      }
      const look = this.look(this.numberOf(worm.message));
      for (const channel of worm.channels) {
        const rank = crowd.get(channel) || 0;
        crowd.set(channel, rank + 1);
        const share = this.shareOfWidth(channel);
        const key = `${rank} ${share} ${look.core} ${look.colour}`;
        if (!strokes.has(key)) {
          strokes.set(key, { rank, share, ...look, channels: [] });
        }
        strokes.get(key).channels.push(channel);
      }
    }
    pen.strokeStyle = this.colours.faint;
    pen.globalAlpha = 0.4;
    pen.lineWidth = Math.max(this.ratio, 0.4 * this.wormWidth);
    this.strokeChannels(pen, hidden);
    pen.globalAlpha = 1;
    for (const { rank, share, colour, core, channels } of [...strokes.values()].sort((a, b) => a.rank - b.rank)) {
      pen.strokeStyle = colour;
      pen.lineWidth = share * this.wormWidth / (rank + 1);
      this.strokeChannels(pen, channels);
      if (core !== "") {
        pen.strokeStyle = this.colours.panel;
        pen.lineWidth /= 3;
        pen.setLineDash(core === "broken" ? [5 * this.ratio, 3 * this.ratio] : []);
        this.strokeChannels(pen, channels);
        pen.setLineDash([]);
      }
      if (this.scale >= 18 * this.ratio) {
        pen.fillStyle = colour;
        this.fillArrows(pen, channels, 0.7 * share * this.wormWidth + 2 * this.ratio);
      }
    }
  }

  // Where more than four straight channels meet, long ones are thinner: they cross most of the others.
  shareOfWidth(channel) {
    const { from, to } = this.run.data.channels;
    const { x, y } = this.run.data.nodes;
    if (this.degree <= 4 || this.bends.has(channel)) {
      return 1;
    }
    const length = Math.hypot(x[to[channel]] - x[from[channel]], y[to[channel]] - y[from[channel]]);
    return length > 4 ? 0.35 : length > 1.5 ? 0.6 : 1;
  }

  strokeChannels(pen, channels) {
    pen.beginPath();
    for (const channel of channels) {
      for (const [x0, y0, cx, cy, x1, y1] of this.pieces(channel)) {
        pen.moveTo(x0, y0);
        pen.quadraticCurveTo(cx, cy, x1, y1);
      }
    }
    pen.stroke();
  }

  strokeWide(pen, channels, colour) {
    pen.strokeStyle = colour;
    pen.globalAlpha = 0.35;
    pen.lineWidth = Math.max(8 * this.ratio, 0.24 * this.scale);
    this.strokeChannels(pen, channels);
    pen.globalAlpha = 1;
  }

  fillArrows(pen, channels, size) {
    pen.beginPath();
    for (const channel of channels) {
      const pieces = this.pieces(channel);
      const [, , cx, cy, x1, y1] = pieces[pieces.length - 1];
      const length = Math.hypot(x1 - cx, y1 - cy) || 1;
      const dx = (x1 - cx) / length * size;
      const dy = (y1 - cy) / length * size;
      pen.moveTo(x1, y1);
      pen.lineTo(x1 - 1.6 * dx - dy, y1 - 1.6 * dy + dx);
      pen.lineTo(x1 - 1.6 * dx + dy, y1 - 1.6 * dy - dx);
      pen.closePath();
    }
    pen.fill();
  }

  drawPickedWorms(pen, moment, wait) {
    for (const [id, colour] of [[this.run.waits.holding[wait], this.colours[this.run.waits.kind[wait]]],
      [this.run.waits.waiting[wait], this.colours.accent]]) {
      const worm = moment.worms.get(id);
      if (worm) {
        this.strokeWide(pen, worm.channels, colour);
        this.ring(pen, worm.message.src, 1.1, colour);
        this.ring(pen, worm.message.dst, 1.1, colour);
      }
    }
  }

  ring(pen, node, size, colour) {
    pen.beginPath();
    this.addRing(pen, node, size, false);
    this.strokeRings(pen, colour);
  }

  // Adds a ring around a node to a path: whole, or four pieces, which is much faster than a dashed line.
  addRing(path, node, size, broken) {
    const [x, y] = this.nodePlace(node);
    const radius = this.side * size;
    const piece = broken ? Math.PI / 4 : 2 * Math.PI;
    for (let begin = 0; begin < 2 * Math.PI; begin += broken ? Math.PI / 2 : 2 * Math.PI) {
      path.moveTo(x + radius * Math.cos(begin), y + radius * Math.sin(begin));
      path.arc(x, y, radius, begin, begin + piece);
    }
  }

  strokeRings(pen, colour, path) {
    pen.strokeStyle = colour;
    pen.lineWidth = Math.max(1.2, Math.min(2.5 * this.ratio, 0.06 * this.scale));
    if (path) {
      pen.stroke(path);
    } else {
      pen.stroke();
    }
  }

  // Hosts are squares, which fill, switches circles. Returns how many nodes were drawn.
  drawNodes(pen) {
    const { heldNow, wanted, nodeCount, hostCount } = this.run;
    const side = Math.max(this.side, 1);
    const outlined = side >= 4 * this.ratio;
    for (const fills of [false, true]) {
      pen.beginPath();
      for (let node = 0; node < nodeCount; ++node) {
        const [x, y] = this.nodePlace(node);
        if (node >= hostCount) {
          if (!fills) {
            pen.moveTo(x + side / 2, y);
            pen.arc(x, y, side / 2, 0, 2 * Math.PI);
          }
          continue;
        }
        const share = wanted[node] > 0 ? Math.min(1, heldNow[node] / wanted[node]) : 0;
        const level = fills ? share * side : side;
        pen.rect(x - side / 2, y + side / 2 - level, side, level);
      }
      pen.fillStyle = fills ? this.colours.node : this.colours.panel;
      pen.fill();
      if (!fills && outlined) {
        pen.strokeStyle = this.colours.node;
        pen.lineWidth = Math.max(1, Math.min(1.5 * this.ratio, 0.12 * side));
        pen.stroke();
      }
    }
    return nodeCount;
  }

  // The largest letters with which names fit between neighbours, in pixels; 0: none do.
  sizeOfNames() {
    const { name } = this.run.data.nodes;
    const longest = name.reduce((most, text) => Math.max(most, text.length), 0);
    const size = Math.min(12 * this.ratio, 0.95 * this.scale / (0.56 * longest), 0.8 * (this.scale - 1.35 * this.side));
    return size >= 6.5 * this.ratio ? size : 0;
  }

  // Names below their nodes, those of parts where they stand.
  drawNames(pen) {
    pen.textAlign = "center";
    pen.strokeStyle = this.colours.panel;
    pen.lineWidth = 3 * this.ratio;
    pen.lineJoin = "round";
    const write = (text, x, y) => {
      pen.strokeText(text, x, y);
      pen.fillText(text, x, y);
    };
    if (this.nameSize > 0) {
      pen.fillStyle = this.colours.text;
      pen.font = `${this.nameSize}px system-ui, sans-serif`;
      pen.textBaseline = "top";
      this.run.data.nodes.name.forEach((name, node) => {
        const [x, y] = this.nodePlace(node);
        if (x > -this.scale && x < this.canvas.width + this.scale && y > -this.scale && y < this.canvas.height + this.scale) {
          write(name, x, y + 0.84 * this.side + 1.5 * this.ratio);
        }
      });
    }
    const { text, x, y } = this.run.data.labels;
    pen.fillStyle = this.colours.faint;
    pen.font = `bold ${Math.max(10, Math.min(14, 0.5 * this.scale / this.ratio)) * this.ratio}px system-ui, sans-serif`;
    pen.textBaseline = "middle";
    const line = 16 * this.ratio;
    text.forEach((words, i) => {
      const [middle, top] = this.toScreen(x[i], y[i]);
      words.split(", ").forEach((word, number) => write(word, middle, top + number * line));
    });
  }

  // A broken ring: start-up. A whole one: it sends or receives.
  drawPorts(pen, moment) {
    if (this.side < 3 * this.ratio) {
      return;
    }
    const paths = new Map();
    for (const worm of moment.worms.values()) {
      const colour = worm.shown ? this.wormColour(worm.message) : this.colours.line;
      if (!paths.has(colour)) {
        paths.set(colour, new Path2D());
      }
      if (worm.sends) {
        this.addRing(paths.get(colour), worm.message.src, 0.8, inStartup(worm, moment.waiting));
      }
      if (worm.receives) {
        this.addRing(paths.get(colour), worm.message.dst, 0.8, false);
      }
    }
    for (const [colour, path] of paths) {
      this.strokeRings(pen, colour, path);
    }
  }

  // The header of a worm that does not wait: along the newest channel as far as the hop's time has passed; at its end
  // where it is there, or at the receiver.
  drawHeaders(pen, moment) {
    const perHop = this.run.data.per_hop_us;
    pen.fillStyle = this.colours.text;
    pen.lineWidth = Math.max(this.ratio, 0.4 * this.headerRadius);
    for (const worm of moment.worms.values()) {
      if (!worm.shown || worm.channels.length === 0 || moment.waiting.has(worm.message.id)) {
        continue;
      }
      const share = perHop > 0 && !worm.receives ? Math.min(1, (moment.time - worm.granted) / perHop) : 1;
      const pieces = this.pieces(this.run.foremost(worm.channels));
      const piece = pieces[Math.min(pieces.length - 1, Math.floor(share * pieces.length))];
      const [x, y] = pointOn(piece, Math.min(pieces.length === 1 ? share : (share * 2) % 1 || share, this.lastPoint(piece)));
      pen.strokeStyle = this.wormColour(worm.message);
      pen.beginPath();
      pen.arc(x, y, this.headerRadius, 0, 2 * Math.PI);
      pen.stroke();
      pen.fill();
    }
  }

  // Where on a piece a header's dot leaves the node at its end free.
  lastPoint([x0, y0, , , x1, y1]) {
    return Math.max(0.5, 1 - 1.1 * this.headerRadius / (Math.hypot(x1 - x0, y1 - y0) || 1));
  }

  // A disc with the kind's letter at the beginning of the channel that is waited for, or above the node whose port it is;
  // with the number of headers where several wait.
  drawWaits(pen, moment) {
    const places = new Map();
    for (const i of moment.waits) {
      const number = this.run.waits.resource[i];
      places.set(number, [...(places.get(number) || []), i]);
    }
    const radius = Math.max(4 * this.ratio, Math.min(0.19 * this.scale, 9 * this.ratio));
    pen.font = `bold ${1.3 * radius}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (const [number, waits] of places) {
      const [x, y] = this.waitPlace(number);
      const kind = this.run.waits.kind[waits[0]];
      pen.fillStyle = this.colours[kind];
      pen.strokeStyle = this.colours.panel;
      pen.lineWidth = this.ratio;
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
      pen.fillStyle = this.colours.panel;
      pen.fillText(waits.length > 1 ? String(waits.length) : this.run.letterOf(kind), x, y);
    }
  }

  waitPlace(number) {
    const { channel, port, node } = this.run.resource(number);
    if (!port) {
      return pointOn(this.pieces(channel)[0], 0.12);
    }
    const [x, y] = this.nodePlace(node);
    const shift = (port === "injection" ? -0.5 : 0.5) * this.side;
    return [x + shift, y - 0.75 * this.side];
  }

  // What is at a place of the canvas: {node}, {channel} or null. A node where the place is on it or no channel is near.
  at(screenX, screenY) {
    const node = this.nodeAt(screenX, screenY, Math.max(0.75 * this.side, 6 * this.ratio));
    if (node !== null) {
      return { node };
    }
    const channel = this.channelAt(screenX, screenY, 8 * this.ratio);
    if (channel !== null) {
      return { channel };
    }
    const near = this.nodeAt(screenX, screenY, Math.max(0.5 * this.scale, 14 * this.ratio));
    return near === null ? null : { node: near };
  }

  nodeAt(screenX, screenY, within) {
    let best = null;
    let nearest = within;
    for (let node = 0; node < this.run.nodeCount; ++node) {
      const [x, y] = this.nodePlace(node);
      const distance = Math.hypot(x - screenX, y - screenY);
      if (distance < nearest) {
        nearest = distance;
        best = node;
      }
    }
    return best;
  }

  channelAt(screenX, screenY, within) {
    let best = null;
    let nearest = within;
    for (let channel = 0; channel < this.run.channelCount; ++channel) {
      for (const piece of this.pieces(channel)) {
        const length = Math.hypot(piece[4] - piece[0], piece[5] - piece[1]);
        const far = length + Math.hypot(piece[2] - piece[0], piece[3] - piece[1]) + within;
        if (Math.hypot(piece[0] - screenX, piece[1] - screenY) > far) {
          continue;
        }
        const parts = Math.min(200, Math.ceil(length / this.ratio));
        for (let i = 0; i <= parts; ++i) {
          const [x, y] = pointOn(piece, i / parts);
          const distance = Math.hypot(x - screenX, y - screenY);
          if (distance < nearest) {
            nearest = distance;
            best = channel;
          }
        }
      }
    }
    return best;
  }
}

// The point of a quadratic curve at `share` of its parameter.
function pointOn([x0, y0, cx, cy, x1, y1], share) {
  const rest = 1 - share;
  return [rest * rest * x0 + 2 * rest * share * cx + share * share * x1,
    rest * rest * y0 + 2 * rest * share * cy + share * share * y1];
}
