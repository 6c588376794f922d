// The studio: an editor on the left, the motion on the right, questions beneath; the program on this machine computes.
"use strict";

const $ = (id) => document.getElementById(id);
// ---------------------------------------------------------------------------------------------------------------- state
const studio = { name: "untitled.toml", saved: "", savedText: null, link: "", questions: new Set(), checks: 0, films: 0, fly: false };
window.studio = studio;
const request = (action, more = {}) => ({ action, text: studio.editor ? studio.editor.text() : studio.filmed, name: studio.name, ...more });
/** About the motion that is seen, whose text may be older than that in the editor. */
const ofFilm = (action, more = {}) => ({ ...request(action, more), text: studio.filmed });
/** What was done is said for a while; what went wrong or goes on stays. */
function say(text) {
  $("activity").textContent = text;
  clearTimeout(say.timer);
  if (/^(copied|saved|opened|stopped)|downloaded$/.test(text)) say.timer = setTimeout(() => $("activity").textContent === text && say(""), 8000);
}

const programGone = "The studio's program does not answer. Is it still running? Your text is kept in this browser.";
const notFetched = (problem) => problem instanceof TypeError && problem.message === "Failed to fetch";
/** A question that can be stopped: work(signal). Only one of a kind runs at a time. What takes longer than a moment shows the button. */
async function asking(kind, work) {
  for (const q of studio.questions) if (q.kind === kind) q.controller.abort();
  const q = { kind, controller: new AbortController() };
  studio.questions.add(q);
  const shown = setTimeout(() => ($("stop-button").hidden = false), 300);
  try {
    return await work(q.controller.signal);
  } catch (problem) {
    if (problem.name === "AbortError") q.stopped && say("stopped");
    else say(notFetched(problem) ? programGone : problem.message);
    return null;
  } finally {
    clearTimeout(shown);
    studio.questions.delete(q);
    $("stop-button").hidden = studio.questions.size === 0;
  }
}
function stopAll() {
  for (const q of studio.questions) {
    q.stopped = true;
    q.controller.abort();
  }
}

// ---------------------------------------------------------------------------------------------------------------- documents
function remember() {
  const draft = { name: studio.name, saved: studio.saved, original: studio.original, text: studio.editor.text(), history: studio.editor.history(), link: studio.link, folder: studio.start.folder };
  // This tab's own draft survives a reload, the last one of all tabs a closed window.
  for (const store of [sessionStorage, localStorage]) {
    try { store.setItem("rattleback-draft", JSON.stringify(draft)); } catch { /* no room: the text is in the editor */ }
  }
}
function mark() {
  const clean = studio.savedText !== null && studio.savedText === studio.editor.text();
  $("document-name").textContent = studio.name;
  $("document-state").classList.toggle("unsaved", !clean);
  $("document-state").title = clean ? "saved" : "not saved";
  document.title = `${clean ? "" : "• "}${studio.name} · Rattleback studio`;
}
/** Texts that were left without saving, newest first: another document never takes one away. */
const leftTexts = () => {
  try { return JSON.parse(localStorage.getItem("rattleback-left") || "[]"); } catch { return []; }
};
function keepLeft(list) {
  for (let n = Math.min(list.length, 12); n >= 0; --n) {
    try { return localStorage.setItem("rattleback-left", JSON.stringify(list.slice(0, n))); } catch { /* no room for so many */ }
  }
  return null;
}
function leave() {
  if (!studio.ready) return;
  const text = studio.editor.text(), same = (o) => o.text === text && o.folder === studio.start.folder;
  if (!text.trim() || text === studio.original || text === studio.savedText) return;
  const { name, saved, original } = studio, draft = { name, saved, original, text, folder: studio.start.folder, when: Date.now() };
  keepLeft([{ ...draft, history: studio.editor.history() }, ...leftTexts().filter((o) => !same(o))]);
  say(`${name} was not saved: the File menu keeps it`);
}
function takeUp(left) {
  keepLeft(leftTexts().filter((o) => o.when !== left.when || o.text !== left.text));
  show(left);
  studio.savedText = null;
  mark();
}

function show({ name, text, saved = "", history = null, link = "", original = text }) {
  leave();
  if (studio.ready && studio.laboratory) {  // another document: values on sliders are not taken over
    studio.laboratory.seen.disconnect();
    studio.laboratory = null;
  }
  Object.assign(studio, { name, saved, savedText: saved ? text : null, original, link, fly: false });
  forgetAnswers();
  studio.editor.open(text, history);
  mark();
  remember();
  changed(true);
}

async function save(name = studio.name, before = studio.saved) {
  try {
    const text = studio.editor.text(), done = await fetched("/api/save", { method: "POST", body: JSON.stringify({ name, text, before }) });
    Object.assign(studio, { name, saved: done.saved, savedText: text });
    say(`saved ${name}`);
  } catch (problem) {
    if (problem.status === 409) {
      const other = await question(`${problem.message.replace(/`/g, "")}. The same name overwrites it, another one saves beside it.`, name);
      if (other === name) return save(name, "*");
      if (other) return save(other, "");
    } else say(notFetched(problem) ? programGone : errorSentences({ summary: problem.message, why: problem.why, fix: problem.fix }));
  }
  mark();
  remember();
  return true;
}
async function saveAs() {
  let name = await question("Save under which name?", studio.name);
  if (!name) return;
  if (!name.endsWith(".toml")) name += ".toml";
  await save(name, "");
}

/** Asks for a text; null when it is not given. */
function question(text, value) {
  $("question-text").textContent = text;
  $("question-input").value = value;
  $("question").showModal();
  $("question-input").select();
  return new Promise((answer) => $("question").addEventListener("close", () => answer($("question").returnValue === "yes" ? $("question-input").value.trim() : null), { once: true }));
}

const emptyModel = `# What moves here, in a sentence or two: a skate on ice.
title = "A new model"
lagrangian = "m/2*(x'^2 + y'^2) + J/2*theta'^2"

[space]
x = "R"
y = "R"
theta = "S1"

[parameters]
m = { value = 1, positive = true, about = "mass" }
J = { value = 0.5, positive = true, about = "moment of inertia" }

[constraints]
blade = "y'*cos(theta) = x'*sin(theta)"

[velocities]
u = "x'*cos(theta) + y'*sin(theta)"
omega = "theta'"

[simulation]
initial = { x = 0, y = 0, theta = 0, u = 1, omega = 0.5 }
until = 10
`;

// ---------------------------------------------------------------------------------------------------------------- sharing
async function squeezed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
async function unsqueezed(code) {
  const raw = atob(code.replace(/-/g, "+").replace(/_/g, "/")), bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}
async function shareLink() {
  const link = studio.laboratory ? studio.laboratory.motion.link() : "";
  return `${location.origin}/#model=${await squeezed(studio.editor.text())}&name=${encodeURIComponent(studio.name)}${link ? `&${link}` : ""}`;
}
async function openLink(text) {
  const fields = text.slice(text.indexOf("#") + 1).split("&"), values = new Map(fields.map((f) => [f.split("=")[0], f.slice(f.indexOf("=") + 1)]));
  if (!values.has("model")) return say("This link holds no model.");
  const link = fields.filter((f) => !/^(model|name)=/.test(f)).join("&");
  try {
    show({ name: decodeURIComponent(values.get("name") || "shared.toml").replace(/.*\//, ""), text: await unsqueezed(values.get("model")), link });
    return say("opened the shared model");
  } catch {
    return say("The model in this link cannot be read: it may have been cut off.");
  }
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = Object.assign(document.createElement("textarea"), { value: text, className: "unseen" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  studio.copied = text;
  say(`copied ${what}`);
}

// ---------------------------------------------------------------------------------------------------------------- checking
let timer = null, problems = [], changedAt = 0;
/** The text has changed: marks soon, the film when the text can be read. */
function changed(now = false) {
  clearTimeout(timer);
  mark();
  changedAt = performance.now();
  // A pause, so that not every key starts a computation; a model that takes long to read has a shorter one.
  timer = setTimeout(check, now ? 0 : Math.min(45, Math.max(5, 75 - (studio.latency || 30))));
}

function check() {
  const before = performance.now(), marks = asking("check", async (signal) => {
    const found = [];
    let read = false;
    const { end } = await compute(request("check"), {
      signal,
      piece: (line) => {
        const said = JSON.parse(line);
        found.push(...said.problems.filter((p) => !found.some((q) => JSON.stringify(q) === JSON.stringify(p))));
        if (said.names) {
          read = true;
          studio.editor.names(said.names);
          studio.names = said.names;
          exampleOfClaim();
        }
        if (said.facts) showFacts(said.facts);
        problems = found;
        showProblems();
        if (!said.facts) Object.assign(studio, { latency: performance.now() - before, keystroke: performance.now() - changedAt });  // the first marks
        if (said.names && !found.some((p) => p.severity === "error")) {
          studio.readable = true;
          answersFollow();
          film();
        }
        else if (found.some((p) => p.severity === "error")) {
          $("no-film").hidden = true;  // the marks say what is wrong; that was of another text
          seenIsEarlier(studio.filmed !== studio.editor.text());
        }
      },
    });
    if (end.signal || end.stopped) say(failureOf(end));
    ++studio.checks;
    studio.readable = read;
    answersFollow();
  });
  remember();  // the question is on its way
  return marks;
}

function showFacts(text) {
  $("facts").textContent = text;
  $("facts-copies").replaceChildren(copies([["copy text", () => copy(text, "text")], ["copy LaTeX", () => copy(`\\begin{verbatim}\n${text}\\end{verbatim}\n`, "LaTeX")],
    ["copy command", () => copy(commandLine(["check", studio.name]), "the command")], ["copy Python", () => copy(pythonCall("model.check()"), "Python")]]));
}

function showProblems() {
  studio.editor.marks(problems);
  const box = $("problems");
  box.replaceChildren(...problems.map((p) => {
    const row = Object.assign(document.createElement("div"), { className: `problem ${p.severity}` }), place = p.places[0];
    const b = Object.assign(document.createElement("button"), { type: "button", className: p.severity });
    b.textContent = `${place ? `line ${place.line}: ` : ""}${p.summary.replace(/`/g, "")}`;
    if (p.fix) b.append(Object.assign(document.createElement("small"), { textContent: p.fix.replace(/`/g, "") }));
    b.addEventListener("click", () => place && studio.editor.goTo(place.line, place.column));
    row.append(b);
    for (const r of studio.editor.repairs(p)) {
      const mend = Object.assign(document.createElement("button"), { type: "button", className: "mend", textContent: r.name });
      mend.addEventListener("click", r.apply);
      row.append(mend);
    }
    return row;
  }));
}

// ---------------------------------------------------------------------------------------------------------------- seeing
const figureOf = (plot, k) => {
  const figure = document.createElement("figure"), caption = document.createElement("figcaption");
  figure.dataset.plot = k;
  caption.append(Object.assign(document.createElement("b"), { textContent: plot.title }));
  plot.series.filter((s) => !s.faint).forEach((s, color) => {
    if (!s.name) return;
    const legend = Object.assign(document.createElement("span"), { className: `legend s${color}` });
    legend.append(document.createElement("i"), withUnit(s.name));
    caption.append(legend);
  });
  figure.append(caption);
  return figure;
};

/** Shows the film of a text, unless it is the one that is seen. False when there is none. */
function present(model, { bytes, end, text }) {
  if (end.signal || end.stopped || !bytes.length) return noFilm(failureOf(end));
  const said = text();
  if (said !== studio.said || !studio.laboratory) {  // a comment changes nothing that is seen
    const data = JSON.parse(said);
    if (data.problems) return noFilm(data.problems[0].summary, data.problems[0].fix, data.problems[0].slug);
    studio.filmed = model;
    build(data);
    studio.said = said;
  }
  studio.filmed = model;
  return true;
}
/** The answer to the question that the page asked while it was read; only once. */
function filmAskedEarly(model) {
  const film = studio.early;
  studio.early = null;
  return film && film.text === model && !studio.fly ? film.answer : null;
}

/** The film of the present text. A text that comes back, as after a mended mistake, keeps its film and its sliders. */
function film() {
  return asking("film", async (signal) => {
    const model = studio.editor.text();
    if (model !== studio.filmed) {
      const answer = await (filmAskedEarly(model) || compute(request("film", { fly: studio.fly }), { signal }));
      while (studio.stage && studio.stage.held && !signal.aborted) await nextFrame();  // what a reader holds is not taken away
      if (signal.aborted || !present(model, answer)) return null;
    }
    $("no-film").hidden = true;
    seenIsEarlier(false);
    ++studio.films;
    return null;
  });
}
const nextFrame = () => new Promise((next) => requestAnimationFrame(next));
const pause = (milliseconds) => new Promise((next) => setTimeout(next, milliseconds));
/** A word in the picture, which moves nothing while one types. */
const seenIsEarlier = (yes) => document.querySelector(".player").classList.toggle("earlier", yes && !!studio.laboratory);
/** The last good motion stays; the reason why there is none of the present text is said. A start that is missing can be written by a button. */
function noFilm(why, fix = "", slug = "") {
  const box = $("no-film"), sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`.replace(/`/g, ""), startless = slug === "incomplete-initial-state" && studio.editor && studio.editor.view;
  box.hidden = false;
  box.textContent = `There is no run: ${why.replace(/`/g, "")}.${fix && !startless ? ` ${sentence(fix)}` : ""} `;
  seenIsEarlier(true);
  if (!startless) return false;
  const b = Object.assign(document.createElement("button"), { type: "button", textContent: "Write a start" }), known = studio.names || [];
  b.addEventListener("click", () => {
    const missing = [...why.matchAll(/`([^`]+)`/g)].map((m) => [m[1], known.some((n) => n.name === m[1] && n.kind === "rotation") ? '"1"' : "0"]);
    studio.editor.writeStart(missing, known.filter((n) => n.kind === "quasi-velocity").map((n) => [n.name, "1"]));
  });
  box.append(b);
  return false;
}

function build({ data, live, script, summary }) {
  const { film: it } = data, motion = new LiveMotion(live, new Function(`return ${script}`)());
  $("no-film").hidden = true;
  const { player } = studio, before = { last: player.last, time: player.time, rate: player.rate, seen: !!studio.laboratory };
  player.listeners.length = studio.fixedListeners;
  if (studio.laboratory) studio.laboratory.seen.disconnect();
  player.span(it.t[0], it.t[it.t.length - 1]);
  const figure = document.querySelector(".player");
  figure.hidden = !it.scene;
  if (it.scene) {
    const old = $("stage"), canvas = old.cloneNode(false);
    old.replaceWith(canvas);
    studio.stage = new Stage(canvas, it.scene, it.t);
    for (const id of ["follow", "reset"]) $(id).replaceWith($(id).cloneNode(true));
    wireStage(studio.stage, player);
  } else studio.stage = null;
  unitsOfFilm = it.units || {};
  const box = $("plots");
  box.replaceChildren();
  const resolve = (s) => ({ ...s, x: typeof s.x === "string" ? it.series[s.x] : s.x, y: typeof s.y === "string" ? it.series[s.y] : s.y });
  const drawn = it.plots.map((plot, k) => {
    const f = figureOf(plot, k);
    if (plot.role === "portrait") box.prepend(f);  // where a hand works comes first
    else box.append(f);
    return new Plot(f, { ...plot, series: plot.series.map(resolve), marks: it.marks }, (t) => player.seek(t));
  });
  const seenBefore = !!studio.laboratory, link = seenBefore ? studio.laboratory.motion.link() : studio.link;
  const lab = studio.laboratory = new Laboratory({ motion, film: it, player, stage: studio.stage, drawn, panel: $("live"), plotsBox: box,
    onChange: () => { studio.touched = performance.now(); cloudSaid(""); }, native: nativeFilm, many: manyMotions, copies: (button) => menu(button, copiesOfMotion(lab.film || it)), address: (values) => `${location.origin}/#${values}` });
  cloudSaid("");
  studio.phases.show(it);
  wireFlight(it);
  lab.say(summary.replace(/`/g, ""));
  player.listeners.push((time) => {
    const at = frameAt(lab.film ? lab.film.t : it.t, time);
    for (const plot of drawn) plot.show(time, at);
  });
  window.rattleback = { player, stage: studio.stage, laboratory: lab };
  const goesOn = before.seen && before.last === player.last;  // the same model, edited: the film goes on where it was
  player.rate = goesOn ? before.rate : suitableRate(player.last - player.first);
  $("rate").value = String(player.rate);
  player.seek(goesOn ? before.time : player.first);
  studio.link = "";
  if (link) lab.follow(link, seenBefore);  // what another text no longer has is no complaint
  mapChoices(motion);
  if (!goesOn && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
}

/** The motion that is seen, for a paper, a mail or a program. */
function copiesOfMotion(it) {
  const { laboratory: lab } = studio, { motion } = lab, names = motion.about.state.filter((q) => q.kind !== "quaternion").map((q) => q.name);
  const last = it.t.length - 1, number = (v) => `${+v.toPrecision(10)}`, first = motion.controls().filter((c) => c.group === "parameter").map((c) => [c.id, number(motion.get(c))]);
  const ends = names.filter((name) => it.series[name]).map((name) => [name, number(it.series[name][0]), number(it.series[name][last])]);
  const text = () => `${lab.status.textContent}\n${first.map(([n, v]) => `${n} = ${v}\n`).join("")}${["", ...ends.map(([n, a, b]) => `${n}: ${a} at t = ${number(it.t[0])}, ${b} at t = ${number(it.t[last])}`)].join("\n")}\n`;
  const latex = () => `\\begin{tabular}{lll}\n & $t = ${number(it.t[0])}$ & $t = ${number(it.t[last])}$ \\\\\n${ends.map(([n, a, b]) => `$${latexName(n)}$ & $${a}$ & $${b}$ \\\\\n`).join("")}\\end{tabular}\n${first.length ? `% with ${first.map(([n, v]) => `${n} = ${v}`).join(", ")}\n` : ""}`;
  const table = () => `t,${ends.map(([n]) => n).join(",")}\n${it.t.map((t, k) => [t, ...ends.map(([n]) => it.series[n][k])].join(",")).join("\n")}\n`;
  const python = () => {
    const given = (name, o) => (Object.keys(o).length ? `, ${name}=${pythonNumbers(o)}` : "");
    const project = motion.code.projected && Object.keys(motion.initial()).length ? ", project=True" : "";
    return `import rattleback as rb\n\nmodel = rb.load(${JSON.stringify(studio.name)})\nrun = model.simulate(until=${motion.until}${given("initial", motion.initial())}${given("params", motion.values())}${project}${studio.fly ? ", fly=True" : ""})\nprint(run)\n`;
  };
  const command = () => `${motion.command().replace(`simulate ${motion.about.model}`, `simulate ${studio.name}`)}${studio.fly ? " --after lift-off=fly" : ""}`;
  return [["as text", () => copy(text(), "text")], ["as LaTeX", () => copy(latex(), "LaTeX")], ["as command", () => copy(command(), "the command")], ["as Python", () => copy(python(), "Python")], ["as a table (.csv)", () => copy(table(), "the table")]];
}
const latexName = (name) => ((studio.names || []).find((n) => n.name === name) || { latex_name: asLatex(name) }).latex_name;
const pythonNumbers = (o) => `{${Object.entries(o).map(([k, v]) => `${JSON.stringify(k)}: ${/^[-+.\de]+$/i.test(v) ? v : JSON.stringify(v)}`).join(", ")}}`;

/** A model whose contacts can open has a box: in flight, with impacts, or as if they could pull. */
function wireFlight(it) {
  const box = $("fly"), label = $("fly-label");
  label.hidden = !it.can_fly;
  box.checked = studio.fly;
  box.onchange = () => {
    studio.fly = box.checked;
    studio.filmed = studio.said = null;
    film();
  };
}

/** The film of the values on the sliders, computed by the program; a draft is as exact as a screen shows, and comes at once. */
async function nativeFilm(motion, draft = false) {
  return asking("native", async (signal) => {
    const { text, end } = await compute(ofFilm("film", { live: false, draft, fly: studio.fly, set: motion.values(), initial: motion.initial(), until: motion.until }), { signal });
    if (end.exit !== 0) return null;
    const data = JSON.parse(text());
    studio.followed = performance.now() - studio.touched;
    return { ...data.data.film, summary: motion.link() ? data.summary.replace(/^From the initial state of the model/, "With these values") : data.summary };
  });
}

/** Motions from many starts, computed by the program and shown as they come. */
function manyMotions(motion, { kind, starts, axes, frames, frame }) {
  const { state } = motion.about, named = { x: state[axes[0]].name, y: state[axes[1]].name, state: state.map((s) => s.name) };
  return asking(kind, async (signal) => {
    let head = null;
    const more = { ...named, starts: starts.map((s) => [...s]), frames, until: motion.until, set: motion.values(), initial: motion.initial() };
    const { end } = await compute(ofFilm("cloud", more), { signal, piece: (line) => {
      const said = JSON.parse(line);
      if (said.members !== undefined) head = said;
      else if (said.t !== undefined) frame(said);
    } });
    return end.exit === 0 ? head : null;
  });
}
function cloudSaid(text) {
  const there = !!(studio.laboratory && studio.laboratory.cloudRun);
  $("cloud-note").textContent = there ? text : "";
  $("cloud-button").textContent = there ? "Remove the cloud" : "Drop a cloud of 1000 starts";
}
async function dropCloud() {
  const lab = studio.laboratory;
  if (!lab) return;
  if (lab.cloudRun) { lab.removeCloud(); return cloudSaid(""); }
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!still) { studio.player.seek(studio.player.first); studio.player.play(); }
  await lab.cloud(1000, cloudSaid);
}

// ---------------------------------------------------------------------------------------------------------------- asking
const forms = { set: () => (studio.laboratory ? studio.laboratory.motion.values() : {}) };
const commandLine = (words) => `rattleback ${words.map((w) => (/^[\w.,=:+/-]+$/.test(w) ? w : `"${w}"`)).join(" ")}`;

function copies(entries) {
  const box = Object.assign(document.createElement("div"), { className: "copies" });
  for (const [name, give] of entries) {
    const b = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    b.addEventListener("click", give);
    box.append(b);
  }
  return box;
}

/** A script or style sheet that the page holds as text until it is wanted. */
function readLater(id, element) {
  const source = $(id);
  if (!source) return;
  document.head.append(Object.assign(document.createElement(element), { textContent: source.textContent }));
  source.remove();
}
/** KaTeX and its fonts are read when the page has time, or earlier if a formula needs them. False without KaTeX. */
function readKatex() {
  readLater("katex.css", "style");
  readLater("katex.js", "script");
  return typeof katex !== "undefined";
}

/** A sentence with formulas between dollar signs. */
function sentenceWithFormulas(text) {
  const p = Object.assign(document.createElement("p"), { className: "note" });
  text.split("$").forEach((part, k) => {
    const e = document.createElement("span");
    e.textContent = part;
    p.append(e);
    if (k % 2 && readKatex()) {
      try { katex.render(part, e, { throwOnError: true, strict: false, maxSize: 50, maxExpand: 10000 }); } catch { /* it stays as text */ }
    }
  });
  return p;
}
/** LaTeX as the program prints it: sentences and align environments. */
function typesetInto(box, latex) {
  const pattern = /\\begin\{(align\*|verbatim)\}[\s\S]*?\\end\{\1\}/g;
  let at = 0;
  const prose = (text) => text.split("\n").filter((l) => l.trim() && l[0] !== "%").forEach((l) => box.append(sentenceWithFormulas(l)));
  for (const m of latex.matchAll(pattern)) {
    prose(latex.slice(at, m.index));
    at = m.index + m[0].length;
    if (m[1] === "verbatim") {
      box.append(Object.assign(document.createElement("pre"), { textContent: m[0].replace(/^\\begin\{verbatim\}\n?|\\end\{verbatim\}$/g, "") }));
      continue;
    }
    const e = Object.assign(document.createElement("div"), { className: "formula display", textContent: m[0] });
    if (readKatex()) {
      try {
        katex.render(m[0], e, { displayMode: true, throwOnError: true, strict: false, maxSize: 50, maxExpand: 10000 });
        e.classList.add("set");
      } catch { /* it stays as text */ }
    }
    box.append(e);
  }
  prose(latex.slice(at));
}

/** Answers belong to the text that was asked about: equations are derived anew, verdicts of an earlier text say so. */
function answersFollow() {
  if (!studio.editor) return;
  const text = studio.editor.text();
  for (const row of document.querySelectorAll(".verdict-row")) row.classList.toggle("outdated", row.text !== text);
  if (!studio.readable || studio.derived === text) return;
  if ($("panel-equations").hidden) $("equations").replaceChildren();
  else derive();
}
function forgetAnswers() {
  studio.derived = null;
  studio.readable = false;
  for (const id of ["equations", "verdicts", "claims"]) $(id).replaceChildren();
}

function derive() {
  const form = $("form").value, steps = $("steps").checked;
  studio.derived = studio.editor.text();
  say("deriving…");
  return asking("derive", async (signal) => {
    signal.addEventListener("abort", () => $("equations").replaceChildren());  // those of an earlier text or form
    const { text, end } = await compute(request("derive", { form, steps, format: "latex", seconds: 120 }), { signal });
    const box = $("equations");
    box.replaceChildren();
    if (end.exit !== 0) {
      box.append(Object.assign(document.createElement("p"), { textContent: sentencesOf(end) }));
      return say("");
    }
    const latex = text(), words = ["derive", studio.name, ...(form ? ["--form", form] : []), ...(steps ? ["--steps"] : [])];
    const fetchText = async (more, what) => copy((await compute(request("derive", { form, steps, ...more }))).text(), what);
    box.append(copies([["copy LaTeX", () => copy(latex, "LaTeX")], ["copy text", () => fetchText({ format: "text" }, "text")],
      ["copy command", () => copy(commandLine(words), "the command")], ["copy Python", () => fetchText({ format: "python", steps: false }, "Python")]]));
    typesetInto(box, latex);
    return say("");
  });
}

const badges = { proved: "proved", refuted: "refuted", undecided: "undecided", "not found": "undecided" };
function verdictRow(name, about, answer, words, python) {
  const row = Object.assign(document.createElement("details"), { className: "verdict-row", text: answer.asked }), summary = document.createElement("summary");
  const badge = Object.assign(document.createElement("span"), { className: `badge ${badges[answer.verdict] || "inapplicable"}`, textContent: answer.verdict });
  const checker = answer.answer && answer.answer.checked_by;
  const mark = checker ? [Object.assign(document.createElement("span"), { className: "badge proved", textContent: `checked by ${checker}` })] : [];
  summary.append(Object.assign(document.createElement("span"), { className: "name", textContent: name }), badge, ...mark,
    Object.assign(document.createElement("span"), { className: "claim", textContent: `${answer.statement || about}${answer.unless && answer.unless.length ? `; unless ${answer.unless.join(", or ")}` : ""}` }));
  row.append(summary);
  const lines = [...(answer.why || []).map((w) => `why: ${w}`), ...(answer.assumptions || []).map((w) => `where ${w}`),
    ...(answer.obstacle ? [`obstacle: ${answer.obstacle}`] : []), ...(answer.next_step ? [`next step: ${answer.next_step}`] : []), `evidence: ${answer.evidence || ""}${answer.method ? `, by ${answer.method}` : ""}`];
  const list = Object.assign(document.createElement("ul"), { className: "why" });
  for (const l of lines) list.append(Object.assign(document.createElement("li"), { textContent: l.length > 900 ? `${l.slice(0, 600)} …` : l }));
  const plain = `${name}: ${answer.verdict}\n${answer.statement ? `  statement: ${answer.statement}\n` : ""}${lines.map((l) => `  ${l}`).join("\n")}\n`;
  const latex = `\\paragraph{${asLatex(name)}} \\emph{${answer.verdict}}. ${answer.statement ? asLatex(`${answer.statement}. `) : ""}${asLatex(lines.join("; "))}\n`;
  const entries = [["copy text", () => copy(plain, "text")], ["copy LaTeX", () => copy(latex, "LaTeX")], ["copy command", () => copy(commandLine(words), "the command")], ["copy Python", () => copy(python, "Python")]];
  if (answer.certificate) entries.push(["certificate", () => download(`${name}.json`, new Blob([JSON.stringify(answer.certificate, null, 1)], { type: "application/json" }))]);
  if (answer.certificate && words[0] === "analyze" && !checker) entries.push(["check with Coq", () => checkWithCoq(row, name, about, words, python)]);
  row.append(list, copies(entries));
  row.classList.toggle("outdated", row.text !== studio.editor.text());
  return row;
}
const pythonCall = (call) => `import rattleback as rb\n\nmodel = rb.load(${JSON.stringify(studio.name)})\nprint(${call})\n`;
/** Text between commands of LaTeX. */
const asLatex = (text) => text.replace(/[&%$#_{}]/g, "\\$&").replace(/\^/g, "\\textasciicircum{}").replace(/~/g, "\\textasciitilde{}");
// The row again, with the mark of coqc where it accepts the theorem, and the reason where it does not.
function checkWithCoq(row, name, about, words, python) {
  say("coqc is checking…");
  const asked = studio.editor.text();
  return asking("analyze", async (signal) => {
    const { end } = await compute(request("analyze", { question: name, seconds: +$("seconds-each").value || 10, coq: true }), {
      signal,
      piece: (line) => {
        const answer = JSON.parse(line).questions[name], again = verdictRow(name, about, { ...answer, asked }, [...words, "--coq"], python);
        again.open = true;
        row.replaceWith(again);
      },
    });
    say(end.exit === 2 ? failureOf(end) : "");
  });
}

function askAll() {
  const box = $("verdicts"), seconds = +$("seconds-each").value || 10, asked = studio.editor.text();
  box.replaceChildren();
  let done = 0;
  const total = studio.start.questions.length;
  say(`0 of ${total} questions`);
  return asking("analyze", async (signal) => {
    const { end } = await compute(request("analyze", { question: "all", seconds }), {
      signal,
      piece: (line) => {
        for (const [name, answer] of Object.entries(JSON.parse(line).questions)) {
          const q = studio.start.questions.find((one) => one.name === name) || { about: "" }, words = ["analyze", studio.name, "--question", name];
          box.append(verdictRow(name, q.about, { ...answer, asked }, words, pythonCall(`model.analyze(${JSON.stringify(name)})`)));
          say(`${++done} of ${total} questions`);
        }
      },
    });
    say(end.exit === 0 ? `${done} verdicts` : failureOf(end));
  });
}

/** What the program printed about an error, without the excerpt of the command line that nobody typed. */
function sentencesOf(end) {
  const lines = failureOf(end).split("\n"), after = (word) => (lines.find((l) => l.startsWith(`  ${word}: `)) || "").slice(word.length + 4);
  return end.signal || end.stopped ? lines[0] : errorSentences({ summary: lines[0], why: after("why"), fix: after("fix") });
}
/** What a claim of each kind looks like; {0}, {1} are names of this model. */
const claimExamples = { conserved: "for example m*{1}^2/2", zero: "for example {1} - {1}", measure: "a density, for example exp({0})", "integral-of": "a function of the configuration, for example {0}^2",
  multiplier: "a function of the configuration, for example 1/(1 + {0}^2)", lagrangian: "for example {1}^2/2", hessian: "[[1, 0], [0, 1]]", symmetry: "rates of coordinates, for example {0} = 1", agrees: "two forms, for example hamel, multipliers" };
function exampleOfClaim() {
  const { names = [] } = studio, of = (kind) => (names.find((n) => n.kind.includes(kind)) || { name: "x" }).name;
  $("claim").placeholder = claimExamples[$("claim-kind").value].replaceAll("{0}", of("coordinate")).replaceAll("{1}", of("velocity"));
}
/** An error of the program as sentences. */
function errorSentences({ summary, why = "", fix = "" }) {
  const sentence = (words) => (words ? `${words[0].toUpperCase()}${words.slice(1)}.` : "");
  return [`${summary}.`, sentence(why), sentence(fix)].filter(Boolean).join(" ").replace(/`/g, "");
}
function prove(e) {
  e.preventDefault();
  const kind = $("claim-kind").value, about = $("claim-kind").selectedOptions[0].textContent, claim = $("claim").value.trim();
  if (!claim) return say("Write the claim first.");
  const asked = studio.editor.text();
  say("proving…");
  return asking("prove", async (signal) => {
    const { text, end } = await compute(request("prove", { kind, claim, seconds: 120 }), { signal });
    let answer = null;
    try { answer = JSON.parse(text()); } catch { /* an error */ }
    const words = ["prove", studio.name, `--${kind}`, ...(kind === "agrees" ? claim.split(/[\s,]+/) : [claim])];
    $("claims").prepend(answer && answer.verdict ? verdictRow(claim, about, { ...answer, asked }, words, pythonCall(`model.prove(${kind.replace("-", "_")}=${JSON.stringify(claim)})`))
      : Object.assign(document.createElement("p"), { className: "note failure", textContent: `${claim}: ${answer && answer.errors ? errorSentences(answer.errors[0]) : failureOf(end)}` }));
    say("");
  });
}

// ---------------------------------------------------------------------------------------------------------------- map
function mapChoices(motion) {
  const controls = motion.controls().filter((c) => c.group !== "attitude");
  const kept = [$("map-x").value, $("map-y").value];
  for (const [k, axis] of ["x", "y"].entries()) {
    const select = $(`map-${axis}`);
    select.replaceChildren(...controls.map((c) => Object.assign(document.createElement("option"), { value: c.id, textContent: pretty(c.id) })));
    const speeds = controls.filter((c) => c.group === "speed"), first = k ? speeds[0] || controls[1] : controls.find((c) => c.group === "parameter" && c.about) || controls[0];
    select.value = controls.some((c) => c.id === kept[k]) ? kept[k] : (first || controls[0]).id;
    const range = () => {
      const c = controls.find((one) => one.id === select.value);
      if (!c) return;
      $(`map-${axis}-from`).value = +c.low.toPrecision(4);
      $(`map-${axis}-to`).value = +c.high.toPrecision(4);
    };
    select.onchange = range;
    range();
  }
  const names = motion.about.state.filter((s) => s.kind !== "quaternion").map((s) => s.name);
  if (!names.includes($("map-of").value)) $("map-of").value = names[names.length - 1] || "";
}

/** Dark blue through white to brown, for numbers from low to high. */
const mapColours = [[34, 62, 110], [94, 140, 190], [240, 238, 230], [222, 160, 98], [160, 72, 36]];
function colourOf(v, low, high) {
  if (!Number.isFinite(v)) return [128, 128, 128, 60];
  const s = high > low ? (v - low) / (high - low) : 0.5, at = Math.min(Math.max(s, 0), 1) * 4, k = Math.min(Math.floor(at), 3), w = at - k;
  return [0, 1, 2].map((i) => Math.round(mapColours[k][i] + w * (mapColours[k + 1][i] - mapColours[k][i]))).concat(255);
}
/** What the colours mean, beside the map. */
function mapScale(low, high) {
  const box = $("map-scale"), [top, , bottom] = box.children, few = (v) => `${+v.toPrecision(3)}`.replace("-", "−");
  box.hidden = !(low <= high);
  if (box.hidden) return;
  box.style.setProperty("--map-colours", mapColours.map((c) => `rgb(${c})`).join(", "));
  Object.assign(top, { textContent: few(high) });
  Object.assign(bottom, { textContent: few(low) });
}

/** What does not vary in a map: values, the start, and the end where it is not the model's. */
function besideMap(...axes) {
  const { motion } = studio.laboratory, names = axes.map((a) => a.name), set = motion.values();
  for (const name of names) delete set[name];
  return { set, initial: motion.initial(names), ...(motion.until === motion.about.until ? {} : { until: numberText(motion.until) }) };
}
function paintMap() {
  const axis = (a) => ({ name: $(`map-${a}`).value, low: $(`map-${a}-from`).valueAsNumber, high: $(`map-${a}-to`).valueAsNumber });
  const x = axis("x"), y = axis("y"), keep = `value=${$("map-kind").value}(${$("map-of").value})`;
  const tell = (text) => ($("map-note").textContent = text), empty = [["across", x], ["up", y]].find(([, a]) => !(a.low < a.high));
  if (x.name === y.name) return tell("Choose two different quantities.");
  if (empty) return tell(`The range of ${pretty(empty[1].name)} must go from a smaller to a larger number.`);
  tell("");
  const canvas = $("map"), g = canvas.getContext("2d");
  g.clearRect(0, 0, canvas.width, canvas.height);
  studio.map = { x, y, at: [0.5, 0.5], painted: 0 };
  mapScale(1, 0);
  markMap(null);
  mapCopies(x, y, keep);
  for (const [id, a] of [["map-across", x], ["map-up", y]]) {
    const ends = [a.low, a.high].map((v) => `${+v.toPrecision(4)}`.replace("-", "−"));
    $(id).replaceChildren(Object.assign(document.createElement("span"), { textContent: ends[0] }), Object.assign(document.createElement("i"), { textContent: pretty(a.name) }), Object.assign(document.createElement("span"), { textContent: ends[1] }));
  }
  return asking("map", async (signal) => {
    const layers = [], fixed = besideMap(x, y);
    let perMotion = Infinity;  // milliseconds
    for (const n of [8, 16, 32, 64, 128]) {
      const step = (a) => (a.high - a.low) / n, middle = (a, k) => a.low + (k + 0.5) * step(a), layer = { n, cells: [] };
      layers.push(layer);
      for (let row = 0, rows = 1; row < n; row += rows) {  // as many rows at once as come within a moment
        rows = Math.min(n - row, Math.max(1, Math.floor(mapPatience / (n * perMotion))));
        const began = performance.now();
        const { text, end } = await compute(ofFilm("sweep", { x: `${x.name}=${middle(x, 0)}:${middle(x, n - 1)}:${n}`, y: `${y.name}=${middle(y, row)}:${middle(y, row + rows - 1)}:${rows}`, keep, ...fixed }), { signal });
        perMotion = (performance.now() - began) / (n * rows);
        const lines = text().split("\n").filter((l) => l && l[0] !== "#"), names = (lines.shift() || "").split(",");
        if (end.exit !== 0 && !lines.length) return tell(sentencesOf(end));
        const at = (name) => names.findIndex((h) => h.trim() === name || h.trim().endsWith(`.${name}`) || h.trim().endsWith(`/${name}`)), [ix, iy, iv, fate] = [at(x.name), at(y.name), at("value"), at("fate")];
        for (const c of lines.map((l) => l.split(",").map(Number))) layer.cells.push([Math.round((c[ix] - x.low) / step(x) - 0.5), Math.round((c[iy] - y.low) / step(y) - 0.5), c[fate] === 0 ? c[iv] : NaN]);  // grey: it does not arrive
        layer.table = row ? `${layer.table}${lines.join("\n")}\n` : text();
        const known = layer.cells.length === n * n ? layer : layers.length > 1 ? layers[layers.length - 2] : layer, range = drawMap(g, canvas.width, layers, known);
        if (layer === known) Object.assign(studio.map, { painted: row + rows === n ? n : 0, table: layer.table });
        tell(row + rows < n ? `${n} × ${n} motions, row ${row + rows} of ${n}` : range ? `${n} × ${n} motions` : "No motion arrives at its end.");
      }
    }
    return say("");
  });
}
const mapPatience = 1500;  // milliseconds until something new is seen in a map
/** Coarse cells, finer ones over them; colours for the values of one layer. False when it has none. */
function drawMap(g, width, layers, { cells: known }) {
  const values = known.map((c) => c[2]).filter(Number.isFinite).sort((a, b) => a - b);
  const low = values[Math.floor(0.01 * values.length)], high = values[Math.ceil(0.99 * (values.length - 1))];
  g.clearRect(0, 0, width, width);
  for (const { n, cells } of layers) {
    const size = width / n;
    for (const [i, j, v] of cells) {
      g.fillStyle = `rgba(${colourOf(v, low, high).join(",").replace(/,(\d+)$/, (_, a) => `,${a / 255}`)})`;
      g.clearRect(i * size, width - (j + 1) * size, size, size);
      g.fillRect(i * size, width - (j + 1) * size, Math.ceil(size), Math.ceil(size));
    }
  }
  mapScale(low, high);
  return values.length > 0;
}
/** The sweep of the map as a command and as a call; its colours as text. */
function mapCopies(x, y, keep) {
  const n = 64, vary = (a) => `${a.name}=${a.low}:${a.high}:${n}`, { set, initial, until } = besideMap(x, y), list = (o) => Object.entries(o).map(([k, v]) => `${k}=${v}`).join(",");
  const words = ["sweep", studio.name, "--vary", vary(x), "--vary", vary(y), "--keep", keep, ...(list(set) ? ["--set", list(set)] : []), ...(list(initial) ? ["--initial", list(initial)] : []), ...(until ? ["--until", until] : []), "--plot", "map.png"];
  const [name, what] = keep.split(/=(.*)/), numbers = pythonNumbers;
  const axis = (a) => `${JSON.stringify(a.name)}: np.linspace(${a.low}, ${a.high}, ${n})`;
  const python = `import numpy as np\nimport rattleback as rb\n\nmodel = rb.load(${JSON.stringify(studio.name)})\nfound = model.sweep({${axis(x)}, ${axis(y)}}, {${JSON.stringify(name)}: ${JSON.stringify(what)}}, params=${numbers(set)}, initial=${numbers(initial)}${until ? `, until=${until}` : ""})\nprint(found)\n`;
  $("map-copies").replaceChildren(copies([["copy command", () => copy(commandLine(words), "the command")], ["copy Python", () => copy(python, "Python")],
    ["copy text", () => copy(studio.map.table || "", "the table")], ["copy LaTeX", () => copy(mapLatex(x, y, keep), "LaTeX")]]));
}
const mapLatex = (x, y, keep) => `\\includegraphics[width=\\linewidth]{map.png}\n\\caption{${asLatex(keep.replace(/^value=/, ""))} over ${asLatex(x.name)} from ${x.low} to ${x.high} and ${asLatex(y.name)} from ${y.low} to ${y.high}.}\n`;

/** A ring where a motion was chosen: u and v from 0 to 1, or null. */
function markMap(place) {
  $("map-mark").hidden = !place;
  if (!place) return;
  $("map-mark").style.left = `${100 * place[0]}%`;
  $("map-mark").style.top = `${100 * (1 - place[1])}%`;
}
function chooseInMap(u, v) {
  if (!studio.map || !studio.laboratory) return;
  const { motion } = studio.laboratory;
  studio.map.at = [u, v];
  markMap([u, v]);
  for (const [a, w] of [[studio.map.x, u], [studio.map.y, v]]) {
    const c = motion.controls().find((one) => one.id === a.name);
    if (c) motion.set(c, a.low + w * (a.high - a.low));
  }
  studio.laboratory.keep = [];
  studio.laboratory.touch();
}
function clickMap(e) {
  const box = $("map").getBoundingClientRect();
  chooseInMap((e.clientX - box.left) / box.width, 1 - (e.clientY - box.top) / box.height);
}
function walkMap(e) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[e.key];
  if (!step || !studio.map) return;
  e.preventDefault();
  e.stopPropagation();
  const clamp = (w) => Math.min(1, Math.max(0, w)), [u, v] = studio.map.at;
  chooseInMap(clamp(u + step[0] / 64), clamp(v + step[1] / 64));
}

// ---------------------------------------------------------------------------------------------------------------- exports
function download(name, blob) {
  const a = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(a.href), 20000);
  studio.downloaded = name;
  say(`${name} is downloaded`);
}
const stem = () => studio.name.replace(/.*\//, "").replace(/\.toml$/, "");

function exported(action, file, type, more = {}) {
  say("exporting…");
  return asking("export", async (signal) => {
    const { bytes, end } = await compute(request(action, more), { signal });
    if (end.exit !== 0 || !bytes.length) return say(failureOf(end));
    return download(file, new Blob([bytes], { type }));
  });
}
const motionNow = () => (studio.laboratory ? { set: studio.laboratory.motion.values(), initial: studio.laboratory.motion.initial(), until: `${studio.laboratory.motion.until}` } : {});

/** The animation from its beginning to its end, as the canvas shows it. */
function recordFilm() {
  if (!studio.stage) return say("There is no scene to record.");
  const { player, stage } = studio, type = typeof MediaRecorder === "undefined" ? null : ["video/webm;codecs=vp9", "video/webm"].find((t) => MediaRecorder.isTypeSupported(t));
  if (!type) return say("This browser cannot record WebM films.");
  const recorder = new MediaRecorder(stage.canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 6e6 }), parts = [], handles = stage.handles;
  recorder.ondataavailable = (e) => parts.push(e.data);
  recorder.onstop = () => {
    stage.handles = handles;
    download(`${stem()}.webm`, new Blob(parts, { type: "video/webm" }));
  };
  stage.handles = [];
  player.pause();
  player.seek(player.first);
  recorder.start();
  player.play();
  return asking("record", (signal) => new Promise((done) => {
    const watch = setInterval(() => {
      say(`recording, ${Math.round((100 * (player.time - player.first)) / (player.last - player.first))} %`);
      if (player.playing && !signal.aborted) return;
      clearInterval(watch);
      player.pause();
      recorder.stop();
      done(null);
    }, 100);
  }));
}

// ---------------------------------------------------------------------------------------------------------------- menus
function menu(button, entries) {
  const box = $("menu"), place = button.getBoundingClientRect();
  box.replaceChildren();
  for (const entry of entries) {
    if (entry === null) box.append(document.createElement("hr"));
    else if (typeof entry === "string") box.append(Object.assign(document.createElement("small"), { textContent: entry }));
    else {
      const b = Object.assign(document.createElement("button"), { type: "button", textContent: entry[0] });
      b.setAttribute("role", "menuitem");
      b.addEventListener("click", () => { closeMenu(); entry[1](); });
      box.append(b);
    }
  }
  box.hidden = false;
  box.style.left = `${Math.max(8, Math.min(place.left, innerWidth - box.offsetWidth - 8))}px`;
  const below = place.bottom + 4, above = place.top - 4 - box.offsetHeight;
  box.style.top = `${below + box.offsetHeight <= innerHeight ? below : Math.max(4, Math.min(above, innerHeight - box.offsetHeight - 4))}px`;
  button.setAttribute("aria-expanded", "true");
  menu.button = button;
  box.querySelector("[role=menuitem]").focus();
}
function closeMenu() {
  if ($("menu").hidden) return;
  $("menu").hidden = true;
  menu.button.setAttribute("aria-expanded", "false");
  menu.button.focus();
}
function walkMenu(e) {
  const items = [...$("menu").querySelectorAll("[role=menuitem]")], at = items.indexOf(document.activeElement);
  if (e.key === "ArrowDown") items[(at + 1) % items.length].focus();
  else if (e.key === "ArrowUp") items[(at - 1 + items.length) % items.length].focus();
  else if (e.key === "Escape") closeMenu();
  else return;
  e.preventDefault();
  e.stopPropagation();
}

function ago(when) {
  const minutes = Math.round((Date.now() - when) / 60000), unit = minutes < 1 ? "just now" : minutes < 90 ? `${minutes} min ago` : minutes < 2880 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} days ago`;
  return unit;
}
async function fileMenu() {
  const files = await fetched("/api/files").catch(() => []), left = leftTexts().filter((o) => o.folder === studio.start.folder);
  menu($("file-button"), [
    ["New", () => show({ name: "untitled.toml", text: emptyModel })], ["Save (Ctrl-S)", () => save()], ["Save as…", saveAs],
    ["Open a shared link…", async () => { const link = await question("Paste the link", ""); if (link) openLink(link); }], ["Keys (?)", () => $("keys").showModal()], null,
    ...(left.length ? ["not saved", ...left.map((o) => [`${o.name}, left ${ago(o.when)}`, () => takeUp(o)]), null] : []),
    files.length ? "open, recently changed first" : "no model files in this folder yet",
    ...files.slice(0, 40).map((f) => [f.name, async () => show(await fetched(`/api/file?name=${encodeURIComponent(f.name)}`))]),
  ]);
}
function exportMenu() {
  const to = (language, ending, type = "text/plain") => () => exported("export", `${stem()}.${ending}`, type, { to: language });
  menu($("export-button"), [
    ["Report (.html)", () => exported("report", `${stem()}.html`, "text/html", { seconds: 60 })], ["Report, checked by Coq (.html)", () => exported("report", `${stem()}.html`, "text/html", { seconds: 60, coq: true })], ["Notebook (.ipynb)", to("ipynb", "ipynb", "application/x-ipynb+json")], null,
    ["Figures (.svg)", () => exported("plot", `${stem()}.svg`, "image/svg+xml", { format: "svg", ...motionNow() })], ["Figures (.png)", () => exported("plot", `${stem()}.png`, "image/png", { format: "png", ...motionNow() })],
    ["Figures (.pdf)", () => exported("plot", `${stem()}.pdf`, "application/pdf", { format: "pdf", ...motionNow() })], ["Film (.webm)", recordFilm], null,
    ["Equations (.tex)", to("latex", "tex")], ["C (.c)", to("c", "c")], ["Python (.py)", to("python", "py")], ["JavaScript (.mjs)", to("js", "mjs")], ["JSON", to("json", "json")],
  ]);
}

// ---------------------------------------------------------------------------------------------------------------- zoo
function gallery() {
  const box = $("gallery-cards");
  if (!box.children.length) {
    let theme = null, cards = null;
    for (const m of studio.start.zoo) {
      if (m.theme !== theme) {
        theme = m.theme;
        cards = Object.assign(document.createElement("div"), { className: "cards" });
        box.append(Object.assign(document.createElement("h3"), { textContent: theme }), cards);
      }
      const card = Object.assign(document.createElement("button"), { type: "button", className: "card" });
      card.dataset.model = m.name;
      card.append(Object.assign(document.createElement("canvas"), { className: "picture", width: 320, height: 200 }), Object.assign(document.createElement("span"), { textContent: m.title || m.name }), Object.assign(document.createElement("small"), { textContent: m.name }));
      card.addEventListener("click", async () => {
        $("gallery").close();
        show(await fetched(`/api/model?name=${m.name}`));
      });
      cards.append(card);
      thumbnails.observe(card);
    }
  }
  $("gallery").showModal();
}
const waitingCards = [];
let drawingCards = false;
const thumbnails = new IntersectionObserver((entries) => {
  for (const e of entries) {
    if (!e.isIntersecting) continue;
    thumbnails.unobserve(e.target);
    waitingCards.push(e.target);
  }
  drawCards();
});
/** Small pictures, one after the other while the gallery is open; kept for the next time. */
async function drawCards() {
  if (drawingCards) return;
  drawingCards = true;
  while (waitingCards.length) {
    const seen = (c) => { const b = c.getBoundingClientRect(); return b.height > 0 && b.bottom > 0 && b.top < innerHeight; };
    const [card] = waitingCards.splice(Math.max(0, waitingCards.findIndex(seen)), 1), canvas = card.querySelector("canvas"), name = card.dataset.model;
    const key = `rattleback-picture-${studio.start.version}-${name}-${matchMedia("(prefers-color-scheme: dark)").matches}`, kept = localStorage.getItem(key);
    if (kept) { canvas.replaceWith(Object.assign(new Image(), { className: "picture", src: kept, alt: "" })); continue; }
    if (!$("gallery").open) { waitingCards.unshift(card); break; }
    try {
      const { text } = await fetched(`/api/model?name=${name}`);
      const done = await compute({ action: "film", text, name: `${name}.toml`, live: false, keep: false }), data = JSON.parse(done.text());
      if (data.data && data.data.film.scene) {
        const { film: it } = data.data, stage = new Stage(canvas, it.scene, it.t);
        stage.follow = false;
        stage.draw(it.t[0] + 0.35 * (it.t[it.t.length - 1] - it.t[0]));
        try { localStorage.setItem(key, canvas.toDataURL("image/webp", 0.7)); } catch { /* no room */ }
      }
    } catch { /* no picture of this one */ }
  }
  drawingCards = false;
}
function searchZoo() {
  const words = $("gallery-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of document.querySelectorAll(".card")) {
    const text = `${card.textContent} ${card.dataset.model}`.toLowerCase();
    card.hidden = !words.every((w) => text.includes(w));
    card.style.display = card.hidden ? "none" : "";
  }
  $("gallery-none").hidden = [...document.querySelectorAll(".card")].some((c) => !c.hidden);
  for (const h of document.querySelectorAll("#gallery-cards h3")) h.hidden = ![...h.nextElementSibling.children].some((c) => !c.hidden);
}

// ---------------------------------------------------------------------------------------------------------------- the page
function wireTabs() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const choose = (tab) => {
    const panel = $(tab.getAttribute("aria-controls"));
    for (const t of tabs) {
      t.setAttribute("aria-selected", t === tab);
      t.tabIndex = t === tab ? 0 : -1;
      $(t.getAttribute("aria-controls")).hidden = t !== tab;
    }
    // What was chosen is seen from its beginning, and more of it than a few lines.
    const { top } = panel.getBoundingClientRect();
    if (top > 0.55 * innerHeight || top < tab.getBoundingClientRect().bottom) panel.scrollIntoView({ block: "start" });
    if (tab.id === "tab-equations") answersFollow();
  };
  tabs.forEach((tab, k) => {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (e) => {
      const next = e.key === "ArrowRight" ? tabs[(k + 1) % tabs.length] : e.key === "ArrowLeft" ? tabs[(k + tabs.length - 1) % tabs.length] : null;
      if (!next) return;
      next.focus();
      choose(next);
      e.preventDefault();
    });
  });
}
function wireSplitter() {
  const bar = $("splitter"), set = (percent) => document.querySelector(".panes").style.setProperty("--left", `${Math.min(75, Math.max(20, percent))}%`);
  let now = 42;
  bar.addEventListener("pointerdown", (e) => bar.setPointerCapture(e.pointerId));
  bar.addEventListener("pointermove", (e) => bar.hasPointerCapture(e.pointerId) && set((now = (100 * e.clientX) / innerWidth)));
  bar.addEventListener("keydown", (e) => { if (e.key === "ArrowLeft") set((now -= 2)); else if (e.key === "ArrowRight") set((now += 2)); });
}
/** Where sliders scroll beneath the film it stays; beyond them it is seen small, in a corner. */
function wireFilm() {
  const style = document.documentElement.style, bar = document.querySelector(".bar"), hero = document.querySelector(".hero"), figure = document.querySelector(".player"), back = $("film-back");
  new ResizeObserver(() => style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
  const small = (yes) => {
    if (figure.classList.contains("small") === yes) return;
    hero.style.paddingTop = yes ? `${figure.offsetHeight}px` : "";  // nothing moves when it leaves its place
    figure.classList.toggle("small", yes);
    back.hidden = !yes;
    if (yes) figure.append(back);
  };
  const seen = new IntersectionObserver((entries) => {
    const { isIntersecting, boundingClientRect } = entries[entries.length - 1];
    small(!isIntersecting && !figure.hidden && boundingClientRect.top < 0);
  }, { rootMargin: "-100px 0px 0px" });  // the bar and the tabs cover the rest
  seen.observe(hero);
  back.addEventListener("click", () => hero.scrollIntoView({ block: "start", behavior: "instant" }));
}
function command(name) {
  if (name === "run") { changed(true); if (studio.player) studio.player.play(); }
  if (name === "save") save();
  return true;
}

async function begin() {
  const { start, draft, film: asked } = await early, { opened } = start;
  Object.assign(studio, { start, early: asked });
  studio.player = new Player(0, 1);
  wireControls(studio.player);
  studio.phases = new Phases(studio.player);
  studio.fixedListeners = studio.player.listeners.length;
  wireTabs();
  wireSplitter();
  wireFilm();
  $("form").append(Object.assign(document.createElement("option"), { value: "", textContent: "usual" }), ...start.forms.map((f) => Object.assign(document.createElement("option"), { value: f.name, textContent: f.title })));
  $("run-button").addEventListener("click", () => command("run"));
  $("stop-button").addEventListener("click", stopAll);
  $("file-button").addEventListener("click", fileMenu);
  $("export-button").addEventListener("click", exportMenu);
  $("share-button").addEventListener("click", async () => copy(await shareLink(), "a link that holds the model; it opens in any studio"));
  $("zoo-button").addEventListener("click", gallery);
  $("gallery-search").addEventListener("input", searchZoo);
  $("gallery").addEventListener("close", () => thumbnails.takeRecords());
  $("derive-button").addEventListener("click", derive);
  $("form").addEventListener("change", derive);
  $("steps").addEventListener("change", derive);
  $("ask-button").addEventListener("click", askAll);
  $("claim-form").addEventListener("submit", prove);
  $("claim-kind").addEventListener("change", exampleOfClaim);
  $("map-button").addEventListener("click", paintMap);
  $("map").addEventListener("click", clickMap);
  $("map").addEventListener("keydown", walkMap);
  $("cloud-button").addEventListener("click", dropCloud);
  $("menu").addEventListener("keydown", walkMenu);
  document.addEventListener("pointerdown", (e) => !$("menu").hidden && !e.target.closest("#menu") && closeMenu());
  document.addEventListener("keydown", (e) => {
    if ((e.ctrlKey || e.metaKey) && e.key === "s") { e.preventDefault(); if (!e.defaultPrevented || !e.target.closest(".cm-editor")) save(); }
    else if ((e.ctrlKey || e.metaKey) && e.key === "Enter" && !e.target.closest(".cm-editor")) command("run");
    else if (e.key === "Escape" && !document.querySelector("dialog[open]")) stopAll();
    else if (e.key === "?" && !e.target.closest("input, textarea, [contenteditable], dialog")) $("keys").showModal();
  });
  window.addEventListener("hashchange", () => location.hash.includes("model=") && openLink(location.hash));
  window.addEventListener("pagehide", () => studio.ready && remember());
  await firstPicture(draft || opened);
  readLater("codemirror.js", "script");
  studio.editor = new Editor($("editor"), { keys: start.keys, functions: start.functions, onChange: () => { changed(); }, onCommand: command });
  if (location.hash.includes("model=")) await openLink(location.hash);
  else if (draft) {
    show(draft);
    if (draft.saved) {
      const kept = await fetched(`/api/file?name=${encodeURIComponent(draft.name)}`).catch(() => null);
      if (kept) studio.savedText = kept.saved === draft.saved ? kept.text : null;
      mark();
    }
  } else if (opened) show(opened);
  else { show({ name: "untitled.toml", text: emptyModel }); }
  studio.ready = true;
  requestIdleCallback(readKatex, { timeout: 2000 });
}
const longestWaitForPicture = 900;  // milliseconds; the editor and the check would take the processor from the film
/** The film that was asked for early is shown before the editor is read, unless it takes long. */
async function firstPicture(shown) {
  if (!studio.early) return;
  const answer = await Promise.race([studio.early.answer.catch(() => null), pause(longestWaitForPicture)]), { text } = studio.early;
  if (!answer) return;
  Object.assign(studio, { name: shown.name, link: shown.link || "", early: null });
  if (!present(text, answer)) return;
  ++studio.films;
  await Promise.race([nextFrame(), pause(100)]);  // a page in the background has no frames
  await pause(0);
}
begin().catch((problem) => {
  console.error(problem);
  say(`The studio cannot begin: ${problem.message}`);
});
