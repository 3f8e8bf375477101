"use strict";

// The steps along time, and below them how many headers wait, by kind.
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
    return this.margin() + (this.run.end > 0 ? time / this.run.end : 0) * width;
  }

  toTime(x) {
    const width = this.canvas.width - 2 * this.margin();
    return Math.min(1, Math.max(0, (x * this.ratio - this.margin()) / width)) * this.run.end;
  }

  drawGround() {
    const pen = this.ground.getContext("2d");
    const { width, height } = this.ground;
    pen.clearRect(0, 0, width, height);
    const hasSteps = this.run.data.steps.step.length > 0;
    const hasWaits = this.run.waits.from.length > 0;
    const middle = hasSteps ? (hasWaits ? 0.6 * height : height) : 0;
    if (hasSteps) {
      this.drawSteps(pen, middle - 3 * this.ratio);
    }
    this.drawWaits(pen, middle, height - middle, hasWaits);
  }

  drawSteps(pen, height) {
    const steps = this.run.data.steps;
    const laneHeight = height / this.laneCount;
    pen.font = `${11 * this.ratio}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    steps.step.forEach((step, i) => {
      const left = this.toX(steps.from_us[i]);
      const width = Math.max(this.ratio, this.toX(steps.to_us[i]) - left);
      const top = this.lanes[i] * laneHeight;
      const bar = Math.min(laneHeight - Math.min(this.ratio, 0.2 * laneHeight), 26 * this.ratio);
      pen.fillStyle = this.picture.stepColour(step);
      pen.fillRect(left, top, Math.max(this.ratio, width - this.ratio), bar);
      const text = width > 46 * this.ratio ? `step ${step}` : String(step);
      if (bar >= 10 * this.ratio && width > pen.measureText(text).width + 4 * this.ratio) {
        pen.fillStyle = this.picture.colours.panel;
        pen.fillText(text, left + width / 2, top + bar / 2);
      }
    });
  }

  // Waiting headers at each pixel, kinds stacked.
  drawWaits(pen, top, height, hasWaits) {
    const { width } = this.ground;
    pen.fillStyle = this.picture.colours.line;
    pen.fillRect(this.margin(), top + height - this.ratio, width - 2 * this.margin(), this.ratio);
    if (!hasWaits) {
      return;
    }
    const kinds = ["step", "depth", "port", "sharing"];
    const counts = kinds.map((kind) => this.waitsByPixel(kind));
    const most = this.mostWaits();
    const unit = (height - 14 * this.ratio) / most;
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
    pen.fillStyle = this.picture.colours.faint;
    pen.font = `${10 * this.ratio}px system-ui, sans-serif`;
    pen.textAlign = "left";
    pen.textBaseline = "top";
    pen.fillText(`waiting headers, up to ${most}`, this.margin(), top);
  }

  // The most headers that wait at one moment. A pixel may show more: waits that follow each other within it.
  mostWaits() {
    const ends = Float64Array.from(this.run.waits.to).sort();
    return this.run.waits.from.reduce((most, begin, i) => Math.max(most, i + 1 - upperBound(ends, begin)), 1);
  }

  waitsByPixel(kind) {
    const change = new Float64Array(this.ground.width + 1);
    const { from, to } = this.run.waits;
    this.run.data.waits.kind.forEach((of, i) => {
      if (of === kind) {
        const begin = Math.floor(this.toX(from[i]));
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
