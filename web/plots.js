// Plots as SVG, drawn from the data of the page, with a cursor at the time of the animation.
"use strict";

const greek = {
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", zeta: "ζ", eta: "η", theta: "θ", kappa: "κ", lambda: "λ",
  mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ", phi: "φ", chi: "χ", psi: "ψ", omega: "ω",
  Omega: "Ω", Gamma: "Γ", Theta: "Θ", Phi: "Φ", Psi: "Ψ", Lambda: "Λ", Sigma: "Σ",
};
const subscripts = "₀₁₂₃₄₅₆₇₈₉";

/** theta1' as θ₁′. */
function pretty(name) {
  return name.replace(/^([A-Za-z]+?)_?(\d*)(_[a-z_0-9]+)?('*)$/, (_, word, digits, rest, primes) =>
    (greek[word] || word) + [...digits].map((d) => subscripts[d]).join("") + (rest || "").replace(/_/g, " ") + primes.replace(/'/g, "′"));
}

/** Units of the quantities of the film that is seen, where its model gives them; of the axes of a path under `path`. */
let unitsOfFilm = {};

/** x as x [m]. */
function withUnit(name, role) {
  const unit = unitsOfFilm[role === "path" ? "path" : name];
  return pretty(name) + (unit ? ` [${unit}]` : "");
}

function element(name, attributes, parent) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  if (parent) parent.appendChild(e);
  return e;
}

function ticks(low, high, count) {
  const step = niceStep((high - low) / count), out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) out.push(k * step);
  return out;
}

/** Few digits, honest ones: the ticks are multiples of one step. */
function tickLabels(values) {
  const largest = Math.max(...values.map(Math.abs), 0);
  if (largest !== 0 && (largest < 1e-3 || largest >= 1e5)) {
    const power = Math.floor(Math.log10(largest) + 1e-9);
    return values.map((v) => (v === 0 ? "0" : `${+(v / 10 ** power).toFixed(2)}e${power}`.replace("-", "−").replace("e-", "e−")));
  }
  for (let digits = 6; ; ++digits) {  // as many as tell them apart
    const labels = values.map((v) => `${+v.toPrecision(digits)}`.replace("-", "−"));
    if (digits > 13 || new Set(labels).size === labels.length) return labels;
  }
}

/** Neither a neighbour nor a motion that the reader has added. */
const isOwn = (s) => !s.faint && s.added === undefined;

class Plot {
  /** plot: {title, kind: time | plane | spectrum, x, y, series: [{name, x, y}]}; x and y are arrays of equal length. */
  constructor(figure, plot, seek) {
    const svg = this.svg = element("svg", { viewBox: "0 0 400 250", role: "img", "aria-label": plot.title });
    figure.appendChild(svg);
    this.left = 54; this.right = 388; this.top = 14; this.bottom = 212;
    this.draw(plot);
    if (plot.kind === "time") {
      svg.classList.add("seekable");
      svg.addEventListener("click", (e) => seek(this.at(e)[0]));
    }
  }

  /** Draws it anew; `keepRange` leaves the axes as they are. */
  draw(plot, keepRange = false) {
    const { svg } = this;
    this.plot = plot;
    svg.replaceChildren();
    if (!keepRange || this.x0 === undefined) this.range();
    this.axes(svg);
    if (plot.kind === "time")  // impacts, where velocities jump
      for (const m of plot.marks || []) if (m.t >= this.x0 && m.t <= this.x1) element("line", { class: `mark ${m.kind}`, x1: this.u(m.t), x2: this.u(m.t), y1: this.top, y2: this.bottom }, svg);
    this.lines(svg);
    this.cursor = plot.kind === "time"
      ? element("line", { class: "cursor", y1: this.top, y2: this.bottom }, svg) : null;
    this.dots = plot.kind === "spectrum" || plot.points ? [] : plot.series.filter(isOwn).map((s, k) => element("circle", { class: `dot s${k}`, r: 3.2 }, svg));
    this.guests = plot.series.filter((s) => s.added !== undefined).map((s) => ({ s, dot: element("circle", { class: `dot s${s.added}`, r: 3.2 }, svg) }));
    if (plot.start) element("circle", { class: "start", r: 6, cx: this.u(plot.start[0]), cy: this.v(plot.start[1]) }, svg);
  }

  /** The values under a pointer. */
  at(e) {
    const box = this.svg.getBoundingClientRect(), u = ((e.clientX - box.left) / box.width) * 400, v = ((e.clientY - box.top) / box.height) * 250;
    return [this.x0 + ((u - this.left) / (this.right - this.left)) * (this.x1 - this.x0), this.y0 + ((this.bottom - v) / (this.bottom - this.top)) * (this.y1 - this.y0)];
  }

  /**
   * Lets a reader drag in the plane: choose(x, y, phase) with phase take, move or leave; a click without a drag is add(x, y).
   * A mouse drags from anywhere; a finger takes the ring of the start, and scrolls the page elsewhere.
   */
  draggable(choose, add) {
    const { svg } = this;
    let from = null, held = false;
    svg.classList.add("draggable");
    const tell = (e, phase) => choose(...this.at(e), phase);
    svg.addEventListener("pointerdown", (e) => {
      if (e.button > 0 || !e.isPrimary) return;
      from = e;
      held = false;
      if (e.pointerType !== "touch" || this.nearStart(e)) svg.setPointerCapture(e.pointerId);
    });
    svg.addEventListener("pointermove", (e) => {
      if (!from || e.pointerId !== from.pointerId) return;
      if (!held && (Math.hypot(e.clientX - from.clientX, e.clientY - from.clientY) < 4 || (from.pointerType === "touch" && !this.nearStart(from)))) return;
      if (!held) tell(from, "take");
      held = true;
      tell(e, "move");
    });
    svg.addEventListener("pointerup", (e) => {
      if (!from || e.pointerId !== from.pointerId) return;
      if (held) tell(e, "leave");
      else if (Math.hypot(e.clientX - from.clientX, e.clientY - from.clientY) < 8 && this.contains(e)) add(...this.at(e));
      from = null;
    });
    svg.addEventListener("pointercancel", (e) => {
      if (held) tell(e, "leave");
      from = null;
    });
    svg.addEventListener("touchstart", (e) => this.nearStart(e.touches[0]) && e.preventDefault(), { passive: false });
  }
  nearStart({ clientX, clientY }) {
    const ring = this.svg.querySelector(".start");
    if (!ring) return false;
    const box = ring.getBoundingClientRect();
    return Math.hypot(clientX - box.left - box.width / 2, clientY - box.top - box.height / 2) < 26;
  }
  contains(e) {
    const [x, y] = this.at(e);
    return x >= this.x0 && x <= this.x1 && y >= this.y0 && y <= this.y1;
  }

  range() {
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    const faint = this.plot.series.some((s) => s.faint);
    for (const s of this.plot.series.filter(isOwn)) {
      for (const v of s.x) { x0 = Math.min(x0, v); x1 = Math.max(x1, v); }
      for (const v of s.y) { y0 = Math.min(y0, v); y1 = Math.max(y1, v); }
    }
    if (!(x0 <= x1 && y0 <= y1)) [x0, x1, y0, y1] = [0, 1, 0, 1];
    const widen = (a, b) => {  // rounding errors about a constant are not magnified
      const size = Math.max(Math.abs(a), Math.abs(b)), half = size > 1e-9 ? 0.5 * size : 0.5;
      return b - a > (this.plot.points ? 1e-6 : 1e-12) * Math.max(1, size) ? [a, b] : [a - half, b + half];
    };
    [x0, x1] = widen(x0, x1);
    if (this.plot.tiny) { y0 = Math.min(y0, -1.5 * this.plot.tiny); y1 = Math.max(y1, 1.5 * this.plot.tiny); }
    else [y0, y1] = widen(y0, y1);
    if (faint) {  // room for the neighbours, which may leave it
      const dx = 0.25 * (x1 - x0), dy = 0.25 * (y1 - y0);
      [x0, x1, y0, y1] = [x0 - dx, x1 + dx, y0 - dy, y1 + dy];
    }
    const pad = (this.plot.kind === "spectrum" ? 0 : 0.06) * (y1 - y0);
    y0 -= pad; y1 += pad || 0.06 * (y1 - y0);
    if (this.plot.kind === "plane") {
      const padX = 0.06 * (x1 - x0);
      x0 -= padX; x1 += padX;
      if (this.plot.equal) {  // one unit is equally long in both directions
        const want = ((x1 - x0) / (this.right - this.left)) * (this.bottom - this.top);
        if (want > y1 - y0) { const m = (y0 + y1) / 2; y0 = m - want / 2; y1 = m + want / 2; }
        else {
          const wide = ((y1 - y0) / (this.bottom - this.top)) * (this.right - this.left), m = (x0 + x1) / 2;
          x0 = m - wide / 2; x1 = m + wide / 2;
        }
      }
    }
    Object.assign(this, { x0, x1, y0, y1 });
  }

  u(x) { return this.left + ((x - this.x0) / (this.x1 - this.x0)) * (this.right - this.left); }
  v(y) { return this.bottom - ((y - this.y0) / (this.y1 - this.y0)) * (this.bottom - this.top); }

  axes(svg) {
    const label = (text, attributes) => { element("text", attributes, svg).textContent = text; };
    const xs = ticks(this.x0, this.x1, 5), ys = ticks(this.y0, this.y1, 4);
    tickLabels(xs).forEach((text, k) => {
      element("line", { class: "grid", x1: this.u(xs[k]), x2: this.u(xs[k]), y1: this.top, y2: this.bottom }, svg);
      label(text, { class: "tick", x: this.u(xs[k]), y: this.bottom + 14, "text-anchor": "middle" });
    });
    tickLabels(ys).forEach((text, k) => {
      element("line", { class: "grid", x1: this.left, x2: this.right, y1: this.v(ys[k]), y2: this.v(ys[k]) }, svg);
      label(text, { class: "tick", x: this.left - 6, y: this.v(ys[k]) + 3.5, "text-anchor": "end" });
    });
    label(withUnit(this.plot.x, this.plot.role), { class: "axis", x: this.right, y: this.bottom + 30, "text-anchor": "end" });
    if (this.plot.kind === "plane") label(withUnit(this.plot.y, this.plot.role), { class: "axis", x: Math.max(this.left, 4 * withUnit(this.plot.y, this.plot.role).length), y: this.top - 4, "text-anchor": "middle" });
  }

  lines(svg) {
    const clip = element("clipPath", { id: `clip${Plot.count = (Plot.count || 0) + 1}` }, svg);
    element("rect", { x: this.left, y: this.top, width: this.right - this.left, height: this.bottom - this.top }, clip);
    let strong = 0;
    if (this.plot.points) {  // dots, not a line
      const [s] = this.plot.series;
      element("path", { class: "points s0", d: s.x.map((x, i) => `M${this.u(x).toFixed(1)} ${this.v(s.y[i]).toFixed(1)}h0`).join(""), "clip-path": `url(#${clip.id})` }, svg);
      return;
    }
    const layer = (s) => (s.faint ? 0 : s.added !== undefined ? 1 : 2);
    [...this.plot.series].sort((a, b) => layer(a) - layer(b)).forEach((s) => {  // the run above its neighbours
      const d = s.x.map((x, i) => `${i && !(s.breaks && s.breaks.includes(i)) ? "L" : "M"}${this.u(x).toFixed(1)} ${this.v(s.y[i]).toFixed(1)}`).join("");
      element("path", { class: s.faint ? "faint" : s.added !== undefined ? `series added s${s.added}` : `series s${strong++}`, d, "clip-path": `url(#${clip.id})` }, svg);
    });
  }

  /** Moves the cursor; `at` is a frame with a fraction. */
  show(time, [i, w]) {
    if (this.cursor) {
      this.cursor.setAttribute("x1", this.u(time));
      this.cursor.setAttribute("x2", this.u(time));
    }
    for (const { s, dot } of this.guests) {
      const [m, f] = frameAt(s.t, time), next = Math.min(m + 1, s.x.length - 1);
      if (next < 1) continue;
      dot.setAttribute("cx", this.u(s.x[m] + f * (s.x[next] - s.x[m])));
      dot.setAttribute("cy", this.v(s.y[m] + f * (s.y[next] - s.y[m])));
    }
    this.plot.series.filter(isOwn).forEach((s, k) => {
      if (!this.dots[k] || s.x.length <= i + 1) return;
      const jump = s.breaks && s.breaks.includes(i + 1);
      const f = jump ? 0 : w;
      this.dots[k].setAttribute("cx", this.u(s.x[i] + f * (s.x[i + 1] - s.x[i])));
      this.dots[k].setAttribute("cy", this.v(s.y[i] + f * (s.y[i + 1] - s.y[i])));
    });
  }
}
