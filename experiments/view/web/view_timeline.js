"use strict";

// The steps along time, below them how many headers wait, by kind, and the times.
class Timeline {
  constructor(canvas, run, picture) {
    this.canvas = canvas;
    this.run = run;
    this.picture = picture;
    this.ground = document.createElement("canvas");
    this.lanes = this.assignLanes();
    this.resize();
  }

  // Steps that overlap (self-timed runs) get lanes of their own: each the first that is free.
  assignLanes() {
    const steps = this.run.data.steps;
    const free = [];
    const lanes = [];
    const order = steps.step.map((_, i) => i).sort((a, b) => steps.from_us[a] - steps.from_us[b]);
    for (const i of order) {
      let lane = free.findIndex((time) => time <= steps.from_us[i]);
      lane = lane < 0 ? free.length : lane;
      free[lane] = steps.to_us[i];
      lanes[i] = lane;
    }
    this.laneCount = Math.max(1, free.length);
    return lanes;
  }

  resize() {
    this.ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.ground]) {
      canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * this.ratio));
      canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * this.ratio));
    }
    this.drawGround();
  }

  // The slider's thumb keeps half its width from the ends; so does the time line.
  margin() {
    return 8 * this.ratio;
  }

  toX(time) {
    const width = this.canvas.width - 2 * this.margin();
    const { begin, end } = this.run;
    return this.margin() + (end > begin ? (time - begin) / (end - begin) : 0) * width;
  }

  toTime(x) {
    const width = this.canvas.width - 2 * this.margin();
    const { begin, end } = this.run;
    return begin + Math.min(1, Math.max(0, (x * this.ratio - this.margin()) / width)) * (end - begin);
  }

  // From top to bottom: steps, waiting headers, times.
  drawGround() {
    const pen = this.ground.getContext("2d");
    const { width, height } = this.ground;
    pen.clearRect(0, 0, width, height);
    const scale = 18 * this.ratio;
    const room = height - scale;
    const hasSteps = this.run.hasSteps;
    const hasWaits = this.run.waits.from.length > 0;
    const most = this.laneCount * 26 * this.ratio;
    const middle = hasSteps ? Math.min(most, hasWaits ? room - Math.max(0.28 * room, 26 * this.ratio) : room) : 0;
    this.drawTimes(pen, room, scale);
    if (hasSteps) {
      this.drawSteps(pen, middle - 3 * this.ratio);
    }
    this.drawWaits(pen, middle, room - middle, hasWaits);
  }

  // Round times at a distance that leaves room for their numbers.
  drawTimes(pen, top, height) {
    const unit = unitOfTime(this.run.end);
    const begin = this.run.begin / unit.microseconds;
    const end = this.run.end / unit.microseconds;
    const most = Math.max(1, Math.floor((this.ground.width - 2 * this.margin()) / (72 * this.ratio)));
    const rough = (end - begin) / most;
    const power = 10 ** Math.floor(Math.log10(rough || 1));
    const apart = [1, 2, 5, 10].map((factor) => factor * power).find((distance) => distance >= rough * 0.999999);
    const digits = Math.max(0, -Math.floor(Math.log10(apart) + 1e-9));
    pen.font = `${11 * this.ratio}px system-ui, sans-serif`;
    pen.textBaseline = "bottom";
    for (let i = Math.ceil(begin / apart); end > begin && i * apart <= end * 1.000001; ++i) {
      const x = this.toX(i * apart * unit.microseconds);
      const text = `${(i * apart).toFixed(digits)} ${unit.name}`;
      const half = pen.measureText(text).width / 2;
      pen.fillStyle = this.picture.colours.line;
      pen.fillRect(x, 0, this.ratio, top + 4 * this.ratio);
      pen.fillStyle = this.picture.colours.faint;
      pen.textAlign = x < half ? "left" : x + half > this.ground.width ? "right" : "center";
      pen.fillText(text, x < half ? 0 : x + half > this.ground.width ? this.ground.width : x, top + height);
    }
  }

  drawSteps(pen, height) {
    const steps = this.run.data.steps;
    const laneHeight = height / this.laneCount;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    steps.step.forEach((step, i) => {
      const left = this.toX(steps.from_us[i]);
      const width = Math.max(this.ratio, this.toX(steps.to_us[i]) - left - this.ratio);
      const top = this.lanes[i] * laneHeight;
      const bar = Math.min(laneHeight - Math.min(this.ratio, 0.2 * laneHeight), 26 * this.ratio);
      pen.globalAlpha = this.run.filter.step === null || this.run.filter.step === step ? 1 : 0.25;
      this.drawBar(pen, step, left, top, width, bar);
      const size = Math.min(11 * this.ratio, bar);
      pen.font = `${size}px system-ui, sans-serif`;
      const text = width > 46 * this.ratio ? `step ${step}` : String(step);
      if (size >= 7 * this.ratio && width > pen.measureText(text).width + 2 * this.ratio) {
        pen.fillStyle = readableOn(this.picture.look(step).colour);
        pen.fillText(text, left + width / 2, top + bar / 2 + 0.5 * this.ratio);
      }
      pen.globalAlpha = 1;
    });
  }

  // A bar with the look of its worms: colour alone, or with a core along both edges, whole or broken.
  drawBar(pen, step, left, top, width, height) {
    const { colour, core } = this.picture.look(step);
    pen.fillStyle = colour;
    pen.fillRect(left, top, width, height);
    if (core === "") {
      return;
    }
    pen.fillStyle = this.picture.colours.panel;
    const line = Math.max(this.ratio, 0.08 * height);
    const piece = core === "cored" ? width : 5 * this.ratio;
    for (let x = left; x < left + width; x += 1.6 * piece) {
      const length = Math.min(piece, left + width - x);
      pen.fillRect(x, top + line, length, line);
      pen.fillRect(x, top + height - 2 * line, length, line);
    }
  }

  // Waiting headers at each pixel, kinds stacked.
  drawWaits(pen, top, height, hasWaits) {
    const { width } = this.ground;
    pen.fillStyle = this.picture.colours.line;
    pen.fillRect(this.margin(), top + height - this.ratio, width - 2 * this.margin(), this.ratio);
    if (!hasWaits) {
      this.writeAbove(pen, "no header waits", top);
      return;
    }
    const kinds = ["step", "depth", "port", "sharing", "other"];
    const counts = kinds.map((kind) => this.waitsByPixel(kind));
    const most = this.mostWaits();
    const unit = (height - 14 * this.ratio) / Math.max(1, most);
    for (let x = 0; x < width; ++x) {
      let base = top + height - this.ratio;
      kinds.forEach((kind, k) => {
        const size = Math.min(counts[k][x] * unit, base - (top + height - this.ratio - most * unit));
        if (size > 0) {
          pen.fillStyle = this.picture.colours[kind];
          pen.fillRect(x, base - size, 1, size);
          base -= size;
        }
      });
    }
    this.writeAbove(pen, `waiting headers, up to ${most}`, top);
  }

  writeAbove(pen, text, top) {
    pen.fillStyle = this.picture.colours.faint;
    pen.font = `${10 * this.ratio}px system-ui, sans-serif`;
    pen.textAlign = "left";
    pen.textBaseline = "top";
    pen.fillText(text, this.margin() + 3 * this.ratio, top + 2 * this.ratio);
  }

  // The most headers that wait at one moment. A pixel may show more: waits that follow each other within it.
  mostWaits() {
    const shown = (times) => times.filter((_, i) => this.run.isWaitShown(i));
    const ends = shown(this.run.waits.to).sort();
    return shown(this.run.waits.from).reduce((most, begin, i) => Math.max(most, i + 1 - upperBound(ends, begin)), 0);
  }

  waitsByPixel(kind) {
    const change = new Float64Array(this.ground.width + 1);
    const { from, to } = this.run.waits;
    this.run.data.waits.kind.forEach((of, i) => {
      if (of === kind && this.run.isWaitShown(i)) {
        const begin = Math.floor(this.toX(Math.max(from[i], this.run.begin)));
        change[begin] += 1;
        change[Math.max(begin + 1, Math.floor(this.toX(Math.min(to[i], this.run.end))))] -= 1;
      }
    });
    let sum = 0;
    return change.map((value) => (sum += value));
  }

  draw(time) {
    const pen = this.canvas.getContext("2d");
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.ground, 0, 0);
    pen.fillStyle = this.picture.colours.text;
    pen.fillRect(this.toX(time) - this.ratio, 0, 2 * this.ratio, this.canvas.height);
  }
}

// Black or white, whichever is read more easily on a colour.
function readableOn(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.2 ? "#000000" : "#ffffff";
}
