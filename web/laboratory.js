// Sliders for every parameter and for the start, and a film that follows them: what makes a report or the studio alive.
"use strict";

const draftFrames = 240;      // while a hand moves
const programWait = 50;       // milliseconds in which the page, once it shows the beginning, leaves the processor to the program's draft
const settleAfter = 180;      // milliseconds of rest until the exact run
const sliceLength = 11;       // milliseconds of computing in one frame of the screen, at most
const frameBudget = 20;       // milliseconds that a frame takes with all that is drawn; a film that does not fit continues in the next ones

/** Values of a run at a time between two frames: between(run.x, member), not a number after its end. */
function betweenFrames(run, time) {
  const [k, w] = run.t.length > 1 ? frameAt(run.t, time) : [0, 0], next = Math.min(k + 1, run.t.length - 1);
  return { k, between: (values, n) => {
    const a = values[k][n], b = values[next][n];
    return a === null ? NaN : b === null ? a : a + w * (b - a);
  } };
}

/** A level that the values cross: their mean, or 0 where that is nearly as good. */
function middleOf(values) {
  const mean = values.reduce((a, b) => a + b, 0) / (values.length || 1), low = Math.min(...values), high = Math.max(...values);
  return low < 0 && high > 0 && Math.abs(mean) < 0.05 * (high - low) ? 0 : +mean.toPrecision(3);
}

class Laboratory {
  /**
   * motion: a LiveMotion; film: the film of the page, whose plots are computed anew; drawn: its Plots, in the same order;
   * panel: the element that gets the sliders; address(link): what to copy as the page's address, when it is not location;
   * native(motion, draft): promises the film that the program computes, in place of the page's own run;
   * copies(button): opens a menu of more ways to copy the motion;
   * many(motion, {kind, starts, axes, frames, frame}): the program computes motions from many starts and calls frame({t, x, y, px, py, pz})
   * for each time as it comes; promises {lanes}, or nothing.
   */
  constructor({ motion, film, player, stage, drawn, panel, plotsBox, onChange = () => {}, address = null, native = null, many = null, copies = null }) {
    Object.assign(this, { motion, player, stage, panel, plotsBox, onChange, address, native, many, copies });
    this.motions = [];     // added to the phase portrait
    this.flies = !!film.phases;  // a motion with impacts
    this.plots = film.plots.map((plot, k) => ({ plot, drawn: drawn[k], extra: null }));
    this.knobs = [];
    this.keep = [];
    this.frames = 0;       // drafts shown, for tests
    this.state = "rest";   // rest, draft, exact
    this.touched = -1e9;   // when a hand last moved
    this.plotting = 0;     // milliseconds that it takes to draw the plots, about
    this.build();
    this.watch();
    if (!this.flies) {  // what the page itself computes
      this.addSection(film);
      this.wirePortrait();
    }
    if (stage) this.wireStage();
    player.listeners.push((time) => this.drawCloud(time));
  }

  // ------------------------------------------------------------------------------------------------------------ panel
  build() {
    const make = (tag, attributes = {}, ...children) => {
      const e = document.createElement(tag);
      for (const [k, v] of Object.entries(attributes)) if (v !== null) e.setAttribute(k, v);
      e.append(...children);
      return e;
    };
    this.make = make;
    this.panel.replaceChildren();
    const groups = [["parameter", "Parameters"], ["position", "Start: position"], ["attitude", "Start: attitude"], ["speed", "Start: speeds"]];
    const box = make("div", { class: "knobs" });
    for (const [group, title] of groups) {
      const controls = this.motion.controls().filter((c) => c.group === group);
      if (!controls.length) continue;
      const set = make("fieldset", {}, make("legend", {}, title));
      for (const c of controls) set.append(this.knob(c));
      box.append(set);
    }
    this.status = make("p", { class: "live-status", role: "status" });
    this.progress = make("span", { class: "live-progress" });
    const button = (text, action, label) => {
      const b = make("button", { type: "button", "aria-label": label || null }, text);
      b.addEventListener("click", action);
      return b;
    };
    this.untilBox = make("input", { type: "number", min: "0", step: "any", "aria-label": "until", value: this.motion.until });
    this.untilBox.addEventListener("change", () => {
      if (+this.untilBox.value > 0) this.motion.until = +this.untilBox.value;
      this.touch();
    });
    const actions = make("div", { class: "live-actions" }, make("label", {}, "until ", this.untilBox),
      this.resetButton = button("Back to the model's values", () => this.reset()),
      button("Copy link", () => this.copy(this.linkText(), "link")), button("Copy command", () => this.copy(this.motion.command(), "command")), ...this.moreCopies(button), this.progress);
    const fold = make("details", { class: "live-fold", open: "" }, make("summary", {}, make("strong", {}, "Try it"),
      make("span", { class: "aside" }, "Move a slider, or drag the rings in the picture: the motion follows.")), box, actions, this.status);
    this.panel.append(fold);
    this.refresh();
  }

  /** Other ways to copy the motion, in a menu of the page. */
  moreCopies(button) {
    if (!this.copies) return [];
    const b = button("Copy…", () => this.copies(b));
    b.setAttribute("aria-haspopup", "menu");
    b.setAttribute("aria-expanded", "false");
    return [b];
  }

  knob(c) {
    const { make } = this, value = this.motion.get(c), step = niceStep((c.high - c.low) / 500);
    const slider = make("input", { type: "range", min: c.low, max: c.high, step: "any", "aria-label": `${c.id}${c.about ? `: ${c.about}` : ""}` });
    const box = make("input", { type: "number", step: "any", "aria-label": `${c.id}, as a number` });
    const name = c.group === "attitude" ? c.id : pretty(c.id);
    const row = make("div", { class: "knob" }, make("span", { class: "name", title: c.about || c.id }, name), slider, box);
    const about = [c.about, unitsOfFilm[c.id] && `[${unitsOfFilm[c.id]}]`].filter(Boolean).join(" ");
    if (about) row.append(make("span", { class: "about" }, about));
    slider.value = value;
    const give = (v) => {
      this.motion.set(c, v);
      this.keep = c.group === "position" ? [c.index] : [];
      this.touch();
    };
    slider.addEventListener("input", () => {
      const near = Math.abs(+slider.value - this.motion.original(c)) < 0.006 * (c.high - c.low);  // it catches at the model's value
      give(near ? this.motion.original(c) : Math.round(+slider.value / step) * step);
    });
    box.addEventListener("change", () => Number.isFinite(+box.value) && box.value !== "" && give(+box.value));
    row.addEventListener("dblclick", (e) => e.target === row.firstChild && give(this.motion.original(c)));
    this.knobs.push({ c, row, slider, box });
    return row;
  }

  /** The panel says what the motion has. */
  refresh() {
    for (const { c, row, slider, box } of this.knobs) {
      const value = this.motion.get(c);
      if (value > +slider.max) slider.max = value;
      if (value < +slider.min) slider.min = value;
      slider.value = value;
      slider.style.setProperty("--done", `${(100 * (value - slider.min)) / (slider.max - slider.min)}%`);
      if (document.activeElement !== box) box.value = Math.abs(value) < 1e-12 ? 0 : +value.toPrecision(4);  // no dust of rounding
      row.classList.toggle("changed", this.motion.changed(c));
    }
    if (document.activeElement !== this.untilBox) this.untilBox.value = this.motion.until;
    this.resetButton.disabled = !this.motion.link();
  }

  linkText() {
    if (this.address) return this.address(this.motion.link());
    const link = this.motion.link();
    history.replaceState(null, "", link ? `#${link}` : location.pathname + location.search);
    return location.href;
  }

  async copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = this.make("textarea", { class: "unseen" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    this.copied = text;
    this.say(`The ${what} is copied: ${text}`);
  }

  reset() {
    this.motion.reset();
    this.keep = [];
    if (!this.address && location.hash.includes("=")) history.replaceState(null, "", location.pathname + location.search);
    this.touch();
  }

  /** Takes over the values of a link; quiet: names that the model does not have are no mistake. */
  follow(link, quiet = false) {
    const unknown = this.motion.follow(link), dropped = this.motion.projected;
    this.keep = [];
    this.touch({ dropped, complaint: unknown.length && !quiet ? `This model has no ${unknown.join(", ")}.` : "" });
  }

  say(text) { this.status.textContent = text; }

  // ------------------------------------------------------------------------------------------------------------ following
  /** Values have changed. dropped: something of what was asked for was forbidden; complaint: a sentence to say with the result. */
  touch({ dropped = false, complaint = "" } = {}) {
    this.dirty = true;
    Object.assign(this, { dropped, complaint, answered: 0 });
    this.cloudRun = null;
    this.fresh = this.fresh || performance.now() - this.touched > settleAfter;
    this.touched = performance.now();
    this.onChange();
    if (this.fresh && this.native && !this.flies) this.begin();  // the program need not wait for the next frame of the screen
    this.wake();
  }
  wake() {
    if (this.awake) return;
    this.awake = true;
    this.player.request(() => this.tick());
  }

  tick() {
    this.awake = false;
    this.began = performance.now();
    if (this.dirty) this.begin();
    if (this.state === "draft") this.draft();
    else if (this.state === "exact") this.exact();
    else if (this.section && !this.section.points.done && this.section.visible) this.fillSection(6);
    else return;
    this.wake();
  }

  /** A draft with the present values. */
  begin() {
    this.dirty = false;
    this.motion.projected = false;
    const moved = this.motion.project(this.keep) || this.dropped;
    this.problem = this.motion.problem();
    this.projectedNote = moved ? "The start was moved onto the constraints." : "";
    this.refresh();
    if (this.problem) {
      this.state = "rest";
      this.tellProgress(null);
      return this.say(`${this.complaint} ${this.projectedNote} No motion: ${this.problem}.`.trim());
    }
    if (this.flies) return this.askForFlight();
    this.state = "draft";
    this.ahead = 0;
    this.job = this.motion.job({ frames: Math.min(draftFrames, this.motion.about.samples), rtol: 1e-6 });
    this.placeHandles();
    if (this.native) this.askForDraft();
    this.fresh = false;
  }

  /** A frame while a hand moves: what fits into it. The motion from its beginning first, then its film, then the plots. */
  draft() {
    const whole = () => this.filmed === this.job && this.film.whole, wasWhole = whole();
    if (!wasWhole) {
      const left = () => frameBudget - (performance.now() - this.began) - this.plotting - this.player.drawing;
      const programFirst = this.drafting && this.answered && performance.now() - this.touched < programWait;
      if (!this.job.done) this.job.slice(programFirst ? 3 : Math.min(sliceLength, Math.max(2, left() / 2)));
      if (!programFirst && (this.job.done || this.job.t[this.job.t.length - 1] >= this.ahead)) {
        this.show(this.job, true, Math.max(2, left()));
        ++this.frames;
      }
      if (!this.answered) this.answered = performance.now() - this.touched;  // for benches: the beginning of the new film,
      if (whole()) this.drafted = performance.now() - this.touched;  // and the whole
    }
    const rests = performance.now() - this.touched;
    if (this.native) {
      if ((wasWhole || this.ahead) && this.asked !== this.touched && rests > settleAfter / 3) this.ask();
    } else if (wasWhole && rests > settleAfter) {
      this.state = "exact";
      this.job = this.motion.job({ rtol: 1e-11 });
    }
  }

  /**
   * The program computes a draft at once and the exact film when the hand rests. Of its draft and the page's own, the first one that is whole
   * is shown, or the one that has come further. One draft at a time, of the newest values.
   */
  async askForDraft() {
    if (this.drafting) return;
    const { touched, job } = this;
    this.drafting = true;
    const found = await this.native(this.motion, true).catch(() => null);
    this.drafting = false;
    if (!found || this.dirty || this.state !== "draft") return;
    if (touched !== this.touched) return this.askForDraft();
    if (this.filmed === job && this.film.whole) return;
    const reached = found.t[found.t.length - 1], whole = reached > (1 - 1e-5) * this.motion.until;  // six digits
    if (!whole && this.filmed === job && this.film.t[this.film.t.length - 1] > reached) return;
    this.showFound(found, true, whole);
    const after = performance.now() - touched;
    this.answered = this.answered || after;
    if (whole) Object.assign(this, { filmed: job, drafted: after });
    else {  // its beginning: the motion needs many steps, or ends
      this.ahead = reached;
      this.player.span(0, this.motion.until);
      this.tellProgress(reached);
    }
    ++this.frames;
  }

  /** How far the film has come: a time, or null when it is complete. */
  tellProgress(t) {
    this.player.reached(t);
    if (performance.now() - this.touched <= 50) this.soon = t === null ? 1 : t / this.motion.until;  // for benches
    this.progress.textContent = t === null ? "" : `film until t = ${t.toPrecision(3)} so far`;
  }

  /** The page's own stepper knows no impacts: the program computes one film after the other, always of the newest values. */
  askForFlight() {
    this.state = "wait";
    this.placeHandles();
    this.fresh = false;
    this.again = !!this.computing;
    if (this.computing) return;
    this.computing = this.ask().finally(() => {
      this.computing = null;
      if (!this.again) return;
      this.dirty = true;
      this.wake();
    });
  }

  /** The film as the program computes it; one at a time, and only that of the present values is shown. */
  async ask() {
    const { touched } = this;
    this.asked = touched;
    const found = await this.native(this.motion).catch(() => null);
    if (((touched !== this.touched || this.dirty) && !this.flies) || this.state === "rest") return;
    if (!found && this.flies) {
      this.state = "rest";
      return this.say([this.complaint, this.projectedNote, "No motion in flight with these values."].filter(Boolean).join(" "));
    }
    if (!found) {
      this.state = "exact";
      this.job = this.motion.job({ rtol: 1e-11 });
      return this.wake();
    }
    this.state = "rest";
    if (window.studio && window.studio.phases) window.studio.phases.show(found);
    this.showFound(found, false);
    this.followed = performance.now() - touched;
    this.say([this.complaint, this.projectedNote, found.summary].filter(Boolean).join(" "));
    if (!this.flies) {
      const portrait = found.plots.find((plot) => plot.role === "portrait");
      if (portrait && !portrait.series.some((s) => s.faint)) this.beginNeighbours();  // the program left them to the page
      this.beginSection();
      this.computeMotions();
    }
  }
  /** A film of the program, or its beginning. */
  showFound(found, draft, whole = true) {
    this.film = { t: found.t, series: found.series, scene: found.scene, marks: found.marks, kept: [], whole };
    this.player.span(found.t[0], found.t[found.t.length - 1]);
    this.tellProgress(null);
    if (this.stage && found.scene) this.stage.show(found.scene, found.t, draft);
    this.placeHandles();
    for (const p of this.plots) if (p.drawn && (!draft || p.visible)) this.drawFound(p, found, draft);
    this.player.redraw();
  }
  /** The program groups curves by their size, so that its figures are others at other values: those of the page keep their curves. */
  drawFound(p, found, draft) {
    const { series, marks } = this.film, { role } = p.plot, own = p.plot.series.filter((s) => !s.faint);
    const resolve = (s) => ({ ...s, x: typeof s.x === "string" ? series[s.x] : s.x, y: typeof s.y === "string" ? series[s.y] : s.y });
    const plot = found.plots.find((one) => role && one.role === role), there = plot ? plot.series.map(resolve) : [];
    if (role === "portrait") {
      const strong = there.find((s) => !s.faint);
      if (!strong) return;
      if (!draft) p.extra = there.filter((s) => s.faint);
      p.drawn.draw({ ...plot, series: [...there, ...this.addedSeries()], marks, start: [strong.x[0], strong.y[0]] }, draft && this.holdsPortrait);
    } else {
      const all = found.plots.flatMap((one) => one.series), breaksOf = (s) => (all.find((one) => s.name && one.name === s.name && one.y === s.y) || {}).breaks;
      const lines = role === "drift" || role === "spectrum" ? own.map((s) => there.find((one) => one.name === s.name) || { ...s, x: [], y: [] })
        : role ? this.curves(p, draft) : own.map((s) => ({ ...resolve(s), breaks: breaksOf(s) }));
      p.drawn.draw({ ...p.plot, series: lines, marks });
    }
  }

  exact() {
    if (!this.job.slice(sliceLength)) return;
    this.state = "rest";
    this.show(this.job, false);
    this.tell();
    this.beginNeighbours();
    this.beginSection();
    this.computeMotions();
  }

  tell() {
    const parts = [this.complaint, this.projectedNote];
    if (this.job.failure) parts.push(`${this.job.failure[0].toUpperCase()}${this.job.failure.slice(1)}.`);
    const drifts = this.film.kept.map((values, k) => {
      const unit = Math.max(1, Math.abs(values[0])), most = Math.max(...values.map((v) => Math.abs(v - values[0]) / unit));
      return `${this.motion.about.kept[k]} to ${most > 0 ? most.toExponential(0).replace("-", "−") : "the last digit"}`;
    });
    if (drifts.length) parts.push(`Kept: ${drifts.slice(0, 3).join(", ")}.`);
    this.say(parts.filter(Boolean).join(" "));
  }

  /** Draws a job as far as it has come; a draft adds to its film for some milliseconds only. */
  show(job, draft, milliseconds = Infinity) {
    const film = this.motion.film(job, milliseconds), { whole, t } = film, reached = t[t.length - 1];
    if (t.length > 1 || whole) Object.assign(this, { film, filmed: job });
    if (t.length < 2) return;
    const last = whole && !job.failure ? this.motion.until : Math.max(reached, draft ? this.player.last : 0);
    this.player.span(0, draft ? Math.max(last, 1e-9) : job.failure ? reached : this.motion.until);
    if (this.stage && this.film.scene) this.stage.show(this.film.scene, t, draft);
    if (!draft) this.placeHandles();
    this.tellProgress(whole ? null : reached);
    const began = performance.now();
    for (const p of this.plots) this.drawPlot(p, draft);
    this.plotting += 0.3 * (performance.now() - began - this.plotting);
    this.player.redraw();
  }

  /** The curves of a plot, from the film that was just computed. */
  curves({ plot, extra }, draft) {
    const { series, kept, scene } = this.film, strong = plot.series.filter((s) => !s.faint);
    switch (plot.role) {
      case "path": {
        const trace = scene && scene.shapes.find((s) => s.kind === "trace"), x = [], y = [];
        for (let i = 0; trace && i + 2 < trace.points.length; i += 3) { x.push(trace.points[i]); y.push(trace.points[i + 1]); }
        return [{ ...strong[0], x, y }];
      }
      case "drift":
        return strong.map((s) => {
          const values = kept[this.motion.about.kept.indexOf(s.name)] || [], unit = Math.max(1, Math.abs(values[0] || 0));
          return { ...s, x: series.t, y: values.map((v) => (v - values[0]) / unit) };
        });
      case "spectrum":
        if (draft) return null;
        return strong.map((s) => {
          const count = Math.min(s.y.length, Math.floor((series.t.length - 1) / 2)), y = amplitudes(series[s.name] || series.t, count);
          return { ...s, x: y.map((_, k) => k / this.motion.until), y };
        });
      case "portrait":
        return [{ ...strong[0], x: series[plot.x], y: series[plot.y] }, ...(!draft && extra ? extra : []), ...this.addedSeries()];
      default:
        return strong.map((s) => ({ ...s, x: typeof s.x === "string" ? series[s.x] : s.x, y: typeof s.y === "string" ? series[s.y] : s.y }));
    }
  }

  drawPlot(p, draft) {
    if (!p.drawn || (draft && !p.visible)) return;
    const lines = this.curves(p, draft);
    if (!lines || lines.some((s) => !s.x || !s.y)) return;
    const plot = { ...p.plot, series: lines };
    if (p.plot.role === "portrait") plot.start = [lines[0].x[0], lines[0].y[0]];
    p.drawn.draw(plot, p.plot.role === "portrait" && this.holdsPortrait);
  }

  watch() {
    const seen = new IntersectionObserver((entries) => {
      for (const e of entries) {
        for (const p of this.plots) if (p.drawn && p.drawn.svg === e.target) p.visible = e.isIntersecting;
        if (this.section && this.section.drawn.svg === e.target) {
          this.section.visible = e.isIntersecting;
          if (e.isIntersecting) this.wake();
        }
      }
    });
    this.seen = seen;
    for (const p of this.plots) if (p.drawn) seen.observe(p.drawn.svg);
  }

  // ------------------------------------------------------------------------------------------------------------ scene
  wireStage() {
    this.grip = this.motion.grip(0.8 * this.stage.size);
    if (!this.grip) return;
    this.placeHandles();
    let playing = false;
    this.stage.onHandle = (id, phase, point) => {
      if (phase === "take") {
        playing = this.player.playing;
        this.player.pause();
        this.player.seek(this.player.first);
        return;
      }
      if (phase === "leave") {
        if (playing) this.player.play();
        else this.player.redraw();
        return;
      }
      const { place } = this.grip, { motion } = this;
      for (let n = 0; n < 3; ++n) {
        if (id === "start") motion.pull(place, motion.places(), Vec.sub(point, place(motion.start)));
        else {
          const velocity = motion.velocityOf(place);
          motion.pull(velocity, motion.speeds(), Vec.sub(Vec.scale(Vec.sub(point, place(motion.start)), 1 / this.arrow), velocity(motion.start)));
        }
      }
      this.keep = [];
      this.touch();
    };
    this.stage.draw(this.player.time);
  }

  placeHandles() {
    if (!this.grip || !this.stage) return;
    const at = this.grip.place(this.motion.start), v = this.motion.velocityOf(this.grip.place)(this.motion.start);
    if (![...at, ...v].every(Number.isFinite)) return;
    const speed = Vec.length(v);
    if (!this.arrow || this.state === "rest") this.arrow = (1.7 * this.stage.size) / Math.max(speed, 0.2);
    this.stage.handles = [{ id: "start", at }, { id: "velocity", from: at, at: Vec.add(at, Vec.scale(v, this.arrow)) }];
  }

  // ------------------------------------------------------------------------------------------------------------ portrait
  wirePortrait() {
    const p = this.plots.find((one) => one.plot.role === "portrait" && one.drawn);
    if (!p) return;
    const index = (name) => this.motion.about.state.findIndex((s) => s.name === name), [i, j] = [index(p.plot.x), index(p.plot.y)];
    if (i < 0 || j < 0) return;
    this.portrait = p;
    this.portraitAxes = [i, j];
    p.extra = p.plot.series.filter((s) => s.faint);
    p.drawn.draggable((x, y, phase) => {
      this.holdsPortrait = phase !== "leave";
      this.motion.start[i] = x;
      this.motion.start[j] = y;
      this.keep = [i, j];
      this.touch();
    }, (x, y) => this.addMotion(x, y));
    this.listMotions();
    const first = p.drawn.plot.series.find((s) => !s.faint);
    p.drawn.draw({ ...p.drawn.plot, start: [first.x[0], first.y[0]] });
  }

  /** Motions from other points of the plane, one after the other. */
  async beginNeighbours() {
    const p = this.portrait, { motion } = this;
    if (!p || motion.code.projected || !p.plot.series.some((s) => s.faint)) return;
    const index = (name) => motion.about.state.findIndex((s) => s.name === name), [i, j] = [index(p.plot.x), index(p.plot.y)];
    const range = (values) => {
      const low = Math.min(...values), high = Math.max(...values), middle = (low + high) / 2;
      const half = high - low > 1e-9 ? 0.75 * (high - low) : 0.5 * Math.max(Math.abs(middle), 1);
      return (k, n) => middle - half + (2 * half * (k + 0.5)) / n;
    };
    const x = range(this.film.series[p.plot.x]), y = range(this.film.series[p.plot.y]), touched = this.touched, found = [];
    for (let a = 0; a < 4; ++a) {
      for (let b = 0; b < 3; ++b) {
        const start = Float64Array.from(motion.start);
        start[i] = x(a, 4);
        start[j] = y(b, 3);
        const job = motion.job({ frames: 201, rtol: 1e-6, start, mostSteps: 4 * this.job.steps + 100 });
        while (!job.slice(6)) await new Promise((next) => setTimeout(next, 4));
        if (touched !== this.touched) return;
        found.push({ name: "", x: job.y.map((s) => s[i]), y: job.y.map((s) => s[j]), faint: true });
        await new Promise((next) => setTimeout(next));
      }
    }
    p.extra = found;
    this.drawPlot(p, false);
    this.player.redraw();
  }

  // ------------------------------------------------------------------------------------------------------------ added motions
  /** A start with other values of the portrait's two variables, taken onto the constraints; null where there is none. */
  startAt(x, y) {
    const { motion } = this, [i, j] = this.portraitAxes, { start, projected } = motion;
    motion.start = Float64Array.from(start);
    motion.start[i] = x;
    motion.start[j] = y;
    motion.project([i, j]);
    const found = motion.problem() ? null : motion.start;
    Object.assign(motion, { start, projected });
    return found;
  }

  /** Another motion in the phase portrait, through a point of it. */
  addMotion(x, y) {
    const start = this.startAt(x, y);
    if (!start) return this.say("There is no motion through this point.");
    const used = new Set(this.motions.map((m) => m.colour)), colour = [1, 2, 3, 4, 5].find((k) => !used.has(k)) || 1 + (this.motions.length % 5);
    this.motions.push({ start, colour, t: [], x: [], y: [] });
    this.listMotions();
    return this.computeMotions();
  }
  removeMotions(which) {
    this.motions = which ? this.motions.filter((m) => m !== which) : [];
    this.listMotions();
    this.redrawPortrait();
  }

  /** The added motions with the present parameters: by the page at once, then by the program where there is one. */
  async computeMotions() {
    if (!this.portrait || !this.motions.length) return;
    const { motion, touched } = this, [i, j] = this.portraitAxes, list = this.motions;
    const outdated = () => touched !== this.touched || list !== this.motions || run !== this.motionsRun;
    const run = this.motionsRun = {};
    for (const m of list) {
      const job = motion.job({ frames: 301, rtol: 1e-7, start: m.start, mostSteps: 20000 });
      while (!job.slice(8)) await new Promise((next) => setTimeout(next));
      if (outdated()) return;
      Object.assign(m, { t: job.t, x: job.y.map((s) => s[i]), y: job.y.map((s) => s[j]) });
    }
    this.redrawPortrait();
    if (!this.many) return;
    const found = list.map(() => ({ t: [], x: [], y: [] }));
    const frame = ({ t, x, y }) => found.forEach((f, k) => x[k] !== null && (f.t.push(t), f.x.push(x[k]), f.y.push(y[k])));
    const done = await this.many(motion, { kind: "motions", starts: list.map((m) => m.start), axes: [i, j], frames: 401, frame }).catch(() => false);
    if (!done || outdated()) return;
    list.forEach((m, k) => found[k].t.length > 1 && Object.assign(m, found[k], { native: true }));
    this.redrawPortrait();
  }

  addedSeries() {
    return this.motions.filter((m) => m.t.length > 1).map((m) => ({ name: "", added: m.colour, t: m.t, x: m.x, y: m.y }));
  }
  redrawPortrait() {
    const { drawn } = this.portrait;
    drawn.draw({ ...drawn.plot, series: [...drawn.plot.series.filter((s) => s.added === undefined), ...this.addedSeries()] }, true);
    this.player.redraw();
  }

  /** Below the portrait: one entry for each added motion. */
  listMotions() {
    const { make, motion, portrait: p } = this, [i, j] = this.portraitAxes;
    if (!this.motionsBox) {
      this.motionsBox = make("div", { class: "motions", role: "group", "aria-label": "motions in the phase portrait" });
      p.drawn.svg.after(this.motionsBox);
    }
    const button = (text, label, action) => {
      const b = make("button", { type: "button", "aria-label": label, title: label }, text);
      b.addEventListener("click", action);
      return b;
    };
    const few = (v) => `${+v.toPrecision(3)}`.replace("-", "−"), chips = this.motions.map((m) => {
      const where = `${pretty(p.plot.x)} = ${few(m.start[i])}, ${pretty(p.plot.y)} = ${few(m.start[j])}`;
      const chip = make("span", { class: `chip s${m.colour}` }, make("i", {}), button(where, `start from ${where}`, () => this.take(m)), button("×", `remove the motion from ${where}`, () => this.removeMotions(m)));
      return chip;
    });
    const keep = button("keep this motion", "keep the present motion in the phase portrait", () => this.addMotion(motion.start[i], motion.start[j]));
    const all = this.motions.length > 1 ? [button("remove all", "remove all added motions", () => this.removeMotions(null))] : [];
    this.motionsBox.replaceChildren(make("span", { class: "note" }, this.motions.length ? "" : "Click adds a motion, a drag moves the start."), ...chips, keep, ...all);
  }
  /** The start of an added motion becomes that of the film. */
  take(m) {
    this.motion.start.set(m.start);
    this.keep = [];
    this.touch();
  }

  // ------------------------------------------------------------------------------------------------------------ cloud
  /** Starts in a disk about the present one, in the plane of the phase portrait and within what it shows: the same ones each time. */
  strewn(count) {
    const { x0, x1, y0, y1 } = this.portrait.drawn, [i, j] = this.portraitAxes, { start } = this.motion, starts = [];
    let random = 1;
    const draw = () => ((random = (random * 16807) % 2147483647) / 2147483647);
    for (let n = 0; n < 8 * count && starts.length < count; ++n) {
      const radius = 0.12 * Math.sqrt(draw()), angle = 2 * Math.PI * draw();
      const x = start[i] + radius * Math.cos(angle) * (x1 - x0), y = start[j] + radius * Math.sin(angle) * (y1 - y0);
      const one = x >= x0 && x <= x1 && y >= y0 && y <= y1 && this.startAt(x, y);
      if (one) starts.push(one);
    }
    return starts;
  }

  /** Many motions as points that flow with the clock, in the phase portrait and in the scene. */
  async cloud(count, tell = () => {}) {
    this.removeCloud();
    if (!this.portrait) return tell("This model has no phase portrait in which starts could be strewn.");
    const starts = this.strewn(count), frames = 120, run = { t: [], x: [], y: [], px: [], py: [], pz: [], starts };
    this.cloudRun = run;
    const began = performance.now(), frame = (one) => {
      if (this.cloudRun !== run) return;
      for (const key of ["t", "x", "y", "px", "py", "pz"]) if (one[key] !== undefined) run[key].push(one[key]);
      if (run.t.length % 10 === 0) tell(`${starts.length} starts, t = ${one.t.toFixed(1)} of ${+this.motion.until.toPrecision(4)}`);
      if (!this.player.playing) this.player.redraw();
    };
    const done = this.many && await this.many(this.motion, { kind: "cloud", starts, axes: this.portraitAxes, frames, frame }).catch(() => false);
    if (this.cloudRun !== run) return null;
    const arrived = run.t.length > 1;
    if (!done && !arrived) await this.cloudOfPage(run, frames, tell);
    if (this.cloudRun !== run) return null;
    run.milliseconds = performance.now() - began;
    run.native = !!done;
    this.player.redraw();
    if (!done && arrived) return tell(`${starts.length} starts about the present one, stopped at t = ${run.t[run.t.length - 1].toFixed(2)}.`);
    const how = done ? `computed by the program${done.lanes ? " side by side in lanes" : ""} in ${(run.milliseconds / 1000).toFixed(1)} s` : "computed by this page";
    return tell(`${starts.length} starts about the present one, ${how}: play, and watch them flow.`);
  }

  /** Without the program: one motion after the other. */
  async cloudOfPage(run, frames, tell) {
    const { motion } = this, [i, j] = this.portraitAxes;
    run.t = Array.from({ length: frames }, (_, k) => (motion.until * k) / (frames - 1));
    Object.assign(run, { x: run.t.map(() => []), y: run.t.map(() => []), px: [], py: [], pz: [] });
    for (let n = 0, last = performance.now(); n < run.starts.length; ++n) {
      const job = motion.job({ frames, rtol: 1e-5, start: run.starts[n], mostSteps: 3000 });
      job.slice(200);
      for (let k = 0; k < frames; ++k) {
        run.x[k].push(job.y[k] ? job.y[k][i] : null);
        run.y[k].push(job.y[k] ? job.y[k][j] : null);
      }
      if (performance.now() - last > 12) {
        tell(`${n + 1} of ${run.starts.length} starts`);
        this.player.redraw();
        await new Promise((next) => requestAnimationFrame(next));
        last = performance.now();
        if (this.cloudRun !== run) return;
      }
    }
  }
  removeCloud() {
    this.cloudRun = null;
    this.player.redraw();
  }
  drawCloud(time) {
    const run = this.cloudRun, p = this.portrait;
    if (!run || !run.t.length) {
      if (this.cloudPath) this.cloudPath.remove();
      this.cloudPath = null;
      if (this.stage && this.stage.cloudAt) {
        this.stage.cloudAt = null;
        this.stage.draw(time);
      }
      return;
    }
    const { drawn } = p, { k, between } = betweenFrames(run, time);
    let d = "";
    for (let n = 0; n < run.x[k].length; ++n) {
      const x = between(run.x, n), y = between(run.y, n);
      if (x >= drawn.x0 && x <= drawn.x1 && y >= drawn.y0 && y <= drawn.y1) d += `M${drawn.u(x).toFixed(1)} ${drawn.v(y).toFixed(1)}h0`;
    }
    if (!this.cloudPath || !this.cloudPath.isConnected) this.cloudPath = element("path", { class: "cloud" }, drawn.svg);
    this.cloudPath.setAttribute("d", d);
    if (!this.stage || this.stage.cloudAt || !run.px.length) return;
    this.stage.cloudAt = (now) => {
      const at = betweenFrames(run, now);
      return run.px[at.k].map((_, n) => [at.between(run.px, n), at.between(run.py, n), at.between(run.pz, n)]).filter((q) => q.every(Number.isFinite));
    };
    this.stage.draw(time);
  }

  // ------------------------------------------------------------------------------------------------------------ section
  /** A figure with the points where a quantity passes a level upwards. */
  addSection(film) {
    const names = this.motion.about.state.filter((s) => s.kind !== "quaternion").map((s) => s.name);
    if (!this.plotsBox || names.length < 3) return;
    const { make } = this, crossings = (name) => {
      const v = film.series[name] || [], level = v.reduce((a, b) => a + b, 0) / (v.length || 1);
      const spread = Math.max(...v) - Math.min(...v);
      return spread > 1e-9 * Math.max(1, Math.abs(level)) ? v.filter((x, k) => k && v[k - 1] < level && x >= level).length : 0;
    };
    const moving = names.filter((name) => crossings(name) > 0);
    const through = moving.sort((a, b) => crossings(b) - crossings(a))[0] || names[0];
    const others = [...(this.motion.about.portrait || []), ...names].filter((name, k, all) => name !== through && all.indexOf(name) === k);
    const select = (label, chosen) => {
      const s = make("select", { "aria-label": label }, ...names.map((name) => make("option", { value: name }, pretty(name))));
      s.value = chosen;
      s.addEventListener("change", () => this.beginSection());
      return s;
    };
    this.sectionBox = { through: select("quantity that crosses the level", through), x: select("horizontal axis", others[0]), y: select("vertical axis", others[1]),
      level: make("input", { type: "number", step: "any", "aria-label": "level", value: middleOf(film.series[through] || [0]) }) };
    this.sectionBox.level.addEventListener("change", () => this.beginSection());
    this.sectionBox.through.addEventListener("change", () => {
      const v = this.film ? this.film.series[this.sectionBox.through.value] : film.series[this.sectionBox.through.value];
      this.sectionBox.level.value = middleOf(v);
    }, { capture: true });
    const caption = make("figcaption", {}, make("b", {}, "Poincaré section"), make("span", { class: "note section-note" },
      "where ", this.sectionBox.through, " rises through ", this.sectionBox.level, "; axes ", this.sectionBox.x, this.sectionBox.y),
    this.sectionCount = make("output", { class: "note" }));
    const figure = make("figure", { class: "section" }, caption);
    this.plotsBox.append(figure);
    const plot = { title: "Poincaré section", kind: "plane", x: others[0], y: others[1], points: true, series: [{ name: "", x: [], y: [] }] };
    this.section = { drawn: new Plot(figure, plot, () => {}), points: { done: true, x: [], y: [] }, visible: false };
    this.seen.observe(this.section.drawn.svg);
    this.beginSection();
  }

  beginSection() {
    if (!this.section) return;
    const { through, x, y, level } = this.sectionBox, index = (name) => this.motion.about.state.findIndex((s) => s.name === name);
    const i = index(through.value), angle = this.motion.about.state[i].kind === "angle";
    this.section.points = this.motion.section({ index: i, level: +level.value || 0, period: angle ? 2 * Math.PI : 0,
      xIndex: index(x.value), yIndex: index(y.value), mostTime: 300 * this.motion.until });
    this.section.shown = -1;
    this.wake();
  }

  fillSection(milliseconds) {
    const { points, drawn } = this.section, { x, y } = this.sectionBox;
    points.slice(milliseconds);
    if (points.x.length === this.section.shown && !points.done) return;
    if (!points.done && points.x.length < this.section.shown + 12) return;
    this.section.shown = points.x.length;
    const wrapped = (name, values) => this.motion.about.state.find((s) => s.name === name).kind === "angle"
      ? values.map((v) => v - 2 * Math.PI * Math.round(v / (2 * Math.PI))) : values;
    drawn.draw({ title: "Poincaré section", kind: "plane", x: x.value, y: y.value, points: true,
      series: [{ name: "", x: wrapped(x.value, points.x), y: wrapped(y.value, points.y) }] });
    this.sectionCount.textContent = points.x.length ? `${points.x.length} points, t = ${+points.t.toPrecision(3)}` : `no crossing until t = ${+points.t.toPrecision(3)}`;
  }
}
