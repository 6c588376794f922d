// Motions whose forces switch (dry friction, stops, tables) in a page: as simulate/runs/switching_motion, with the stepper of dop853.js.
//
// A sign in a force is −1 or 1 until its argument passes through zero; the step ends there. Where both sides push the argument back, the
// sign takes the value between −1 and 1 that keeps it at zero (Filippov's solution), until that value leaves [−1, 1].
"use strict";

class SwitchingStepper {
  static most = { changes: 20000, inARow: 60 };
  static slack = 1e-9;  // rounding at exactly 1 is no reason to let go

  /**
   * code: rhs, arguments, derivatives as functions of t, y and parameters, the last of which are the signs; derivatives of each
   * argument along the motion up to the first that contains a sign. counts: how many of them each sign has; timed: its argument depends on
   * time alone.
   */
  constructor(code, { counts, timed }, n, params, options) {
    const first = counts.map((_, k) => counts.slice(0, k).reduce((a, b) => a + b, 0));
    Object.assign(this, { code, counts, timed, first, m: counts.length, params: { ...params }, failure: null });
    this.keys = code.keys.slice(-this.m);
    this.inner = new Dop853((t, y, dy) => {
      this.give(this.signs, t, y);
      this.code.rhs(t, y, this.params, dy);
    }, n, options);
    this.y = new Float64Array(n);
    this.signs = new Array(this.m).fill(1);
  }

  /** The values of the parameters in the words of this code. */
  static parameters(code, motionKeys, params) {
    return Object.fromEntries(motionKeys.map((key, k) => [code.keys[k], params[key]]));
  }

  // ------------------------------------------------------------------------------------------------- signs and what follows from them
  last(k) { return this.first[k] + this.counts[k] - 1; }
  kept(signs) { return signs.flatMap((s, k) => (s === 0 ? [k] : [])); }

  /** Sets the signs; those that are 0 to the values that keep their arguments at zero: A + B s = 0. False when there are none. */
  give(signs, t, y) {
    const { keys, params, code } = this, kept = this.kept(signs);
    signs.forEach((s, k) => (params[keys[k]] = s));
    if (!kept.length) return true;
    const rates = () => { const d = code.derivatives(t, y, params); return kept.map((k) => d[this.last(k)]); };
    const A = rates(), columns = kept.map((k) => {
      params[keys[k]] = 1;
      const column = rates().map((v, i) => v - A[i]);
      params[keys[k]] = 0;
      return column;
    });
    const s = solved(A.map((_, i) => columns.map((c) => c[i])), A.map((v) => -v));
    if (!s || !s.every(Number.isFinite)) return false;
    kept.forEach((k, i) => (params[keys[k]] = s[i]));
    return true;
  }
  argumentsAt(t, y) { return this.code.arguments(t, y, this.params); }

  /** The first derivative of argument k that does not vanish, and whether it is the one that contains signs. */
  rate(k, signs, t, y) {
    this.give(signs, t, y);
    const d = this.code.derivatives(t, y, this.params);
    for (let i = this.first[k]; i < this.last(k); ++i) if (Math.abs(d[i]) > 1e-13) return { value: d[i], switches: false };
    return { value: d[this.last(k)], switches: true };
  }
  withSign(k, value) { return this.signs.map((s, i) => (i === k ? value : s)); }

  /** Do the two sides of a_k = 0 differ, and do both push a_k back? */
  canKeep(k, t, y) {
    const up = this.rate(k, this.withSign(k, 1), t, y), down = this.rate(k, this.withSign(k, -1), t, y);
    if (!up.switches || !down.switches) return false;
    const scale = Math.max(Math.abs(up.value), Math.abs(down.value));
    if (!(down.value - up.value > 1e-9 * scale) || up.value > 1e-12 * scale || down.value < -1e-12 * scale) return false;
    return this.give(this.withSign(k, 0), t, y);
  }
  /** Signs that would have to exceed 1 let go. */
  release(t, y) {
    for (;;) {
      this.give(this.signs, t, y);
      const k = this.kept(this.signs).find((i) => Math.abs(this.params[this.keys[i]]) > 1 + SwitchingStepper.slack);
      if (k === undefined) return;
      this.signs[k] = Math.sign(this.params[this.keys[k]]);
    }
  }

  // ------------------------------------------------------------------------------------------------- the motion
  start(t, y) {
    Object.assign(this, { t, tOld: t, changes: 0, inARow: 0, atOnce: 0, changed: false, lastChange: -1, leaving: [], failure: null });
    this.y.set(y);
    this.signs.fill(1);
    const atZero = [];
    for (let k = 0; k < this.m; ++k) {
      this.give(this.signs, t, y);
      const a = this.argumentsAt(t, y)[k];
      if (a === 0 && !this.timed[k]) atZero.push(k);
      else if (this.timed[k]) this.signs[k] = t >= this.timeOf(k) ? this.slopeOf(k) : -this.slopeOf(k);
      else this.signs[k] = Math.sign(a);
    }
    for (const k of atZero) {
      if (this.canKeep(k, t, y)) { this.signs[k] = 0; continue; }
      const up = this.rate(k, this.withSign(k, 1), t, y).value, down = this.rate(k, this.withSign(k, -1), t, y).value;
      this.signs[k] = up > 0 ? 1 : down < 0 ? -1 : 1;
    }
    this.release(t, y);
    this.inner.start(t, y);
  }

  /** Of an argument c + d t. */
  slopeOf(k) { return Math.sign(this.argumentsAt(1, this.y)[k] - this.argumentsAt(0, this.y)[k]); }
  timeOf(k) {
    const c = this.argumentsAt(0, this.y)[k], d = this.argumentsAt(1, this.y)[k] - c;
    return -c / d;
  }
  nextTime(t) {
    let next = Infinity;
    for (let k = 0; k < this.m; ++k) {
      const when = this.timed[k] ? this.timeOf(k) : -Infinity;
      if (when > t && when < next) next = when;
    }
    return next;
  }

  /** One step towards `end`, which ends where signs change; false when the motion cannot go on. */
  step(end) {
    try {
      if (this.changed) this.change();
      this.tOld = this.inner.t;
      const knot = this.nextTime(this.tOld);
      if (!this.inner.step(Math.min(end, knot))) return false;
      const when = this.leaves();
      this.t = when === null ? this.inner.t : when;
      if (when === null) this.y.set(this.inner.y);
      else this.inner.at(when, this.y);
      this.changed = when !== null || this.inner.t === knot;
      return true;
    } catch (problem) {
      this.failure = problem.message;
      return false;
    }
  }
  at(t, into) {
    if (t >= this.t) into.set(this.y);
    else this.inner.at(t, into);
  }

  /** When the last step first leaves the present signs; null when it does not. */
  leaves() {
    const { inner } = this, samples = 16, from = this.tOld, here = new Float64Array(this.y.length);
    let first = null;
    this.leaving = [];
    const note = (k, when) => {
      if (first !== null && when > first) return;
      if (first === null || when < first) this.leaving = [];
      first = when;
      this.leaving.push(k);
    };
    // g is positive as long as the sign holds.
    const look = (k, g, fromZero) => {
      const value = (t) => { inner.at(t, here); this.give(this.signs, t, here); return g(t, here); };
      let before = g0(g), beforeT = from, wasPositive = before > 0;
      for (let i = 1; i <= samples; ++i) {
        const t = i === samples ? inner.t : from + ((inner.t - from) * i) / samples, now = value(t);
        if (now < 0 && wasPositive && before >= 0) {
          let a = beforeT, b = t;
          for (let n = 0; n < 52 && b - a > 1e-15 * Math.abs(b); ++n) { const c = (a + b) / 2; if (value(c) < 0) b = c; else a = c; }
          return note(k, b);
        }
        if (now < 0 && fromZero) return note(k, from);
        if (now > 0) wasPositive = true;
        [before, beforeT] = [now, t];
      }
      return null;
    };
    const g0 = (g) => { this.give(this.signs, from, inner.old); return g(from, inner.old); };
    for (let k = 0; k < this.m; ++k) {
      if (this.timed[k]) continue;
      if (this.signs[k] !== 0) look(k, (t, y) => this.signs[k] * this.argumentsAt(t, y)[k], true);
      else for (const side of [1, -1]) look(k, () => 1 + SwitchingStepper.slack - side * this.params[this.keys[k]], false);
    }
    if (first === from && this.atOnce > 2 * this.m + 2) throw new Error("a sign in the forces has no value with which the motion goes on");
    if (first === null) this.atOnce = 0;
    return first;
  }

  /** Takes the signs that hold from here on. */
  change() {
    const { t, y } = this, soon = t - this.lastChange < 1e-9 * Math.max(1, Math.abs(t));
    this.atOnce = t === this.lastChange ? this.atOnce + 1 : 1;
    this.inARow = soon ? this.inARow + 1 : 0;
    this.lastChange = t;
    this.changed = false;
    if (++this.changes > SwitchingStepper.most.changes) throw new Error(`the forces switch more than ${SwitchingStepper.most.changes} times`);
    if (this.inARow > SwitchingStepper.most.inARow) throw new Error("the forces switch without end near this time");
    for (let k = 0; k < this.m; ++k) if (this.timed[k] && this.timeOf(k) <= t) this.signs[k] = this.slopeOf(k);
    this.give(this.signs, t, y);
    const values = this.keys.map((key) => this.params[key]), atZero = [];
    for (const k of this.leaving) {
      if (this.signs[k] === 0) this.signs[k] = Math.sign(values[k]);  // friction cannot hold it any longer
      else { this.signs[k] = -this.signs[k]; atZero.push(k); }
    }
    this.leaving = [];
    for (const k of atZero) if (this.canKeep(k, t, y)) this.signs[k] = 0;
    this.release(t, y);
    this.inner.start(t, y);
  }
}
