// The mechanism, drawn on a canvas: shapes with computed poses, a camera, painter's order. No dependencies.
"use strict";

const Vec = {
  add: (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
  sub: (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
  scale: (a, k) => [a[0] * k, a[1] * k, a[2] * k],
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  length: (a) => Math.hypot(a[0], a[1], a[2]),
  unit: (a) => Vec.scale(a, 1 / (Vec.length(a) || 1)),
  mix: (a, b, w) => a.map((x, i) => x + (b[i] - x) * w),
};

/** The rotation matrix of a quaternion (w, x, y, z), as three columns. */
function columns([w, x, y, z]) {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}

// ---------------------------------------------------------------------------------------------------------- meshes
// A mesh is a list of faces {points, tint}: points in the shape's own axes, counter-clockwise seen from outside.

/** Latitude and longitude on the unit sphere, mapped by `place`; octants alternate so that a rotation is seen. */
function roundMesh(place, bands = 12) {
  const around = 2 * bands, faces = [];
  const at = (i, j) => {
    const u = (Math.PI * i) / bands, v = (2 * Math.PI * j) / around;
    return place([Math.sin(u) * Math.cos(v), Math.sin(u) * Math.sin(v), Math.cos(u)]);
  };
  for (let i = 0; i < bands; ++i) {
    for (let j = 0; j < around; ++j) {
      const points = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      const tint = (i < bands / 2) === (Math.floor((4 * j) / around) % 2 === 0) ? 0 : 1;
      faces.push({ points: i === 0 ? points.slice(0, 3) : i === bands - 1 ? [points[0], points[1], points[3]] : points, tint });
    }
  }
  return faces;
}

/** A thin cylinder about an axis, with sectors that show how it rolls. */
function diskMesh(radius, axis, thickness) {
  const e = Vec.unit(axis);
  const a = Vec.unit(Vec.cross(Math.abs(e[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], e)), b = Vec.cross(e, a);
  const n = 48, faces = [];
  const rim = (k, side) => Vec.add(Vec.scale(e, (side * thickness) / 2), Vec.add(
    Vec.scale(a, radius * Math.cos((2 * Math.PI * k) / n)), Vec.scale(b, radius * Math.sin((2 * Math.PI * k) / n))));
  for (let k = 0; k < n; ++k) {
    const tint = Math.floor((8 * k) / n) % 2;
    for (const side of [1, -1]) {
      const centre = Vec.scale(e, (side * thickness) / 2), p = rim(k, side), q = rim(k + 1, side);
      faces.push({ points: side > 0 ? [centre, p, q] : [centre, q, p], tint });
    }
    faces.push({ points: [rim(k, -1), rim(k + 1, -1), rim(k + 1, 1), rim(k, 1)], tint: 2 });
  }
  return faces;
}

function boxMesh([lx, ly, lz], frontTint = 1) {
  const p = (i, j, k) => [(i * lx) / 2, (j * ly) / 2, (k * lz) / 2];
  return [
    { points: [p(1, -1, -1), p(1, 1, -1), p(1, 1, 1), p(1, -1, 1)], tint: frontTint },
    { points: [p(-1, -1, -1), p(-1, -1, 1), p(-1, 1, 1), p(-1, 1, -1)], tint: 0 },
    { points: [p(-1, 1, -1), p(-1, 1, 1), p(1, 1, 1), p(1, 1, -1)], tint: 0 },
    { points: [p(-1, -1, -1), p(1, -1, -1), p(1, -1, 1), p(-1, -1, 1)], tint: 0 },
    { points: [p(-1, -1, 1), p(1, -1, 1), p(1, 1, 1), p(-1, 1, 1)], tint: 0 },
    { points: [p(-1, -1, -1), p(-1, 1, -1), p(1, 1, -1), p(1, -1, -1)], tint: 0 },
  ];
}

function meshOf(shape, above = false) {
  const s = shape.sizes;
  switch (shape.kind) {
    case "sphere": return roundMesh((p) => Vec.scale(p, s[0]));
    case "ellipsoid": return roundMesh((p) => [p[0] * s[0], p[1] * s[1], p[2] * s[2]], 14);
    case "surface": return gridMesh(shape.mesh, shape.bands);
    case "disk": return diskMesh(s[0], shape.axis, (above ? 0.3 : 0.07) * s[0]);  // from above, a wheel is a tyre
    case "box": return boxMesh(s);
    case "blade": return boxMesh([s[0], 0.05 * s[0], 0.16 * s[0]], 0);
    default: return [];
  }
}

/** The vertices of a surface that the program has sampled, row by row from pole to pole. */
function gridMesh(vertices, bands) {
  const around = 2 * bands, faces = [];
  const at = (i, j) => vertices.slice(3 * (i * around + (j % around)), 3 * (i * around + (j % around)) + 3);
  for (let i = 0; i < bands; ++i) {
    for (let j = 0; j < around; ++j) {
      const tint = (i < bands / 2) === (Math.floor((4 * j) / around) % 2 === 0) ? 0 : 1;
      faces.push({ points: [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], tint });
    }
  }
  return faces;
}

/** The outline of points in the plane, counter-clockwise. */
function convexHull(points) {
  const sorted = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && turn(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
      out.push(p);
    }
    out.pop();
    return out;
  };
  return sorted.length < 3 ? sorted : half(sorted).concat(half(sorted.reverse()));
}

// ---------------------------------------------------------------------------------------------------------- camera

class Camera {
  constructor(above) {
    this.above = above;
    this.reset();
  }
  reset() {
    this.azimuth = this.above ? -Math.PI / 2 : -0.95;
    this.elevation = this.above ? Math.PI / 2 : 0.42;
    this.zoom = 1;
    this.turn();
  }
  turn() {
    const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth);
    const ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
    this.right = [-sa, ca, 0];
    this.up = [-se * ca, -se * sa, ce];
    this.toward = [ce * ca, ce * sa, se];
  }
  /** Looks at `target`; a sphere of this radius fills the picture. */
  aim(target, radius, width, height) {
    this.turn();
    this.target = target;
    this.centre = [width / 2, height / 2];
    this.scale = (0.6 * Math.min(width, height * 1.25) * this.zoom) / radius;
    this.distance = this.above ? Infinity : (6 * radius) / this.zoom;
  }
  /** Half the sides of the rectangle about `middle` in which these balls are seen from here; nearer ones are larger. */
  halfSides(balls, middle, extent) {
    const near = (v) => 1 / (1 - Math.min(Vec.dot(v, this.toward) / (6 * extent), 0.5));
    let x = 0, y = 0;
    for (const [p, r] of balls) {
      const v = Vec.sub(p, middle), k = this.above ? 1 : near(v);
      x = Math.max(x, k * (Math.abs(Vec.dot(v, this.right)) + r));
      y = Math.max(y, k * (Math.abs(Vec.dot(v, this.up)) + r));
    }
    return [x, y];
  }
  /** Of the sphere to aim at, so that a rectangle with these half sides fits. */
  radiusOf([x, y], width, height) {
    return 0.6 * Math.min(width, height * 1.25) * Math.max(x / (0.46 * width), y / (0.45 * height));
  }
  /** The point under a pixel in the plane through `point` with this normal; null when the plane is seen from its edge. */
  unproject(x, y, point, normal) {
    const flat = Vec.add(this.target, Vec.add(
      Vec.scale(this.right, (x - this.centre[0]) / this.scale), Vec.scale(this.up, (this.centre[1] - y) / this.scale)));
    const eye = this.above ? Vec.add(flat, this.toward) : Vec.add(this.target, Vec.scale(this.toward, this.distance));
    const ray = Vec.sub(flat, eye), fall = Vec.dot(ray, normal);
    if (Math.abs(fall) < 0.05 * Vec.length(ray)) return null;
    return Vec.add(eye, Vec.scale(ray, Vec.dot(Vec.sub(point, eye), normal) / fall));
  }
  /** Pixels right and down, and the depth: larger is nearer. */
  project(p) {
    const v = Vec.sub(p, this.target), depth = Vec.dot(v, this.toward);
    const k = this.scale / Math.max(1 - depth / this.distance, 0.05);
    return [this.centre[0] + k * Vec.dot(v, this.right), this.centre[1] - k * Vec.dot(v, this.up), depth];
  }
  /** Is the outer side of this face turned to the eye? */
  sees(point, normal) {
    if (this.above) return Vec.dot(normal, this.toward) > 0;
    const eye = Vec.add(this.target, Vec.scale(this.toward, this.distance));
    return Vec.dot(Vec.sub(eye, point), normal) > 0;
  }
}

// ---------------------------------------------------------------------------------------------------------- stage

const light = Vec.unit([0.35, -0.5, 0.8]);
/** A net that moves with a body, or a line of one that rests. */
const isThin = (shape) => shape.kind === "net" || (shape.kind === "line" && shape.sizes.length === 1);

/** Frame number and fraction at a time, in an increasing list of times. */
function frameAt(t, time) {
  if (t.length < 2 || time <= t[0]) return [0, 0];
  if (time >= t[t.length - 1]) return [t.length - 2, 1];
  let low = 0, high = t.length - 1;
  while (high - low > 1) {
    const mid = (low + high) >> 1;
    if (t[mid] <= time) low = mid; else high = mid;
  }
  return [low, (time - t[low]) / (t[low + 1] - t[low])];
}

class Stage {
  constructor(canvas, scene, times) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.camera = new Camera(scene.above);
    this.handles = [];  // {id, at, from?}: points a reader may drag; see onHandle
    this.show(scene, times);
    this.follow = this.extent > 7 * this.size && this.extent > 2 * this.spread && !this.pointlike() && !this.shapes.some(isThin);
    this.colours();
    this.listen();
  }

  /** Another film of the same mechanism; the view stays when it is asked to. */
  show(scene, times, keepView = false) {
    const same = (a, b) => a && a.kind === b.kind && String(a.sizes) === String(b.sizes) && String(a.mesh || "") === String(b.mesh || "");
    const before = this.shapes || [];
    this.scene = scene;
    this.times = times;
    this.shapes = scene.shapes.map((shape, k) => ({ ...shape, faces: same(before[k], shape) ? before[k].faces : meshOf(shape, scene.above) }));
    if (!keepView) this.measure();
  }

  /** The colours of the page, so that dark and light agree with it. */
  colours() {
    const style = getComputedStyle(this.canvas);
    const read = (name) => style.getPropertyValue(name).trim();
    this.palette = {};
    for (const name of ["blue", "orange", "green", "red", "violet", "gold", "grey"]) {
      this.palette[name] = rgb(read(`--${name}`));
    }
    this.ink = rgb(read("--ink"));
    this.paper = rgb(read("--stage"));
    this.dark = this.paper[0] + this.paper[1] + this.paper[2] < 380;
  }

  /** How large the shapes are, and how far they travel. */
  measure() {
    let low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    this.size = 0;
    const balls = [];
    const reach = (p, r) => {
      balls.push([p, r]);
      low = low.map((x, i) => Math.min(x, p[i] - r));
      high = high.map((x, i) => Math.max(x, p[i] + r));
    };
    for (const shape of this.shapes) {
      let r = 0;
      for (const face of shape.faces) for (const p of face.points) r = Math.max(r, Vec.length(p));
      if (shape.kind === "axes") r = shape.sizes[0];
      shape.reach = r;
      this.size = Math.max(this.size, r);
      if (shape.kind === "net") {
        for (const p of this.netCorners(shape, 12)) reach(p, 0);
        continue;
      }
      const track = shape.pose || shape.points || [];
      const step = shape.pose ? 7 : 3;
      for (let i = 0; i + 2 < track.length; i += step) reach(track.slice(i, i + 3), shape.kind === "trace" ? 0 : r);
      if (shape.kind === "line" && !isThin(shape)) this.size = Math.max(this.size, this.lineSize(shape));
    }
    if (!(low[0] <= high[0])) [low, high] = [[-1, -1, -1], [1, 1, 1]];
    this.middle = Vec.scale(Vec.add(low, high), 0.5);
    this.extent = Math.max(Vec.length(Vec.sub(high, low)) / 2, 1e-9);
    this.half = this.camera.halfSides(balls, this.middle, this.extent);
    this.size = this.size || this.extent / 4;
    this.spread = this.spreadOf(this.shapes.filter((s) => s.kind !== "net" && s.pose && s.pose.length > 7));
  }
  /** How far moving shapes reach from their common middle, at any time: what a view that follows them has to show. */
  spreadOf(moving) {
    let most = 0;
    for (let k = 0; moving.length && k <= 24; ++k) {
      const time = this.times[0] + (k / 24) * (this.times[this.times.length - 1] - this.times[0]);
      const centres = moving.map((shape) => this.pose(shape, time).at), middle = Vec.scale(centres.reduce(Vec.add), 1 / centres.length);
      moving.forEach((shape, i) => (most = Math.max(most, Vec.length(Vec.sub(centres[i], middle)) + shape.reach)));
    }
    return most;
  }
  /** Nothing but points: small balls that never turn. They are seen by their paths. */
  pointlike() {
    const turns = (pose) => pose.some((x, i) => i % 7 > 2 && x !== pose[i % 7]);
    return this.shapes.every((s) => s.kind === "trace" || s.kind === "line" || s.kind === "net" || (s.kind === "sphere" && !turns(s.pose)));
  }
  /** The corners of a net at some times of the film. */
  netCorners(shape, times) {
    const frames = shape.pose.length / 7, step = Math.max(1, Math.ceil(frames / times)), all = [];
    for (let k = 0; k < frames; k += step) all.push(...this.netLines(shape, this.times[k]).flat());
    return all;
  }
  /** The lines of a net at a time. */
  netLines(shape, time) {
    const { at, axes } = this.pose(shape, time), { points, corners } = shape, lines = [];
    for (let k = 0; 3 * k < points.length; ++k) {
      if (k % corners === 0) lines.push([]);
      const [x, y, z] = [points[3 * k], points[3 * k + 1], points[3 * k + 2]];
      lines[lines.length - 1].push([0, 1, 2].map((i) => at[i] + axes[0][i] * x + axes[1][i] * y + axes[2][i] * z));
    }
    return lines;
  }
  lineSize(shape) {
    const n = shape.corners;
    let longest = 0;
    for (let k = 1; k < n; ++k) {
      longest = Math.max(longest, Vec.length(Vec.sub(shape.points.slice(3 * k, 3 * k + 3), shape.points.slice(0, 3))) / 2);
    }
    return longest;
  }

  frame(time) {
    return frameAt(this.times, time);
  }

  pose(shape, time) {
    const [i, w] = shape.pose.length === 7 ? [0, 0] : this.frame(time);
    const p = shape.pose.slice(7 * i, 7 * i + 7);
    if (w === 0) return { at: p.slice(0, 3), axes: columns(p.slice(3)) };
    const q = shape.pose.slice(7 * i + 7, 7 * i + 14), mixed = Vec.mix(p, q, w);
    const norm = Math.hypot(...mixed.slice(3));
    return { at: mixed.slice(0, 3), axes: columns(mixed.slice(3).map((x) => x / norm)) };
  }

  /** The corners of a line at a time. */
  corners(shape, time) {
    const n = 3 * shape.corners, fixed = shape.points.length === n;
    const [i, w] = fixed ? [0, 0] : this.frame(time);
    const a = shape.points.slice(n * i, n * i + n);
    const flat = w === 0 ? a : Vec.mix(a, shape.points.slice(n * i + n, n * i + 2 * n), w);
    return Array.from({ length: shape.corners }, (_, k) => flat.slice(3 * k, 3 * k + 3));
  }

  /** Where the camera looks: the middle of everything, or the moving shapes. */
  target(time) {
    if (this.frozen) return this.frozen;
    if (!this.follow) return this.middle;
    const centres = [];
    for (const shape of this.shapes) {
      if (shape.kind !== "net" && shape.pose && shape.pose.length > 7) centres.push(this.pose(shape, time).at);
    }
    if (!centres.length) {
      for (const shape of this.shapes) if (shape.kind === "trace") centres.push(this.corners({ ...shape, corners: 1 }, time)[0]);
    }
    return centres.length ? Vec.scale(centres.reduce(Vec.add), 1 / centres.length) : this.middle;
  }

  draw(time) {
    this.time = time;
    const ratio = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const g = this.context;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    const whole = this.camera.radiusOf(this.half, width, height);
    const radius = this.follow ? Math.max(3.2 * this.size, 1.3 * this.spread, 1e-6) : Math.max(whole, 1e-9);
    this.camera.aim(this.target(time), radius, width, height);
    this.drawn = [];
    if (this.scene.ground) this.drawGround(radius);
    const solids = this.shapes.filter((s) => s.faces.length).map((s) => this.solid(s, time));
    if (this.scene.ground) for (const solid of solids) this.drawShadow(solid);
    for (const shape of this.shapes) if (shape.kind === "trace") this.drawTrace(shape, time);
    for (const solid of solids) this.collect(solid);
    for (const shape of this.shapes) {
      if (shape.kind === "line") this.collectLine(this.corners(shape, time), this.palette[shape.color], isThin(shape) ? 0 : 3);
      if (shape.kind === "net") for (const line of this.netLines(shape, time)) this.collectLine(line, this.palette[shape.color], 0);
      if (shape.kind === "axes") this.collectAxes(shape, time);
    }
    this.drawn.sort((a, b) => a.depth - b.depth);
    for (const item of this.drawn) item.draw(g);
    if (this.cloudAt) this.drawCloud(g, this.cloudAt(time));
    for (const handle of this.handles) this.drawHandle(handle);
  }

  /** The places of many motions, as dots. */
  drawCloud(g, places) {
    g.fillStyle = css(this.palette.orange, 0.75);
    for (const p of places) {
      const [x, y] = this.camera.project(p);
      g.fillRect(x - 1, y - 1, 2, 2);
    }
  }

  /** A ring where something can be taken hold of; with an arrow when it is the tip of one. */
  drawHandle(handle) {
    const g = this.context, [x, y] = this.handlePixel(handle), held = this.held === handle.id;
    const begun = !held && this.time > this.times[0];  // the body has left its start
    g.lineWidth = held ? 3 : begun ? 1.4 : 2;
    g.strokeStyle = css(this.ink, held ? 1 : begun ? 0.4 : 0.75);
    g.fillStyle = css(this.paper, 0.85);
    if (handle.from) {
      const [u, v] = this.camera.project(handle.from), angle = Math.atan2(y - v, x - u);
      g.beginPath();
      g.moveTo(u, v);
      g.lineTo(x, y);
      g.stroke();
      g.beginPath();
      for (const turn of [2.55, 0, -2.55]) g.lineTo(x + (turn ? 10 : 7) * Math.cos(angle + turn), y + (turn ? 10 : 7) * Math.sin(angle + turn));
      g.closePath();
    } else {
      g.beginPath();
      g.arc(x, y, held ? 8 : 6.5, 0, 2 * Math.PI);
    }
    g.fill();
    g.stroke();
  }
  /** The tip of a short arrow stands beside its foot, so that both can be taken. */
  handlePixel(handle) {
    const p = this.camera.project(handle.at);
    if (!handle.from) return p;
    const q = this.camera.project(handle.from), away = Math.hypot(p[0] - q[0], p[1] - q[1]);
    if (away >= 26) return p;
    const angle = away > 0.5 ? Math.atan2(p[1] - q[1], p[0] - q[0]) : -Math.PI / 4;
    return [q[0] + 26 * Math.cos(angle), q[1] + 26 * Math.sin(angle), p[2]];
  }
  handleUnder(e) {
    const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
    const near = this.handles.map((h) => ({ h, p: this.handlePixel(h) })).filter(({ p }) => Math.hypot(p[0] - x, p[1] - y) < (e.pointerType === "touch" ? 24 : 14));
    near.sort((a, b) => Math.hypot(a.p[0] - x, a.p[1] - y) - Math.hypot(b.p[0] - x, b.p[1] - y));
    return near.length ? near[0] : null;
  }
  /** Where the pointer is, in the ground plane's direction or that of the screen. */
  pointUnder(e, point, offset) {
    const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left + offset[0], y = e.clientY - box.top + offset[1];
    const level = this.scene.ground && !this.scene.above && this.camera.elevation > 0.15 ? [0, 0, 1] : this.camera.toward;
    return this.camera.unproject(x, y, point, level);
  }

  solid(shape, time) {
    const { at, axes } = this.pose(shape, time);
    const place = (p) => [0, 1, 2].map((i) => at[i] + axes[0][i] * p[0] + axes[1][i] * p[1] + axes[2][i] * p[2]);
    return { shape, at, axes, faces: shape.faces.map((f) => ({ tint: f.tint, points: f.points.map(place) })) };
  }

  /** Lines that fade with their distance from the middle, piece by piece; pieces of about the same strength are drawn at once. */
  drawGround(radius) {
    const g = this.context, camera = this.camera, { target } = camera;
    const step = niceStep(radius / 3), reach = 8, levels = 12, paths = Array.from({ length: levels }, () => null);
    const cx = Math.round(target[0] / step), cy = Math.round(target[1] / step), point = [0, 0, 0];
    g.lineWidth = 1;
    for (const across of [0, 1]) {
      const fixed = across ? cy : cx, along = across ? cx : cy, from = target[across], other = target[1 - across];
      for (let k = -reach; k <= reach; ++k) {
        point[across] = (fixed + k) * step;
        let before = null;
        for (let piece = -reach; piece <= reach; ++piece) {
          point[1 - across] = (along + piece) * step;
          const away = Math.hypot(point[across] - from, point[1 - across] - step / 2 - other) / (reach * step);
          const level = Math.floor(levels * Math.max(0, 1 - away * away)), q = level ? camera.project(point) : null;
          if (q && !before) before = camera.project(across ? [point[0] - step, point[1], 0] : [point[0], point[1] - step, 0]);
          if (q && piece > -reach) {
            const path = paths[level - 1] || (paths[level - 1] = new Path2D());
            path.moveTo(before[0], before[1]);
            path.lineTo(q[0], q[1]);
          }
          before = q;
        }
      }
    }
    paths.forEach((path, level) => {
      if (!path) return;
      g.strokeStyle = css(this.ink, (0.16 * (level + 1.5)) / levels);
      g.stroke(path);
    });
  }

  drawShadow(solid) {
    const points = [];
    for (const face of solid.faces) {
      for (const p of face.points) {
        if (p[2] < -1e-3 * this.size) continue;
        const k = this.camera.above ? 0 : 0.35 * p[2];
        points.push([p[0] - k * light[0], p[1] - k * light[1]]);
      }
    }
    const hull = convexHull(points);
    if (hull.length < 3) return;
    const g = this.context;
    g.fillStyle = this.dark ? "rgba(0,0,0,0.38)" : "rgba(30,30,50,0.13)";
    g.beginPath();
    hull.forEach((p, k) => {
      const q = this.camera.project([p[0], p[1], 0]);
      if (k === 0) g.moveTo(q[0], q[1]); else g.lineTo(q[0], q[1]);
    });
    g.closePath();
    g.fill();
  }

  collect(solid) {
    const base = this.palette[solid.shape.color];
    const tints = [base, blend(base, this.dark ? [0, 0, 0] : [255, 255, 255], this.dark ? 0.42 : 0.55), blend(base, [20, 20, 30], 0.35)];
    for (const face of solid.faces) {
      const [a, b, c] = face.points, last = face.points[face.points.length - 1];
      const normal = Vec.unit(Vec.cross(Vec.sub(b, a), Vec.sub(face.points.length > 3 ? last : c, a)));
      if (!this.camera.sees(a, normal)) continue;
      const projected = face.points.map((p) => this.camera.project(p));
      const depth = projected.reduce((sum, p) => sum + p[2], 0) / projected.length;
      const shade = 0.62 + 0.38 * Math.max(0, Vec.dot(normal, light)) + 0.06 * normal[2];
      const colour = css(tints[face.tint].map((v) => Math.min(255, v * shade)), 1);
      this.drawn.push({
        depth,
        draw: (g) => {
          g.fillStyle = g.strokeStyle = colour;
          g.lineWidth = 0.7;
          g.beginPath();
          projected.forEach((p, k) => (k ? g.lineTo(p[0], p[1]) : g.moveTo(p[0], p[1])));
          g.closePath();
          g.fill();
          g.stroke();
        },
      });
    }
    if (["sphere", "ellipsoid"].includes(solid.shape.kind)) this.collectMarks(solid);
  }

  /** The ends of a ball's axes, as dots on its surface: red, green, blue. */
  collectMarks(solid) {
    const names = ["red", "green", "violet"], s = solid.shape.sizes;
    for (let k = 0; k < 3; ++k) {
      const r = s[solid.shape.kind === "sphere" ? 0 : k], small = 0.07 * Math.min(...s);
      for (const sign of [1, -1]) {
        const e = Vec.scale(solid.axes[k], sign), p = Vec.add(solid.at, Vec.scale(e, r));
        if (!this.camera.sees(p, e)) continue;
        const u = Vec.scale(solid.axes[(k + 1) % 3], small), v = Vec.scale(solid.axes[(k + 2) % 3], small);
        const ring = Array.from({ length: 16 }, (_, i) => this.camera.project(Vec.add(p, Vec.add(
          Vec.scale(u, Math.cos((Math.PI * i) / 8)), Vec.scale(v, Math.sin((Math.PI * i) / 8))))));
        const colour = css(this.palette[names[k]], 1), filled = sign > 0;
        this.drawn.push({
          depth: ring[0][2] + 0.05 * r,
          draw: (g) => {
            g.beginPath();
            ring.forEach((q, i) => (i ? g.lineTo(q[0], q[1]) : g.moveTo(q[0], q[1])));
            g.closePath();
            g.lineWidth = 1.5;
            if (filled) { g.fillStyle = colour; g.fill(); } else { g.strokeStyle = colour; g.stroke(); }
          },
        });
      }
    }
  }

  /** Of no width: a hair, and faint, before and behind everything. */
  collectLine(points, colour, width) {
    for (let k = 1; k < points.length; ++k) {
      const p = this.camera.project(points[k - 1]), q = this.camera.project(points[k]);
      this.drawn.push({
        depth: (p[2] + q[2]) / 2 + 0.02 * this.size,
        draw: (g) => {
          g.strokeStyle = css(colour, width ? 1 : 0.45);
          g.lineWidth = width || 0.8;
          g.lineCap = width ? "round" : "butt";
          g.beginPath();
          g.moveTo(p[0], p[1]);
          g.lineTo(q[0], q[1]);
          g.stroke();
        },
      });
    }
  }

  collectAxes(shape, time) {
    const { at, axes } = this.pose(shape, time);
    ["red", "green", "blue"].forEach((name, k) => {
      this.collectLine([at, Vec.add(at, Vec.scale(axes[k], shape.sizes[0]))], this.palette[name], 3);
    });
  }

  /** The whole path faintly, what has been travelled clearly. */
  drawTrace(shape, time) {
    const g = this.context, n = shape.points.length / 3, [i, w] = this.frame(time);
    const corner = [0, 0, 0], path = (count, extra) => {
      g.beginPath();
      for (let k = 0; k < count; ++k) {
        for (let j = 0; j < 3; ++j) corner[j] = shape.points[3 * k + j];
        const p = this.camera.project(corner);
        if (k) g.lineTo(p[0], p[1]); else g.moveTo(p[0], p[1]);
      }
      if (extra) {
        const p = this.camera.project(extra);
        g.lineTo(p[0], p[1]);
      }
      g.stroke();
    };
    g.lineJoin = g.lineCap = "round";
    g.strokeStyle = css(this.palette[shape.color], 0.22);
    g.lineWidth = 1.2;
    path(n);
    g.strokeStyle = css(this.palette[shape.color], 0.9);
    g.lineWidth = 1.8;
    const last = Math.min(i + 1, n - 1);
    const here = Vec.mix(shape.points.slice(3 * i, 3 * i + 3), shape.points.slice(3 * last, 3 * last + 3), w);
    path(i + 1, here);
    const [x, y, depth] = this.camera.project(here), colour = css(this.palette[shape.color], 1);
    this.drawn.push({
      depth,
      draw: (g) => {
        g.fillStyle = colour;
        g.beginPath();
        g.arc(x, y, 3.5, 0, 2 * Math.PI);
        g.fill();
      },
    });
  }

  /** Drag to turn (or, seen from above, to look elsewhere), wheel or pinch to zoom. */
  listen() {
    const fingers = new Map();
    let spread = 0;
    let dragged = null;
    this.canvas.addEventListener("pointerdown", (e) => {
      const taken = fingers.size === 0 && this.onHandle ? this.handleUnder(e) : null;
      if (taken) {
        const box = this.canvas.getBoundingClientRect(), p = this.camera.project(taken.h.at);
        dragged = { id: taken.h.id, pointer: e.pointerId, point: taken.h.at, offset: [p[0] - (e.clientX - box.left), p[1] - (e.clientY - box.top)] };
        this.held = taken.h.id;
        this.frozen = this.target(this.times[0]);
        this.canvas.setPointerCapture(e.pointerId);
        this.onHandle(dragged.id, "take", taken.h.at);
        e.preventDefault();
        return;
      }
      fingers.set(e.pointerId, [e.clientX, e.clientY]);
      this.canvas.setPointerCapture(e.pointerId);
    });
    this.canvas.addEventListener("pointermove", (e) => {
      if (dragged && dragged.pointer === e.pointerId) {
        const point = this.pointUnder(e, dragged.point, dragged.offset);
        if (point && point.every(Number.isFinite)) this.onHandle(dragged.id, "move", point);
        return;
      }
      if (!fingers.size) this.canvas.classList.toggle("over-handle", !!this.handles.length && !!this.handleUnder(e));
      const before = fingers.get(e.pointerId);
      if (!before) return;
      fingers.set(e.pointerId, [e.clientX, e.clientY]);
      if (fingers.size === 2) {
        const [a, b] = [...fingers.values()], now = Math.hypot(a[0] - b[0], a[1] - b[1]);
        if (spread) this.zoom(now / spread);
        spread = now;
        return;
      }
      const dx = e.clientX - before[0], dy = e.clientY - before[1];
      this.turn(-0.008 * dx, 0.008 * dy);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      this.canvas.addEventListener(name, (e) => {
        if (dragged && dragged.pointer === e.pointerId) {
          const { id } = dragged;
          dragged = this.held = this.frozen = null;
          this.onHandle(id, "leave");
          return;
        }
        fingers.delete(e.pointerId);
        spread = 0;
      });
    }
    // A finger on a handle drags it and does not scroll the page.
    this.canvas.addEventListener("touchstart", (e) => {
      const t = e.touches[0];
      if (this.onHandle && this.handleUnder({ clientX: t.clientX, clientY: t.clientY, pointerType: "touch" })) e.preventDefault();
    }, { passive: false });
    this.canvas.addEventListener("keydown", (e) => {
      const turn = e.shiftKey && { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[e.key];
      if (turn) this.turn(...turn);
      else if (e.key === "+" || e.key === "-") this.zoom(e.key === "+" ? 1.15 : 1 / 1.15);
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
    this.canvas.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.shiftKey && document.activeElement !== this.canvas) return;
      e.preventDefault();
      this.zoom(Math.exp(-0.0015 * e.deltaY));
    }, { passive: false });
  }
  turn(sideways, up) {
    if (!this.scene.above) {
      this.camera.azimuth += sideways;
      this.camera.elevation = Math.min(1.55, Math.max(-0.2, this.camera.elevation + up));
    }
    this.draw(this.time);
  }
  zoom(factor) {
    this.camera.zoom = Math.min(20, Math.max(0.2, this.camera.zoom * factor));
    this.draw(this.time);
  }
}

function niceStep(size) {
  const power = 10 ** Math.floor(Math.log10(size)), lead = size / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

function rgb(hex) {
  const n = parseInt(hex.replace("#", ""), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}
const css = (c, alpha) => `rgba(${c[0] | 0},${c[1] | 0},${c[2] | 0},${alpha})`;
const blend = (a, b, w) => a.map((x, i) => x + (b[i] - x) * w);
