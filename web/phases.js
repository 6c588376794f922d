// Phases of a motion whose contacts open and close: a strip beneath the clock, with impacts as marks that can be clicked.
"use strict";

const phaseNames = { rolling: "in contact", sliding: "sliding", flight: "in flight", "partly open": "partly open" };

/** Shows the phases of a film in #phases, or hides it where there are none. The strip follows the clock. */
class Phases {
  constructor(player) {
    this.box = document.getElementById("phases");
    this.player = player;
    if (this.box) player.listeners.push((time) => this.tell(time));
  }

  show(film) {
    const { box } = this;
    if (!box) return;
    this.phases = film.phases || [];
    this.marks = film.marks || [];
    box.hidden = !this.phases.length;
    box.replaceChildren();
    if (box.hidden) return;
    const first = film.t[0], length = film.t[film.t.length - 1] - first || 1, at = (t) => `${((100 * (t - first)) / length).toFixed(3)}%`;
    const make = (tag, name, parent) => parent.appendChild(Object.assign(document.createElement(tag), { className: name }));
    const strip = make("div", "phase-strip", box);
    for (const p of this.phases) {
      const part = make("span", `phase ${p.kind.replace(" ", "-")}`, strip);
      part.style.left = at(p.from);
      part.style.width = `${((100 * (p.to - p.from)) / length).toFixed(3)}%`;
      part.title = `${phaseNames[p.kind] || p.kind} from ${+p.from.toPrecision(4)} to ${+p.to.toPrecision(4)}: ${p.text}`;
    }
    for (const m of this.marks) {
      const tick = make("button", `phase-mark ${m.kind}`, strip);
      tick.type = "button";
      tick.style.left = at(m.t);
      tick.title = `t = ${+m.t.toPrecision(6)}: ${m.text}`;
      tick.setAttribute("aria-label", `${m.kind} at t = ${+m.t.toPrecision(4)}: ${m.text}`);
      tick.addEventListener("click", () => this.player.seek(m.t));
    }
    this.text = make("p", "phase-text note", box);
    this.tell(this.player.time);
  }

  /** What the contacts do now, and the last impact while it is fresh. */
  tell(time) {
    if (!this.box || this.box.hidden || !this.text) return;
    const now = this.phases.find((p) => time <= p.to) || this.phases[this.phases.length - 1];
    const span = this.player.last - this.player.first, fresh = this.marks.filter((m) => m.t <= time && time - m.t < 0.03 * span).pop();
    const words = `${phaseNames[now.kind] || now.kind}: ${now.text}${fresh ? `. ${fresh.text}` : ""}`;
    if (this.text.textContent !== words) this.text.textContent = words;
  }
}
