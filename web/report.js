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
function animation(player) {
  const canvas = document.getElementById("stage");
  if (!canvas || !data.film.scene) return null;
  const stage = new Stage(canvas, data.film.scene, data.film.t);
  wireStage(stage, player);
  return stage;
}

function plots(player) {
  const series = data.film.series;
  const resolve = (s) => ({ ...s, x: typeof s.x === "string" ? series[s.x] : s.x, y: typeof s.y === "string" ? series[s.y] : s.y });
  const drawn = data.film.plots.map((plot, k) => {
    const figure = document.querySelector(`[data-plot="${k}"]`);
    return figure && new Plot(figure, { ...plot, series: plot.series.map(resolve), marks: data.film.marks }, (t) => player.seek(t));
  });
  player.listeners.push((time) => {
    const at = frameAt(window.rattleback && rattleback.laboratory && rattleback.laboratory.film ? rattleback.laboratory.film.t : data.film.t, time);
    for (const plot of drawn) if (plot) plot.show(time, at);
  });
  return drawn;
}

/** Sliders, and a start that can be dragged, where the page has the motion as a program. */
function liveliness(player, stage, drawn) {
  const about = document.getElementById("live-data"), panel = document.getElementById("live");
  if (!about || !panel || typeof liveCode === "undefined") return null;
  const motion = new LiveMotion(JSON.parse(about.textContent), liveCode);
  const laboratory = new Laboratory({ motion, film: data.film, player, stage, drawn, panel, plotsBox: document.querySelector("#run .plots") });
  const follow = () => location.hash.includes("=") && laboratory.follow(location.hash);
  window.addEventListener("hashchange", follow);
  follow();
  return laboratory;
}

unfolding();
typeset(document);
if (data.film) unitsOfFilm = data.film.units || {};
for (const e of document.querySelectorAll("[data-name]")) e.textContent = (e.closest(".legend") ? withUnit : pretty)(e.textContent);
if (data.film) {
  const player = new Player(data.film.t[0], data.film.t[data.film.t.length - 1]);
  const stage = animation(player);
  wireControls(player);
  const drawn = plots(player);
  const rate = document.getElementById("rate");
  player.rate = suitableRate(player.last - player.first);
  if (rate) rate.value = String(player.rate);
  new Phases(player).show(data.film);
  player.seek(player.first);
  window.rattleback = { player, stage };
  window.rattleback.laboratory = liveliness(player, stage, drawn);
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
