// A motion that the page computes by itself: other parameters, another start, at once. No dependencies but dop853.js and switching.js.
"use strict";

/** Solves the symmetric system (A + tiny) x = b of few unknowns, by elimination with pivots. */
function solved(A, b) {
  const n = b.length, M = A.map((row, i) => [...row, b[i]]);
  for (let c = 0; c < n; ++c) {
    let p = c;
    for (let r = c + 1; r < n; ++r) if (Math.abs(M[r][c]) > Math.abs(M[p][c])) p = r;
    if (!(Math.abs(M[p][c]) > 1e-300)) return null;
    [M[c], M[p]] = [M[p], M[c]];
    for (let r = 0; r < n; ++r) {
      if (r === c) continue;
      const k = M[r][c] / M[c][c];
      if (k) for (let j = c; j <= n; ++j) M[r][j] -= k * M[c][j];
    }
  }
  return M.map((row, i) => row[n] / row[i]);
}

/** The shortest x with J x = d, nearly: Jᵀ (J Jᵀ + ε)⁻¹ d. J is a list of rows. */
function leastNorm(J, d) {
  const size = Math.max(...J.flat().map(Math.abs), 0);
  if (!(size > 1e-12)) return null;
  const G = J.map((a, i) => J.map((b, j) => a.reduce((sum, x, k) => sum + x * b[k], 0) + (i === j ? 1e-9 * size * size : 0)));
  const w = solved(G, d);
  return w && J[0].map((_, k) => J.reduce((sum, row, i) => sum + row[k] * w[i], 0));
}

/** q ⊗ p of quaternions (w, x, y, z). */
function quaternionProduct(a, b) {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}
/** The rotation about the vector v by its length. */
function quaternionOfVector(v) {
  const angle = Math.hypot(...v), k = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), v[0] * k, v[1] * k, v[2] * k];
}
/** The vector v with quaternionOfVector(v) = ±q, shorter than a full turn. */
function vectorOfQuaternion(q) {
  const sign = q[0] < 0 ? -1 : 1, sine = Math.hypot(q[1], q[2], q[3]);
  const k = sine > 1e-12 ? (sign * 2 * Math.atan2(sine, Math.abs(q[0]))) / sine : 2;
  return [q[1] * k, q[2] * k, q[3] * k];
}
/** The quaternion of a rotation matrix, row by row. */
function quaternionOfMatrix(r) {
  const trace = r[0] + r[4] + r[8];
  let q;
  if (trace > 0) q = [1 + trace, r[7] - r[5], r[2] - r[6], r[3] - r[1]];
  else if (r[0] > r[4] && r[0] > r[8]) q = [r[7] - r[5], 1 + r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6]];
  else if (r[4] > r[8]) q = [r[2] - r[6], r[1] + r[3], 1 - r[0] + r[4] - r[8], r[5] + r[7]];
  else q = [r[3] - r[1], r[2] + r[6], r[5] + r[7], 1 - r[0] - r[4] + r[8]];
  const norm = Math.hypot(...q) || 1;
  return q.map((x) => x / norm);
}

/** Fifteen digits, without the dust of binary fractions. */
const numberText = (x) => `${+x.toPrecision(12)}`;

class LiveMotion {
  /** about: what Live::json says; code: what Live::script evaluates to. */
  constructor(about, code) {
    this.about = about;
    this.code = code.motion;
    this.surfaces = code.surfaces;
    this.switching = code.switching;
    this.n = about.state.length;
    this.first = about.firstSpeed;
    this.reset();
  }

  reset() {
    this.params = { ...this.code.defaults };
    this.start = Float64Array.from(this.about.state, (s) => s.value);
    this.until = this.about.until;
    this.projected = false;
  }

  // ------------------------------------------------------------------------------------------------- what can be set
  /** The quantities a reader may change: {id, name, about, group, value, low, high}. */
  controls() {
    const list = this.about.parameters.map((p, k) => ({ id: p.name, group: "parameter", about: p.about || "", index: k, ...rangeOf(p.value, p.positive ? "positive" : "any") }));
    for (const [i, s] of this.about.state.entries()) {
      if (s.kind === "quaternion") continue;
      list.push({ id: s.name, group: s.kind === "speed" ? "speed" : "position", about: "", index: i, ...rangeOf(s.value, s.kind) });
    }
    for (const r of this.about.rotations) {
      for (const axis of [1, 2, 3]) {
        list.push({ id: `${r.name}.${axis}`, group: "attitude", about: `turn about body axis ${axis}`, rotation: r, axis, low: -Math.PI, high: Math.PI });
      }
    }
    return list;
  }

  /** The rotation of the start against that of the model, as a vector in body axes. */
  turn(r) {
    const before = this.about.state.slice(r.at, r.at + 4).map((s) => s.value), now = [...this.start.slice(r.at, r.at + 4)];
    return vectorOfQuaternion(quaternionProduct([before[0], -before[1], -before[2], -before[3]], now));
  }

  get(c) {
    if (c.group === "parameter") return this.params[this.code.keys[c.index]];
    if (c.group === "attitude") return this.turn(c.rotation)[c.axis - 1];
    return this.start[c.index];
  }

  set(c, value) {
    if (c.group === "parameter") this.params[this.code.keys[c.index]] = value;
    else if (c.group === "attitude") {
      const v = this.turn(c.rotation), before = this.about.state.slice(c.rotation.at, c.rotation.at + 4).map((s) => s.value);
      v[c.axis - 1] = value;
      this.start.set(quaternionProduct(before, quaternionOfVector(v)), c.rotation.at);
    } else this.start[c.index] = value;
  }

  original(c) {
    if (c.group === "parameter") return this.about.parameters[c.index].value;
    return c.group === "attitude" ? 0 : this.about.state[c.index].value;
  }

  changed(c) { return Math.abs(this.get(c) - this.original(c)) > 1e-12 * Math.max(1, Math.abs(this.original(c))); }

  // ------------------------------------------------------------------------------------------------- links, commands
  /** a=0.7&omega=2: what differs from the model. */
  link() {
    const parts = this.controls().filter((c) => this.changed(c)).map((c) => `${encodeURIComponent(c.id)}=${numberText(this.get(c))}`);
    if (this.until !== this.about.until) parts.push(`until=${numberText(this.until)}`);
    return parts.join("&");
  }

  /** Takes over what a link says; names that the model does not have are returned. */
  follow(link) {
    this.reset();
    const unknown = [], velocities = new Map(), byId = new Map(this.controls().map((c) => [c.id, c]));
    for (const part of link.replace(/^#/, "").split("&")) {
      const at = part.indexOf("=");
      if (at < 0) continue;
      let name = part.slice(0, at);
      try { name = decodeURIComponent(name); } catch { /* as it is */ }
      const value = Number(part.slice(at + 1));
      if (!Number.isFinite(value)) unknown.push(name);
      else if (byId.has(name)) this.set(byId.get(name), value);
      else if (name === "until" && value > 0) this.until = value;
      else if (this.about.velocities.includes(name)) velocities.set(this.about.velocities.indexOf(name), value);
      else unknown.push(name);
    }
    if (velocities.size) this.giveVelocities(velocities);
    return unknown;
  }

  /** The speeds whose velocities are nearest to given ones: what the constraints forbid is dropped, and said. */
  giveVelocities(given) {
    const rows = [...given.keys()], z = this.start.slice(this.first), velocities = (y) => this.code.velocities(0, y, this.params);
    for (let iteration = 0; iteration < 20; ++iteration) {
      const now = velocities(this.start), gap = rows.map((i) => given.get(i) - now[i]);
      const J = rows.map(() => new Array(z.length).fill(0));
      for (let a = 0; a < z.length; ++a) {
        const y = Float64Array.from(this.start), h = 1e-6 * Math.max(1, Math.abs(y[this.first + a]));
        y[this.first + a] += h;
        velocities(y).forEach((v, i) => { const r = rows.indexOf(i); if (r >= 0) J[r][a] = (v - now[i]) / h; });
      }
      const step = leastNorm(J, gap);
      if (!step) break;
      step.forEach((dz, a) => (this.start[this.first + a] += dz));
      if (Math.hypot(...step) < 1e-12) break;
    }
    const now = velocities(this.start);
    this.projected = rows.some((i) => Math.abs(now[i] - given.get(i)) > 1e-6 * (1 + Math.abs(given.get(i))));
  }

  /** The parameters that differ from the model's: {a: "0.7"}. */
  values() {
    return Object.fromEntries(this.controls().filter((c) => c.group === "parameter" && this.changed(c)).map((c) => [c.id, numberText(this.get(c))]));
  }
  /**
   * Initial values that differ, as the program takes them. Speeds go together, and so do positions that constraints bind: with all of them where
   * one is named that is about to vary.
   */
  initial(varied = []) {
    const controls = this.controls(), of = (group) => controls.filter((c) => c.group === group && !varied.includes(c.id)), start = {};
    const positions = of("position"), moved = positions.filter((c) => this.changed(c));
    for (const c of moved.length && this.code.positions ? positions : moved) start[c.id] = numberText(this.get(c));
    for (const r of this.about.rotations) {
      if (of("attitude").some((c) => c.rotation === r && this.changed(c))) start[r.name] = attitudeText([...this.start.slice(r.at, r.at + 4)]);
    }
    const speeds = controls.filter((c) => c.group === "speed");
    if (speeds.some((c) => varied.includes(c.id) || this.changed(c))) for (const c of of("speed")) start[c.id] = numberText(this.get(c));
    return start;
  }

  /** The command line that computes the same motion. */
  command() {
    const quote = (s) => (/^[\w.,=:+-]*$/.test(s) ? s : `"${s}"`), list = (o) => Object.entries(o).map(([k, v]) => `${k}=${v}`).join(",");
    const set = list(this.values()), start = list(this.initial());
    let s = `rattleback simulate ${this.about.model}`;
    if (set) s += ` --set ${quote(set)}`;
    if (start) s += ` --initial ${quote(start)}`;
    if (this.code.projected && start) s += " --project";
    if (this.until !== this.about.until) s += ` --until ${numberText(this.until)}`;
    return s;
  }

  // ------------------------------------------------------------------------------------------------- states
  /** Unit quaternions, and velocities that satisfy the constraints. */
  settle(t, y) {
    for (const { at } of this.about.rotations) {
      const norm = Math.hypot(y[at], y[at + 1], y[at + 2], y[at + 3]) || 1;
      for (let k = 0; k < 4; ++k) y[at + k] /= norm;
    }
    if (this.code.projected) y.set(this.code.projected(t, y, this.params), this.first);
  }

  /** Takes the start onto the constraints, by least changes. Says whether anything had to change. */
  project(keep = []) {
    const before = Float64Array.from(this.start), places = [];
    for (let i = 0; i < this.first; ++i) if (this.about.state[i].kind !== "quaternion") places.push(i);
    const free = places.filter((i) => !keep.includes(i));
    if (this.code.positions) {
      for (const movable of [free, places]) {
        for (let iteration = 0; iteration < 30; ++iteration) {
          const f = this.code.positions(0, this.start, this.params);
          if (Math.max(...f.map(Math.abs)) < 1e-13) break;
          const J = f.map(() => new Array(movable.length).fill(0));
          movable.forEach((i, k) => {
            const y = Float64Array.from(this.start), h = 1e-7 * Math.max(1, Math.abs(y[i]));
            y[i] += h;
            this.code.positions(0, y, this.params).forEach((v, r) => (J[r][k] = (v - f[r]) / h));
          });
          const step = movable.length ? leastNorm(J, f) : null;
          if (!step) break;
          movable.forEach((i, k) => (this.start[i] -= step[k]));
        }
        if (Math.max(...this.code.positions(0, this.start, this.params).map(Math.abs)) < 1e-9) break;
      }
    }
    this.settle(0, this.start);
    this.settle(0, this.start);
    this.projected = this.projected || this.start.some((x, i) => this.about.state[i].kind !== "quaternion" && Math.abs(x - before[i]) > 1e-9 * (1 + Math.abs(before[i])));
    return this.projected;
  }

  /** Of the start; null when the motion is defined there. */
  problem() {
    const wrong = this.about.parameters.find((p, k) => p.positive && !(this.params[this.code.keys[k]] > 0));
    if (wrong) return `${wrong.name} is declared positive`;
    const rates = this.code.rhs(0, this.start, this.params);
    if (!rates.every(Number.isFinite)) return "the motion is not defined at this start";
    if (this.code.positions && !(Math.max(...this.code.positions(0, this.start, this.params).map(Math.abs)) < 1e-6)) return "no position near this start satisfies the constraints";
    return null;
  }

  /** A stepper for these parameters: the usual one, or that of forces that switch. */
  stepper(params, rtol) {
    const settle = this.about.rotations.length || this.code.projected ? (t, y) => this.settle(t, y) : null;
    if (!this.switching) return new Dop853((t, y, dy) => this.code.rhs(t, y, params, dy), this.n, { rtol, settle });
    return new SwitchingStepper(this.switching, this.about.switching, this.n, SwitchingStepper.parameters(this.switching, this.code.keys, params), { rtol, settle });
  }

  /** A computation that is done in slices: job.slice(ms) until job.done. */
  job({ frames = this.about.samples, rtol = 1e-9, start = this.start, until = this.until, mostSteps = 200000 } = {}) {
    const params = { ...this.params }, stepper = this.stepper(params, rtol);
    const job = { t: [], y: [], frames, done: false, failure: null, steps: 0, params };
    const record = (t) => {
      const y = new Float64Array(this.n);
      stepper.at(t, y);
      job.t.push(t);
      job.y.push(y);
    };
    stepper.start(0, start);
    record(0);
    job.slice = (milliseconds) => {
      const end = performance.now() + milliseconds;
      for (let count = 0; !job.done; ++count) {
        if (count && performance.now() > end) return false;  // a step of long rates takes milliseconds
        if (!stepper.step(until) || !Number.isFinite(stepper.y[0])) {
          job.failure = `the motion ends at t = ${+stepper.t.toPrecision(4)}: ${stepper.failure || "it meets a singularity"}`;
          job.done = true;
          break;
        }
        for (let k = job.t.length; k < frames; ++k) {
          const t = (until * k) / (frames - 1);
          if (t > stepper.t + 1e-12 * until) break;
          record(t);
        }
        if (++job.steps > mostSteps) {
          job.failure = `the motion is followed until t = ${+stepper.t.toPrecision(4)} only: it needs too many steps`;
          job.done = true;
        }
        if (stepper.t >= until) job.done = true;
      }
      return true;
    };
    return job;
  }

  // ------------------------------------------------------------------------------------------------- pictures
  /**
   * What the animation and the plots show of a job, as far as it has come: frames that are new since the last call are added, for some
   * milliseconds. `whole` says that there is no more to come.
   */
  film(job, milliseconds = Infinity) {
    const end = performance.now() + milliseconds;
    const film = job.film || (job.film = this.emptyFilm(job)), { series, kept, shapes } = film;
    const out = new Array(this.about.kept.length), names = this.about.state.map((s) => (s.kind === "quaternion" ? null : series[s.name]));
    for (; film.frames < job.t.length; ++film.frames) {
      if (film.frames % 8 === 7 && performance.now() > end) break;
      const t = job.t[film.frames], y = job.y[film.frames];
      series.t.push(t);
      names.forEach((values, i) => values && values.push(y[i]));
      if (this.code.kept) this.code.kept(t, y, job.params, out).forEach((v, i) => kept[i].push(v));
      if (this.code.moving) this.place(shapes, film, t, y, job.params);
    }
    for (const shape of shapes) shape[shape.rigid ? "pose" : "points"] = shape.track.subarray(0, shape.wide * (shape.rests ? 1 : film.frames));
    return { t: series.t, series, kept, whole: job.done && film.frames === job.t.length, scene: shapes.length ? { above: this.about.above, ground: this.about.ground, shapes } : null };
  }

  emptyFilm(job) {
    const series = { t: [] }, film = { frames: 0, series, kept: this.about.kept.map(() => []), shapes: [] };
    for (const s of this.about.state) if (s.kind !== "quaternion") series[s.name] = [];
    const fixed = this.code.fixed ? this.code.fixed(0, this.start, job.params) : [];
    let at = 0, from = 0;
    for (const [k, s] of this.about.shapes.entries()) {
      const rigid = !["line", "trace"].includes(s.kind), width = rigid ? 12 : 3 * s.corners, wide = rigid ? 7 : width;
      const shape = { name: s.name, kind: s.kind, color: s.color, corners: s.corners, offset: at, width, rigid };
      shape.sizes = drawable(fixed.slice(from, from + s.sizes), rigid);
      shape.axis = rigid ? fixed.slice(from + s.sizes, from + s.sizes + 3) : [];
      from += s.sizes + (rigid ? 3 : 0);
      if (s.kind === "net") {
        shape.points = fixed.slice(from, from + 3 * s.points);
        from += 3 * s.points;
      }
      Object.assign(shape, { wide, track: new Float64Array(this.code.moving ? wide * job.frames : 0), rests: s.kind !== "trace" });
      if (s.kind === "surface") Object.assign(shape, { bands: 12, mesh: this.mesh(k, 12, job.params) });
      at += width;
      film.shapes.push(shape);
    }
    film.moving = new Float64Array(at);
    return film;
  }

  /** Where everything is at one state, written into the tracks of the shapes: centre and quaternion, or the points. */
  place(shapes, { frames: frame, moving }, t, y, params) {
    this.code.moving(t, y, params, moving);
    for (const shape of shapes) {
      const { track, wide, offset } = shape, to = frame * wide;
      if (shape.rigid) {
        for (let i = 0; i < 3; ++i) track[to + i] = moving[offset + i];
        const q = quaternionOfMatrix(moving.subarray(offset + 3, offset + 12));
        let same = frame ? 0 : 1;  // the sign that continues the motion
        for (let i = 0; frame && i < 4; ++i) same += q[i] * track[to - wide + 3 + i];
        for (let i = 0; i < 4; ++i) track[to + 3 + i] = same < 0 ? -q[i] : q[i];
      } else for (let i = 0; i < wide; ++i) track[to + i] = moving[offset + i];
      for (let i = 0; shape.rests && i < wide; ++i) shape.rests = Math.abs(track[to + i] - track[i]) <= 1e-12;
    }
  }

  /** A surface f = 0 around its centre, along rays, as exactly as it can be seen; the last one is remembered. */
  mesh(k, bands, params) {
    const key = JSON.stringify([k, bands, params]), known = this.meshes || (this.meshes = new Map());
    if (known.has(k) && known.get(k).key === key) return known.get(k).vertices;
    const surface = this.surfaces[k], vertices = [], point = [0, 0, 0];
    for (let i = 0; i <= bands; ++i) {
      for (let j = 0; j < 2 * bands; ++j) {
        const u = (Math.PI * i) / bands, v = (Math.PI * j) / bands;
        const ray = [Math.sin(u) * Math.cos(v), Math.sin(u) * Math.sin(v), Math.cos(u)];
        const f = (s) => {
          for (let n = 0; n < 3; ++n) point[n] = s * ray[n];
          return surface.f(0, point, params);
        };
        const outside = zeroAbove(f, 1e-7);
        vertices.push(outside * ray[0], outside * ray[1], outside * ray[2]);
      }
    }
    known.set(k, { key, vertices });
    return vertices;
  }

  // ------------------------------------------------------------------------------------------------- dragging
  /** The point of the mechanism that can be taken hold of: {shape, local} with local in the shape's axes. */
  grip(size) {
    const moving = (y) => this.code.moving(0, y, this.params);
    if (!this.code.moving) return null;
    let at = 0;
    const rigid = [], traces = [];
    for (const s of this.about.shapes) {
      const isRigid = !["line", "trace"].includes(s.kind);
      if (isRigid && s.kind !== "net") rigid.push(at); else if (s.kind === "trace") traces.push(at);
      at += isRigid ? 12 : 3 * s.corners;
    }
    for (const offset of rigid) {
      for (const local of [[0, 0, 0], [size, 0, 0], [0, size, 0]]) {
        const place = (y) => {
          const v = moving(y);
          return [0, 1, 2].map((i) => v[offset + i] + v[offset + 3 + 3 * i] * local[0] + v[offset + 4 + 3 * i] * local[1] + v[offset + 5 + 3 * i] * local[2]);
        };
        if (this.slopes(place, this.places()).flat().some((x) => Math.abs(x) > 1e-6)) return { place };
      }
    }
    for (const offset of traces) {
      const place = (y) => moving(y).slice(offset, offset + 3);
      if (this.slopes(place, this.places()).flat().some((x) => Math.abs(x) > 1e-6)) return { place };
    }
    return null;
  }

  /** Ways to move the start: one per coordinate, three per rotation. */
  places() {
    const ways = [];
    for (let i = 0; i < this.first; ++i) if (this.about.state[i].kind !== "quaternion") ways.push((y, h) => (y[i] += h));
    for (const r of this.about.rotations) {
      for (let k = 0; k < 3; ++k) {
        ways.push((y, h) => {
          const v = [0, 0, 0];
          v[k] = h;
          y.set(quaternionProduct([...y.slice(r.at, r.at + 4)], quaternionOfVector(v)), r.at);
        });
      }
    }
    return ways;
  }
  speeds() {
    return Array.from({ length: this.n - this.first }, (_, a) => (y, h) => (y[this.first + a] += h));
  }
  /** ∂f/∂(ways) at the start, a row for each component of f. */
  slopes(f, ways) {
    const now = f(this.start), columns = ways.map((way) => {
      const y = Float64Array.from(this.start), h = 1e-6;
      way(y, h);
      return f(y).map((v, i) => (v - now[i]) / h);
    });
    return now.map((_, i) => columns.map((c) => c[i]));
  }
  /** Moves the start so that f changes by d, as little as possible. */
  pull(f, ways, d) {
    const step = leastNorm(this.slopes(f, ways), d);
    if (!step || !step.every(Number.isFinite)) return;
    ways.forEach((way, k) => way(this.start, step[k]));
  }
  /** The velocity of a point. */
  velocityOf(place) {
    return (y) => {
      const rates = this.code.rhs(0, y, this.params), h = 1e-6;
      const there = place(Float64Array.from(y, (x, i) => x + h * rates[i])), here = place(Float64Array.from(y, (x, i) => x - h * rates[i]));
      return there.map((x, i) => (x - here[i]) / (2 * h));
    };
  }

  // ------------------------------------------------------------------------------------------------- section
  /** Points where one quantity of the state goes upwards through a level, found in slices: {x, y} of two others. */
  section({ index, level, period, xIndex, yIndex, most = 600, mostTime = Infinity }) {
    const stepper = this.stepper({ ...this.params }, 1e-9);
    const points = { x: [], y: [], done: false, t: 0 }, here = new Float64Array(this.n);
    const wrap = (v) => v - period * Math.round(v / period);
    const g = (y) => (period ? wrap(y[index] - level) : y[index] - level);
    stepper.start(0, this.start);
    points.slice = (milliseconds) => {
      const end = performance.now() + milliseconds;
      while (!points.done) {
        if (performance.now() > end) return false;
        const before = g(stepper.y), from = stepper.t;
        if (!stepper.step(from + 1e6) || !Number.isFinite(stepper.y[0])) { points.done = true; break; }
        const pieces = 4;  // a long step may cross more than once
        for (let k = 1, last = before, lastT = from; k <= pieces; ++k) {
          const t = from + ((stepper.t - from) * k) / pieces;
          stepper.at(t, here);
          const now = g(here);
          if (last < 0 && now >= 0 && (!period || now - last < period / 2)) {
            let a = lastT, b = t;
            for (let n = 0; n < 45; ++n) {
              const m = (a + b) / 2;
              stepper.at(m, here);
              if (g(here) < 0) a = m; else b = m;
            }
            stepper.at(b, here);
            points.x.push(here[xIndex]);
            points.y.push(here[yIndex]);
          }
          last = now;
          lastT = t;
        }
        points.t = stepper.t;
        if (points.x.length >= most || stepper.t > mostTime) points.done = true;
      }
      return true;
    };
    return points;
  }
}

/** Where a slider goes from and to. */
function rangeOf(value, kind) {
  const size = Math.abs(value);
  if (kind === "positive") return { low: value > 0 ? value / 20 : 0.05, high: value > 0 ? 3 * value : 3 };
  if (kind === "angle") return { low: Math.min(-Math.PI, value), high: Math.max(Math.PI, value) };
  const reach = kind === "speed" || kind === "line" ? Math.max(2.5 * size, 2) : size ? 2 * size : 1;
  return { low: -reach, high: reach };
}

/** B = Rz(a) Ry(b) Rx(c), as the command line takes it. */
function attitudeText(q) {
  const [X, Y, Z] = columns(q), b = -Math.asin(Math.max(-1, Math.min(1, X[2])));
  return `Rz(${numberText(Math.atan2(X[1], X[0]))})*Ry(${numberText(b)})*Rx(${numberText(Math.atan2(Y[2], Z[2]))})`;
}

/** The zero s > 0 of a function that is negative near 0, to a relative accuracy: chords, and halves where those are slow. */
function zeroAbove(f, accuracy) {
  let a = 0, b = 1, fa = f(0), fb = f(1);
  while (fb < 0 && b < 1e6) [a, fa, b, fb] = [b, fb, 2 * b, f(2 * b)];
  for (let n = 0; n < 60 && b - a > accuracy * b; ++n) {
    const chord = b - (fb * (b - a)) / (fb - fa), tooNear = 0.3 * accuracy * b;
    const s = n % 3 === 2 || !Number.isFinite(chord) ? (a + b) / 2 : Math.min(Math.max(chord, a + tooNear), b - tooNear);
    const value = f(s);
    if (value < 0) [a, fa] = [s, value]; else [b, fb] = [s, value];
  }
  return b;
}

/** A length that makes no sense becomes a thin one. */
function drawable(sizes, rigid) {
  if (!rigid) return sizes;
  const largest = Math.max(...sizes.filter(Number.isFinite), 0) || 0.1;
  return sizes.map((s) => (Number.isFinite(s) && s > 0.02 * largest ? s : 0.02 * largest));
}

/** Amplitudes of the harmonics k/T: mean removed, Hann's window; as view/film/figures. */
function amplitudes(values, count) {
  const n = values.length - 1, mean = values.slice(0, n).reduce((a, b) => a + b, 0) / n;
  const cosines = new Float64Array(n), sines = new Float64Array(n), windowed = new Float64Array(n);
  for (let i = 0; i < n; ++i) {
    cosines[i] = Math.cos((2 * Math.PI * i) / n);
    sines[i] = Math.sin((2 * Math.PI * i) / n);
    windowed[i] = (values[i] - mean) * (1 - cosines[i]);
  }
  const out = [];
  for (let k = 0; k < count; ++k) {
    let re = 0, im = 0;
    for (let i = 0, phase = 0; i < n; ++i, phase = (phase + k) % n) {
      re += windowed[i] * cosines[phase];
      im += windowed[i] * sines[phase];
    }
    out.push((2 * Math.hypot(re, im)) / n);
  }
  return out;
}
