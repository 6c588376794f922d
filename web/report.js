// Puts the page to work: formulas, the animation with its controls, the plots.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

// ------------------------------------------------------------------------------------------------------- formulas
// Each formula stands in the page as text; KaTeX, when the page has it, sets it. What is folded is set when it unfolds.
function typeset(root) {
  if (typeof katex === "undefined") return;
  for (const e of root.querySelectorAll("[data-tex]:not(.set)")) {
    const folded = e.closest("details:not([open])");
    if (folded && folded !== root) continue;
    try {
      katex.render(e.dataset.tex, e, { displayMode: e.classList.contains("display"), throwOnError: true, strict: false, maxSize: 50, maxExpand: 10000 });
      e.classList.add("set");
    } catch (problem) {
      console.error(`KaTeX: ${problem.message}`);
      e.classList.add("set", "plain");
    }
  }
}

function unfolding() {
  for (const d of document.querySelectorAll("details")) d.addEventListener("toggle", () => d.open && typeset(d));
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details.prints:not([open])")];
    for (const d of folded) d.open = true;
    typeset(document);
  });
  window.addEventListener("afterprint", () => folded.forEach((d) => (d.open = false)));
}

// ------------------------------------------------------------------------------------------------------- animation
class Player {
  constructor(film) {
    this.film = film;
    this.first = film.t[0];
    this.last = film.t[film.t.length - 1];
    this.time = this.first;
    this.rate = 1;
    this.playing = false;
    this.listeners = [];
  }
  seek(time) {
    this.time = Math.min(this.last, Math.max(this.first, time));
    for (const listener of this.listeners) listener(this.time);
  }
  play() {
    if (this.playing) return;
    if (this.time >= this.last) this.seek(this.first);
    this.playing = true;
    let before = null;
    const tick = (now) => {
      if (!this.playing) return;
      if (before !== null) this.seek(this.time + (this.rate * Math.min(now - before, 100)) / 1000);
      before = now;
      if (this.time >= this.last) this.pause(); else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.changed();
  }
  pause() {
    this.playing = false;
    this.changed();
  }
  changed() {
    const button = document.getElementById("play");
    if (!button) return;
    button.setAttribute("aria-label", this.playing ? "pause" : "play");
    button.classList.toggle("playing", this.playing);
  }
}

function animation(player) {
  const canvas = document.getElementById("stage");
  if (!canvas || !data.film.scene) return null;
  const stage = new Stage(canvas, data.film.scene, data.film.t);
  player.listeners.push((time) => stage.draw(time));
  new ResizeObserver(() => stage.draw(player.time)).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    stage.colours();
    stage.draw(player.time);
  });
  const follow = document.getElementById("follow");
  follow.checked = stage.follow;
  follow.addEventListener("change", () => {
    stage.follow = follow.checked;
    stage.draw(player.time);
  });
  document.getElementById("reset").addEventListener("click", () => {
    stage.camera.reset();
    stage.draw(player.time);
  });
  return stage;
}

function controls(player) {
  const scrub = document.getElementById("scrub"), clock = document.getElementById("clock");
  if (!scrub) return;
  const digits = player.last - player.first < 1 ? 3 : player.last - player.first < 100 ? 2 : 1;
  scrub.min = player.first;
  scrub.max = player.last;
  scrub.step = (player.last - player.first) / 2000;
  player.listeners.push((time) => {
    scrub.value = time;
    scrub.style.setProperty("--done", `${(100 * (time - player.first)) / (player.last - player.first)}%`);
    clock.textContent = `t = ${time.toFixed(digits)}`;
  });
  document.getElementById("play").addEventListener("click", () => (player.playing ? player.pause() : player.play()));
  scrub.addEventListener("input", () => player.seek(+scrub.value));
  document.getElementById("rate").addEventListener("change", (e) => (player.rate = +e.target.value));
  document.addEventListener("keydown", (e) => {
    if (e.target.closest("input, select, summary, button, a, textarea")) return;
    if (e.key === " ") player.playing ? player.pause() : player.play();
    else if (e.key === "ArrowRight") player.seek(player.time + (player.last - player.first) / 100);
    else if (e.key === "ArrowLeft") player.seek(player.time - (player.last - player.first) / 100);
    else return;
    e.preventDefault();
  });
}

/** In real time, unless that takes longer than most people look, or is over before they do. */
function suitableRate(span) {
  if (span < 2.5) return span < 0.5 ? 0.1 : 0.25;
  return [1, 2, 4, 8].find((r) => span / r <= 45) || 16;
}

function plots(player, stage) {
  const series = data.film.series;
  const resolve = (s) => ({ ...s, x: typeof s.x === "string" ? series[s.x] : s.x, y: typeof s.y === "string" ? series[s.y] : s.y });
  const drawn = [];
  data.film.plots.forEach((plot, k) => {
    const figure = document.querySelector(`[data-plot="${k}"]`);
    if (figure) drawn.push(new Plot(figure, { ...plot, series: plot.series.map(resolve) }, (t) => player.seek(t)));
  });
  const frame = Stage.prototype.frame.bind({ times: data.film.t });
  player.listeners.push((time) => {
    const at = frame(time);
    for (const plot of drawn) plot.show(time, at);
  });
}

unfolding();
typeset(document);
for (const e of document.querySelectorAll("[data-name]")) e.textContent = pretty(e.textContent);
if (data.film) {
  const player = new Player(data.film);
  const stage = animation(player);
  controls(player);
  plots(player, stage);
  const rate = document.getElementById("rate");
  player.rate = suitableRate(player.last - player.first);
  if (rate) rate.value = String(player.rate);
  player.seek(player.first);
  window.rattleback = { player, stage };
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (stage && !still) {
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((e) => e.isIntersecting)) return;
      seen.disconnect();
      player.play();
    }, { threshold: 0.5 });
    seen.observe(stage.canvas);
  }
}
