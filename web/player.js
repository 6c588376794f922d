// The animation's clock and its controls: play, pause, seek, speed.
"use strict";

class Player {
  constructor(first, last) {
    this.time = first;
    this.rate = 1;
    this.playing = false;
    this.listeners = [];
    this.work = [];        // to be done before the next frame is drawn
    this.drawing = 0;      // milliseconds that drawing takes, about
    this.span(first, last);
  }
  /** From when to when. */
  span(first, last) {
    this.first = first;
    this.last = last;
    const scrub = document.getElementById("scrub");
    if (!scrub) return;
    scrub.min = first;
    scrub.max = last;
    scrub.step = (last - first) / 2000;
  }
  /** How far a film that is being computed has come; null when it is complete. */
  reached(time) {
    const scrub = document.getElementById("scrub");
    this.known = time;
    if (scrub) scrub.style.setProperty("--known", time === null ? "100%" : `${(100 * (time - this.first)) / (this.last - this.first)}%`);
  }
  seek(time) {
    const began = performance.now();
    this.time = Math.min(this.last, Math.max(this.first, time));
    for (const listener of this.listeners) listener(this.time);
    this.drawing += 0.3 * (performance.now() - began - this.drawing);
  }
  /** The picture has changed. Within request() it is drawn at the end of the frame, once. */
  redraw() {
    if (this.working) this.stale = true; else this.seek(this.time);
  }
  /** Calls f in the next frame of the screen, before the picture is drawn. */
  request(f) {
    this.work.push(f);
    this.schedule();
  }
  schedule() {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now) => this.frame(now));
  }
  /** One frame of the screen: what was requested, then the clock, then one picture of both. */
  frame(now) {
    this.scheduled = false;
    const { work } = this;
    this.work = [];
    this.working = true;
    try {
      for (const f of work) f();
    } finally {
      this.working = false;
      const passed = this.playing && this.before !== null ? (this.rate * Math.min(now - this.before, 100)) / 1000 : 0;
      this.before = now;
      if (passed || this.stale) this.seek(this.time + passed);
      this.stale = false;
      if (this.playing && this.time >= this.last) this.pause();
      if (this.playing || this.work.length) this.schedule();
    }
  }
  play() {
    if (this.playing) return;
    if (this.time >= this.last) this.seek(this.first);
    this.playing = true;
    this.before = null;
    this.schedule();
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

/** Gives the stage its controls and lets it follow the clock. */
function wireStage(stage, player) {
  player.listeners.push((time) => stage.draw(time));
  new ResizeObserver(() => stage.draw(player.time)).observe(stage.canvas);
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
}

function wireControls(player) {
  const scrub = document.getElementById("scrub"), clock = document.getElementById("clock");
  if (!scrub) return;
  player.span(player.first, player.last);
  player.listeners.push((time) => {
    const length = player.last - player.first, digits = length < 1 ? 3 : length < 100 ? 2 : 1;
    scrub.value = time;
    scrub.style.setProperty("--done", `${(100 * (time - player.first)) / length}%`);
    clock.textContent = `t = ${time.toFixed(digits)}${unitsOfFilm.t ? ` ${unitsOfFilm.t}` : ""}`;
  });
  document.getElementById("play").addEventListener("click", () => (player.playing ? player.pause() : player.play()));
  scrub.addEventListener("input", () => player.seek(+scrub.value));
  document.getElementById("rate").addEventListener("change", (e) => (player.rate = +e.target.value));
  wireFullScreen(document.getElementById("full"));
  document.addEventListener("keydown", (e) => {
    if (e.target.closest("input, select, summary, button, a, textarea, [contenteditable], [role=tab], [role=option]")) return;
    if (e.key === " ") player.playing ? player.pause() : player.play();
    else if (e.key === "ArrowRight") player.seek(player.time + (player.last - player.first) / 100);
    else if (e.key === "ArrowLeft") player.seek(player.time - (player.last - player.first) / 100);
    else return;
    e.preventDefault();
  });
}

/** The picture with its clock on the whole screen; the button, the key F or Escape leave it. */
function wireFullScreen(button) {
  if (!document.fullscreenEnabled) return;
  const figure = button.closest(".player"), change = () => (document.fullscreenElement ? document.exitFullscreen() : figure.requestFullscreen());
  button.hidden = false;
  button.addEventListener("click", change);
  document.addEventListener("fullscreenchange", () => (button.textContent = document.fullscreenElement ? "leave full screen" : "full screen"));
  document.addEventListener("keydown", (e) => {
    if (e.key !== "f" || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input:not([type=range], [type=checkbox]), select, textarea, [contenteditable], dialog, [role=menu]")) return;
    change();
  });
}

/** In real time, unless that takes longer than most people look, or is over before they do. */
function suitableRate(span) {
  if (span < 2.5) return span < 0.5 ? 0.1 : 0.25;
  return [1, 2, 4, 8].find((r) => span / r <= 45) || 16;
}
