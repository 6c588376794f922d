// The studio in a real browser: write a model from nothing to a film, make and mend an error, move sliders, drag, ask, stop,
// save, reload, share.
//
//     node studio.cjs PROGRAM WEB_PACKAGES [SCREENSHOTS]
//
// Exits with 77, which the test suite shows as skipped, when there is no browser to ask.
"use strict";
const { execFileSync, spawn } = require("node:child_process");
const fs = require("node:fs"), path = require("node:path");
const assert = require("node:assert/strict");
const { program, screenshots, browserPath, chromium, flags, needs, newFolder } = require("./setup.cjs");

needs("codemirror", "CodeMirror");
const folder = newFolder("studio");
const sleigh = execFileSync(program, ["models", "chaplygin-sleigh"]).toString();

function start(...words) {
  const server = spawn(program, ["studio", "--no-browser", ...words], { cwd: folder });
  return new Promise((ready) => server.stdout.once("data", (line) => ready({ server, address: line.toString().match(/http:\S+/)[0] })));
}

async function open(browser, address, screen = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", acceptDownloads: true, ...screen });
  const page = await context.newPage(), complaints = [];
  page.setDefaultTimeout(120000);
  page.on("console", (m) => complaints.push(`${m.type()}: ${m.text()}`));
  page.on("pageerror", (e) => complaints.push(`error: ${e.stack}`));
  page.on("request", (r) => !/^(http:\/\/127\.0\.0\.1|data:|blob:)/.test(r.url()) && complaints.push(`asks for ${r.url()}`));
  const asked = [];
  page.on("request", (r) => r.url().endsWith("/api/job") && asked.push(JSON.parse(r.postData()).action));
  await page.goto(address);
  await page.waitForFunction(() => window.studio && window.studio.ready);
  return { page, context, complaints, asked };
}

const films = (page) => page.evaluate(() => window.studio.films);
const anotherFilm = (page, before) => page.waitForFunction((n) => window.studio.films > n, before);
const settled = (page) => page.waitForFunction(() => {
  const lab = window.studio.laboratory;
  return lab && !lab.dirty && lab.state === "rest";
});
const shot = (page, name) => screenshots && page.screenshot({ path: path.join(screenshots, `${name}.png`) });
const text = (page) => page.evaluate(() => window.studio.editor.text());

/** The film of the model that is opened is on its way while the page is read: it is asked for once, before anything else. */
async function opening(browser) {
  const { server, address } = await start("snakeboard"), { page, context, asked } = await open(browser, address);
  await page.waitForFunction(() => window.studio.checks > 0 && window.studio.films > 0);
  assert.deepEqual(asked.slice(0, 2), ["film", "check"]);
  assert.equal(asked.filter((action) => action === "film").length, 1, "the film of the opened text is computed once");
  await context.close();
  server.kill("SIGINT");
}

/** From an empty editor to a film. */
async function write(page) {
  await anotherFilm(page, 0);
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.waitForFunction(() => document.querySelector("#problems .error"));
  assert.ok(await page.evaluate(() => !!window.studio.laboratory), "the last good motion stays while the text is broken");
  const before = await films(page);
  await page.keyboard.insertText(sleigh);
  await anotherFilm(page, before);
  assert.deepEqual(await page.$$eval(".knob .name", (all) => all.map((e) => e.textContent)), ["m", "J", "a", "x", "y", "θ", "u", "ω"]);
  const picture = () => page.evaluate(() => document.getElementById("stage").toDataURL());
  const first = await picture();
  await page.evaluate(() => window.studio.player.seek(5));
  assert.notEqual(await picture(), first, "the mechanism moves");
}

/** The film is that of the text, and nothing is being computed that could replace it. */
const quiet = (page) => page.waitForFunction(() => {
  const { studio } = window;
  return studio.filmed === studio.editor.text() && studio.questions.size === 0;
});

/** A misspelt name is marked under its very characters, and the fix is one click. */
async function mend(page) {
  const before = await films(page);
  await page.evaluate(() => {
    const { view } = window.studio.editor, at = view.state.doc.toString().indexOf("y'*cos(theta) =");
    view.dispatch({ changes: { from: at + 7, to: at + 12, insert: "thta" } });
  });
  await page.waitForFunction(() => document.querySelector(".cm-lintRange-error"));
  assert.equal(await page.textContent(".cm-lintRange-error"), "thta", "the mark lies under the wrong characters");
  assert.match(await page.textContent("#problems"), /thta/);
  await shot(page, "studio-error");
  await page.evaluate(() => { const lab = window.studio.laboratory; lab.motion.set(lab.motion.controls().find((c) => c.id === "J"), 0.5); lab.followed = 0; lab.touch(); });
  await page.waitForFunction(() => window.studio.laboratory.followed > 0);  // the program computes the last good model while the text is broken
  await page.evaluate(() => window.studio.laboratory.reset());
  await settled(page);
  await page.hover(".cm-lintRange-error");
  await page.waitForSelector(".cm-diagnosticAction");
  assert.match(await page.textContent(".cm-tooltip"), /fix:/, "why and fix are shown");
  await page.click(".cm-diagnosticAction");
  await anotherFilm(page, before);
  assert.equal((await page.$$(".cm-lintRange-error")).length, 0);
  assert.equal(await text(page), sleigh, "the fix restores the text");
  // A wrong function: the mark covers its argument, the replacement does not.
  await page.evaluate(() => {
    const { view } = window.studio.editor, at = view.state.doc.toString().indexOf("y'*cos(theta) =");
    view.dispatch({ changes: { from: at + 3, to: at + 6, insert: "coss" } });
  });
  await page.waitForSelector(".cm-lintRange-error");
  await page.hover(".cm-lintRange-error");
  await page.locator(".cm-diagnosticAction", { hasText: /^Replace by cos$/ }).click();
  await page.waitForFunction((s) => window.studio.editor.text() === s && !document.querySelector(".cm-lintRange-error"), sleigh);
}

/** Every fix that is a replacement is a button beneath the editor as well: a finger and a keyboard have no pointer to rest. */
async function mendByButton(page) {
  const put = (t) => page.evaluate((s) => { const { view } = window.studio.editor; view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: s } }); }, t);
  for (const [right, wrong, button] of [["sin(theta)\"", "sin theta\"", "Replace by sin(theta)"], ["theta'^2", "theta'**2", "Replace by ^"], ["cos(theta) = x'", "cos(theta) == x'", "Replace by ="],
    ["positive = true", "positive = True", "Replace by true"], ["value = 0.5", "value = 0,5", "Replace by 0.5"], ["y = \"R\"", "y = R", "Replace by \"R\""], ["y = \"R\"", "y = \"r\"", "Replace by \"R\""],
    ["y = \"R\"", "y = \"R", "Add \""], ["[constraints]", "[constraint]", "Replace by constraints"], ["cos(theta) = x'", "cos(θ) = x'", "Replace by theta"]]) {
    assert.ok(sleigh.includes(right), right);
    await put(sleigh.replace(right, () => wrong));
    await page.locator("#problems .mend", { hasText: button }).first().click();
    await page.waitForFunction((t) => window.studio.editor.text() === t && !document.querySelector("#problems .error"), sleigh);
  }
  assert.equal(await page.evaluate(() => document.activeElement.classList.contains("cm-content")), true, "the hand goes on where the text was mended");
  // What is not a replacement has no button.
  await put(sleigh.replace("y = \"R\"", "y = \"R\"\ny = \"R\""));
  await page.waitForSelector("#problems .error");
  assert.equal(await page.$("#problems .mend"), null);
  await put(sleigh);
  await quiet(page);
}

/** The pause after a key is shorter for a model that takes long to read: marks should come within 100 ms. */
async function pauses(page) {
  const pause = (latency) => page.evaluate((l) => {
    const later = window.setTimeout, { studio } = window;
    let asked = null;
    window.setTimeout = (f, milliseconds) => { if (f === check) asked = milliseconds; return later(f, milliseconds); };
    studio.latency = l;
    studio.editor.view.dispatch({ changes: { from: 0, insert: "#" } });
    window.setTimeout = later;
    return asked;
  }, latency);
  assert.deepEqual([await pause(20), await pause(50), await pause(85), await pause(300)], [45, 25, 5, 5]);
  await page.evaluate((t) => { const { view } = window.studio.editor; view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: t } }); }, sleigh);
  await quiet(page);
}

/** A model without a start has no film: the studio says what to write, and says it of no other text. */
async function startless(page) {
  const whole = await text(page), put = (s) => page.evaluate((t) => { const { view } = window.studio.editor; view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: t } }); }, s);
  await put(`lagrangian = "m*x'^2/2 - k*x^2/2"\n[space]\nx = "R"\n[parameters]\nm = 1\nk = 1\n`);
  await page.waitForFunction(() => /leaves out x\./.test(document.getElementById("no-film").textContent));
  assert.match(await page.textContent("#no-film:not([hidden])"), /leaves out x\./, "the reason");
  const word = () => page.evaluate(() => getComputedStyle(document.querySelector(".player"), "::after").content);
  assert.match(await word(), /last text that runs/);
  await put(`lagrangian = "m*x'^2/2 - k*(x^2/2"\n[space]\nx = "R"\n[parameters]\nm = 1\nk = 1\n`);
  await page.waitForSelector(".cm-lintRange-error");
  assert.ok(await page.isHidden("#no-film"), "the reason belonged to another text");
  assert.match(await word(), /last text that runs/);
  // The start is written by a button: into a new section, into one without a start, and beside what is given.
  const model = (simulation) => `lagrangian = "m*(x'^2 + y'^2)/2 - k*x^2/2"\n[space]\nx = "R"\ny = "R"\n[parameters]\nm = 1\nk = 1\n[velocities]\nu = "x'"\nv = "y'"\n${simulation}`;
  for (const [simulation, written] of [["", /\ninitial = \{ x = 0, y = 0, u = 1, v = 1 \}\nuntil = 10\n/], ["[simulation]\nuntil = 3\n", /\[simulation\]\ninitial = \{ x = 0, y = 0, u = 1, v = 1 \}\nuntil = 3\n/], ["[simulation]\ninitial = { x = 1, u = 2 }\n", /initial = \{ v = 0, x = 1, u = 2 \}/]]) {
    await put(model(simulation));
    await page.waitForSelector("#no-film button");
    const before = await films(page);
    await page.click("#no-film button");
    assert.match(await text(page), written);
    await anotherFilm(page, before);
    assert.ok(await page.isHidden("#no-film"), "it runs");
    assert.equal(await word(), "none");
  }
  const checks = await page.evaluate(() => window.studio.checks);
  await put(whole);
  await page.waitForFunction((n) => window.studio.checks > n, checks);
  await quiet(page);
}

async function completion(page) {
  await page.evaluate(() => {
    const { view } = window.studio.editor, at = view.state.doc.toString().indexOf("y'*cos(theta) =");
    view.dispatch({ selection: { anchor: at } });
    view.focus();
  });
  await page.keyboard.type("the");
  await page.waitForFunction(() => [...document.querySelectorAll(".cm-completionLabel")].some((e) => e.textContent === "theta"));
  await page.keyboard.press("Escape");
  for (let k = 0; k < 3; ++k) await page.keyboard.press("Backspace");
  await page.waitForFunction((s) => window.studio.editor.text() === s && window.studio.filmed === s, sleigh);
  // Names of coordinates and velocities are keys of a start, quoted where TOML wants it; sections have names; prose has no names.
  const offered = async (line, explicit = true) => {
    await page.evaluate((t) => { const { view } = window.studio.editor, end = view.state.doc.length; view.dispatch({ changes: { from: end, insert: `\n${t}` }, selection: { anchor: end + t.length + 1 } }); view.focus(); }, line);
    if (explicit) await page.keyboard.press("Control+Space");
    await page.waitForTimeout(300);
    const labels = await page.$$eval(".cm-completionLabel", (all) => all.map((e) => e.textContent));
    return labels;
  };
  const restore = () => page.evaluate((t) => { const { view } = window.studio.editor; view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: t } }); }, sleigh);
  const start = await offered("[simulation]\ninitial = { ");
  assert.ok(["x", "theta", "theta'", "u", "omega"].every((name) => start.includes(name)), `a start: ${start}`);
  await page.keyboard.type("theta'");
  await page.waitForFunction(() => [...document.querySelectorAll(".cm-completionLabel")].map((e) => e.textContent).join() === "theta'");
  await page.keyboard.press("Enter");
  assert.ok((await text(page)).endsWith(`initial = { "theta'" = `), "a key with a prime is quoted");
  await restore();
  assert.ok((await offered("[con")).includes("constraints"));
  await restore();
  assert.deepEqual(await offered("title = \"the"), [], "prose is not completed");
  await restore();
  const functions = await offered("[define]\nz = \"sq");
  assert.ok(functions.includes("sqrt"), `${functions}`);
  await page.keyboard.press("Escape");
  await restore();
  await page.waitForFunction((s) => window.studio.filmed === s, sleigh);
  const pointAt = (found, offset) => page.evaluate(([s, o]) => {
    const { view } = window.studio.editor, at = view.state.doc.toString().indexOf(s);
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    const box = view.coordsAtPos(at + o);
    return [box.left, (box.top + box.bottom) / 2];
  }, [found, offset]);
  await page.mouse.move(...await pointAt("cos(theta) = x'", 2));
  await page.waitForSelector(".meaning .katex");
  assert.match(await page.textContent(".meaning"), /function.*sin/, "a function shows its derivative");
  await page.mouse.move(5, 5);
  await page.waitForSelector(".meaning", { state: "detached" });
  // A name under the pointer shows its meaning and its formula.
  const name = await page.evaluate(() => {
    const { view } = window.studio.editor, at = view.state.doc.toString().indexOf("omega = \"theta'");
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    const box = view.coordsAtPos(at + 2);
    return [box.left, (box.top + box.bottom) / 2];
  });
  await page.mouse.move(...name);
  await page.waitForSelector(".meaning .katex");
  assert.match(await page.textContent(".meaning"), /quasi-velocity/);
  await page.mouse.move(5, 5);
}

async function move(page) {
  await quiet(page);
  const asked = [], note = (r) => r.url().endsWith("/api/job") && asked.push(JSON.parse(r.postData()));
  page.on("request", note);
  await page.evaluate(() => {
    const knob = window.studio.laboratory.knobs.find((k) => k.c.id === "a");
    knob.slider.value = 0.3;
    knob.slider.dispatchEvent(new Event("input"));
  });
  await settled(page);
  page.off("request", note);
  assert.deepEqual(asked.filter((r) => r.action === "film").map((r) => r.draft), [true, false], "a draft at once, the exact film when the hand rests");
  const native = await page.evaluate(() => { const { series } = window.studio.laboratory.film; return series.omega[series.omega.length - 1]; });
  const said = JSON.parse(execFileSync(program, ["simulate", "chaplygin-sleigh", "--set", "a=0.3", "--format", "json", "--search", "0"]).toString());
  assert.ok(Math.abs(native - said.state.omega) < 1e-5, `the program's film: ${native}, ${said.state.omega}`);
  const at = await page.evaluate(() => {
    const { stage, player } = window.studio;
    player.seek(player.first);  // the camera follows the body: later the start may be out of sight
    const box = stage.canvas.getBoundingClientRect(), p = stage.handlePixel(stage.handles[0]);
    return [box.left + p[0], box.top + p[1]];
  });
  const start = () => page.evaluate(() => [...window.studio.laboratory.motion.start]), before = await start();
  await page.mouse.move(...at);
  await page.mouse.down();
  for (let k = 1; k <= 5; ++k) await page.mouse.move(at[0] + 8 * k, at[1] - 6 * k);
  await page.mouse.up();
  await settled(page);
  assert.notDeepEqual(await start(), before, "the start was dragged");
  // The motion can be taken along in every way that other results can.
  for (const [item, said] of [["as text", /a = 0\.3\n[^]*omega: /], ["as LaTeX", /\\begin\{tabular\}[^]*\\omega/], ["as command", /^rattleback simulate \S+\.toml --set a=0\.3 --initial /],
    ["as Python", /model\.simulate\(until=20, initial=\{[^}]+\}, params=\{"a": 0\.3\}/], ["as a table (.csv)", /^t,x,y,theta,u,omega\n0,/]]) {
    await page.getByRole("button", { name: "Copy…" }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await page.waitForFunction(() => document.getElementById("activity").textContent.startsWith("copied"));
    assert.match(await page.evaluate(() => window.studio.copied), said, item);
    await page.evaluate(() => (document.getElementById("activity").textContent = ""));
  }
}

/** While sliders and plots scroll the film stays in sight: above them, or small in a corner. */
/** Figures keep their axes and curves at values where the program would group them in another way. */
async function sameFigures(page) {
  const figures = () => page.$$eval("#plots figure:not(.section)", (all) => all.map((f) => [f.querySelector("b").textContent, [...f.querySelectorAll("text.axis")].map((t) => t.textContent).join(),
    [...f.querySelectorAll(".series:not(.added)")].filter((p) => p.getAttribute("d")).length]));
  const before = await figures();
  assert.deepEqual(before.map((f) => f[0]).sort(), ["Angles", "Drift of what is constant", "Path, from above", "Phase portrait", "Positions", "Speeds"]);
  for (const [u, omega] of [[0.1, 0.01], [1, 0]]) {
    await page.evaluate((values) => {
      const lab = window.studio.laboratory, { motion } = lab;
      for (const [id, v] of Object.entries(values)) motion.set(motion.controls().find((c) => c.id === id), v);
      lab.followed = 0;
      lab.touch();
    }, { u, omega });
    await page.waitForFunction(() => window.studio.laboratory.followed > 0 && window.studio.laboratory.state === "rest");
    assert.deepEqual(await figures(), before, `figures at u = ${u}, omega = ${omega}`);
  }
  await page.evaluate(() => window.studio.laboratory.reset());
  await settled(page);
}

async function filmInSight(page) {
  const inSight = () => page.evaluate(() => { const b = document.getElementById("stage").getBoundingClientRect(); return b.top > -20 && b.bottom < innerHeight + 2 && b.height > 50; });
  const small = () => page.evaluate(() => document.querySelector(".player").classList.contains("small"));
  await page.evaluate(() => document.querySelector(".live-actions").scrollIntoView({ block: "end", behavior: "instant" }));
  await page.waitForTimeout(100);
  assert.ok(await inSight(), "the film stays above the sliders");
  await page.click("#tab-plots");
  const room = () => page.evaluate(() => document.querySelector(".hero").offsetHeight);
  await settled(page);
  const before = await room();
  await page.evaluate(() => document.querySelector("#plots figure:last-child").scrollIntoView({ block: "end", behavior: "instant" }));
  await page.waitForFunction(() => document.querySelector(".player").classList.contains("small"));
  assert.ok(await inSight(), "it is small in a corner");
  const box = await page.locator(".player").boundingBox();
  assert.ok(box.height < 200 && box.width < 300 && box.y > 500, `small: ${JSON.stringify(box)}`);
  await page.click("#tab-facts");
  assert.ok(await page.isHidden(".player.small"), "it does not cover what is to be read");
  await page.click("#tab-plots");
  await page.evaluate(() => document.querySelector("#plots figure:last-child").scrollIntoView({ block: "end", behavior: "instant" }));
  await page.waitForFunction(() => document.querySelector(".player").classList.contains("small"));
  assert.ok(Math.abs(await room() - before) <= 2, "and its place is kept: nothing moves");
  await page.click("#film-back");
  await page.waitForFunction(() => !document.querySelector(".player").classList.contains("small"));
  assert.ok(await inSight() && !(await small()), "back at the film");
}

async function ask(page) {
  await page.click("#tab-equations");
  await page.waitForFunction(() => document.querySelector("#equations .katex"));
  const forms = await page.$$eval("#form option", (all) => all.map((o) => o.value)), said = new Set();
  for (const form of forms.filter(Boolean)) {  // every form the program has, with steps
    await page.evaluate(() => document.getElementById("equations").replaceChildren());
    await page.selectOption("#form", form);
    await page.waitForFunction(() => document.getElementById("equations").textContent.length > 20 && window.studio.questions.size === 0);  // formulas, or why this form does not apply
    said.add(await page.textContent("#equations"));
  }
  assert.ok(forms.length > 5 && said.size > forms.length / 2, `${forms.length} forms, ${said.size} different`);
  await page.selectOption("#form", "");
  await page.waitForFunction(() => document.querySelector("#equations .katex") && window.studio.questions.size === 0);
  const plain = (await page.textContent("#equations")).length;
  await page.check("#steps");
  await page.waitForFunction((n) => document.getElementById("equations").textContent.length > n, plain);
  await page.click("#tab-verdicts");
  await page.fill("#seconds-each", "5");
  await page.click("#ask-button");
  await page.waitForFunction(() => document.querySelectorAll("#verdicts .verdict-row").length >= 3);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.getElementById("stop-button").hidden);
  const stopped = (await page.$$("#verdicts .verdict-row")).length;
  assert.ok(stopped >= 3, "verdicts appear one by one, and Escape stops the rest");
  const proved = page.locator("#verdicts .verdict-row", { has: page.locator("button", { hasText: /^certificate$/ }) }).first();
  await proved.locator("summary").first().click();
  const coming = page.waitForEvent("download");
  await proved.getByRole("button", { name: "certificate", exact: true }).click();
  const file = await coming, certificate = JSON.parse(fs.readFileSync(await file.path(), "utf8"));
  assert.match(file.suggestedFilename(), /\.json$/);
  assert.ok(Object.keys(certificate).length > 1, "a certificate is downloaded");
  await page.click("#tab-prove");
  await page.fill("#claim", "m*u^2/2 + (J + m*a^2)*omega^2/2");
  await page.press("#claim", "Enter");
  await page.waitForFunction(() => document.querySelector("#claims .badge"));
  assert.equal(await page.textContent("#claims .badge"), "proved");
  await page.click("#claims summary");
  await page.getByRole("button", { name: "copy command" }).last().click();
  assert.match(await page.evaluate(() => window.studio.copied), /^rattleback prove .* --conserved/);
  await page.evaluate(() => { const { view } = window.studio.editor; view.dispatch({ changes: { from: 0, insert: "# Another text.\n" } }); });
  await page.waitForSelector("#claims .verdict-row.outdated");
  await page.evaluate(() => { const { view } = window.studio.editor; view.dispatch({ changes: { from: 0, to: 16 } }); });
  await page.waitForSelector("#claims .verdict-row:not(.outdated)");
  for (const [kind, claim, said] of [["conserved", "banana", /banana is not a coordinate, velocity or parameter/], ["symmetry", "theta", /Write --symmetry/],
    ["agrees", "hamel", /needs two forms/], ["agrees", "hamel, multipliers", /proved/], ["agrees", "hamel vakonomic", /refuted/]]) {
    const claims = (await page.$$("#claims > *")).length;
    await page.selectOption("#claim-kind", kind);
    await page.fill("#claim", claim);
    await page.press("#claim", "Enter");
    await page.waitForFunction((n) => document.querySelectorAll("#claims > *").length > n, claims);
    assert.match(await page.textContent("#claims > :first-child"), said, `${kind} ${claim}`);
  }
}

async function map(page) {
  await page.click("#tab-map");
  const first = await page.inputValue("#map-x-to"), of = await page.inputValue("#map-of");
  for (const [id, wrong, right, said] of [["#map-x-to", "", first, /must go from a smaller to a larger number/], ["#map-x-to", "-7", first, /must go from a smaller to a larger number/],
    ["#map-of", "banana", of, /banana is not a coordinate, velocity or parameter/]]) {
    await page.fill(id, wrong);
    await page.click("#map-button");
    await page.waitForFunction((s) => new RegExp(s).test(document.getElementById("map-note").textContent), said.source);
    await page.fill(id, right);
  }
  await page.click("#map-button");
  await page.waitForFunction(() => window.studio.map && window.studio.map.painted >= 16);
  await page.keyboard.press("Escape");
  const touched = await page.evaluate(() => window.studio.touched || 0);
  await page.click("#map", { position: { x: 60, y: 60 } });
  await page.waitForFunction((before) => window.studio.touched > before, touched);
  await settled(page);
  assert.ok(await page.isVisible("#map-mark"), "the chosen motion is marked in the map");
  await page.focus("#map");
  const chosen = await page.evaluate(() => window.studio.map.at[0]);
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.evaluate(() => window.studio.map.at[0]) > chosen, "the arrow keys walk in the map");
  await settled(page);
  await page.click("#map-copies button:nth-child(2)");
  assert.match(await page.evaluate(() => window.studio.copied), /import rattleback as rb[^]*model\.sweep\(/);
}

/** Motions that do not arrive have no colour in a map, and do not hold up the others for ever. */
/** The first choice of axes paints where the model names other velocities than the sliders; another end of the motion is the map's, too. */
async function mapOfSpeeds(browser) {
  const { server, address } = await start("snakeboard"), { page, context, complaints } = await open(browser, address);
  await page.waitForFunction(() => window.studio.films > 0);
  await page.click("#tab-map");
  assert.equal(await page.inputValue("#map-y"), "u1", "a speed that the model's start does not name");
  await page.click("#map-button");
  await page.waitForFunction(() => (window.studio.map && window.studio.map.painted >= 8) || /determine/.test(document.getElementById("map-note").textContent));
  assert.ok(await page.evaluate(() => window.studio.map.painted >= 8), await page.textContent("#map-note"));
  await page.keyboard.press("Escape");
  await page.evaluate(() => { const lab = window.studio.laboratory; lab.untilBox.value = "2"; lab.untilBox.dispatchEvent(new Event("change")); });
  await settled(page);
  const asked = [], note = (r) => r.url().endsWith("/api/job") && asked.push(JSON.parse(r.postData()));
  page.on("request", note);
  await page.click("#map-button");
  await page.waitForFunction(() => window.studio.map && window.studio.map.painted >= 8);
  page.off("request", note);
  assert.ok(asked.some((r) => r.action === "sweep" && r.until === "2"), "the map is of the motion that is seen");
  await page.keyboard.press("Escape");
  // Another tab moves nothing once the tabs are at the top, and what is chosen is seen.
  await page.evaluate(() => document.querySelector(".hero").scrollIntoView({ block: "start" }));
  for (const tab of ["verdicts", "plots", "prove"]) {
    await page.click(`#tab-${tab}`);
    const [top, height] = await page.evaluate((t) => [document.getElementById(`panel-${t}`).getBoundingClientRect().top, innerHeight], tab);
    assert.ok(top > 0 && top < 0.56 * height, `${tab} begins at ${top} of ${height} px`);
  }
  assert.deepEqual(complaints, []);
  await context.close();
  server.kill("SIGINT");
}
async function mapOfFailures(browser) {
  fs.writeFileSync(path.join(folder, "escape.toml"), `title = "Escape in finite time"\nlagrangian = "x'^2/2 + x^4/2"\n[space]\nx = "R"\n[simulation]\ninitial = { x = 0.1, "x'" = 0 }\nuntil = 2\n`);
  const { server, address } = await start("escape.toml"), { page, context, complaints } = await open(browser, address);
  await page.waitForFunction(() => window.studio.films > 0);
  await page.click("#tab-map");
  await page.selectOption("#map-x", "x");
  await page.selectOption("#map-y", "x'");
  for (const [id, v] of [["#map-x-from", "0"], ["#map-x-to", "4"], ["#map-y-from", "-0.1"], ["#map-y-to", "0.1"]]) await page.fill(id, v);
  await page.fill("#map-of", "x");
  await page.click("#map-button");
  await page.waitForFunction(() => window.studio.map && window.studio.map.painted >= 16);
  const colours = await page.evaluate(() => { const { data } = document.getElementById("map").getContext("2d").getImageData(0, 250, 512, 1); return [8, 500].map((x) => [...data.slice(4 * x, 4 * x + 4)]); });
  assert.equal(colours[0][3], 255, "a motion that arrives has a colour");
  assert.ok(colours[1][3] < 100, `a motion that leaves space on the way is grey: ${colours[1]}`);
  assert.deepEqual(complaints, []);
  await context.close();
  server.kill("SIGINT");
}

/** What the program says about the motion from a start, at a time. */
function simulated(start, values, until) {
  const set = Object.entries(values).map(([k, v]) => `${k}=${v}`).join(","), names = ["x", "y", "theta", "u", "omega"];
  return JSON.parse(execFileSync(program, ["simulate", "chaplygin-sleigh", ...(set ? ["--set", set] : []), "--until", `${until}`,
    "--initial", names.map((n, k) => `${n}=${start[k]}`).join(","), "--format", "json", "--search", "0"]).toString()).state;
}

/** Clicks in the phase portrait add motions, which can be removed; a cloud of a thousand starts flows through it. */
async function portrait(page) {
  await page.click("#tab-plots");
  const svg = page.locator("#plots .draggable");
  await svg.scrollIntoViewIfNeeded();
  const box = await svg.boundingBox(), before = await page.evaluate(() => [...window.studio.laboratory.motion.start]);
  await page.mouse.click(box.x + 0.4 * box.width, box.y + 0.3 * box.height);
  await page.mouse.click(box.x + 0.7 * box.width, box.y + 0.6 * box.height);
  await page.waitForFunction(() => { const { motions } = window.studio.laboratory; return motions.length === 2 && motions.every((m) => m.native); });
  assert.deepEqual(await page.evaluate(() => [...window.studio.laboratory.motion.start]), before, "a click leaves the start alone");
  assert.equal((await page.$$("#plots .added")).length, 2);
  const { motions, values, until } = await page.evaluate(() => {
    const { motions, motion } = window.studio.laboratory;
    return { motions: motions.map((m) => ({ start: [...m.start], u: m.x[m.x.length - 1], omega: m.y[m.y.length - 1] })), values: motion.values(), until: motion.until };
  });
  for (const m of motions) {
    const said = simulated(m.start, values, until);
    assert.ok(Math.abs(said.u - m.u) < 1e-4 && Math.abs(said.omega - m.omega) < 1e-4, `added: ${m.u}, ${m.omega}; the program: ${said.u}, ${said.omega}`);
  }
  await page.getByRole("button", { name: /^remove the motion from/ }).first().click();
  assert.equal((await page.$$("#plots .added")).length, 1, "one of them is removed");
  await page.getByRole("button", { name: /^keep the present motion/ }).press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#plots .added").length === 2);

  await page.click("#cloud-button");
  await page.waitForFunction(() => /side by side in lanes/.test(document.getElementById("cloud-note").textContent));
  const dots = (t) => page.evaluate((time) => { window.studio.player.seek(time); return document.querySelector("#plots .cloud").getAttribute("d"); }, t);
  const early = await dots(0);
  assert.equal(early.split("M").length - 1, 1000, "a thousand points");
  assert.notEqual(await dots(3), early, "they flow");
  await shot(page, "studio-cloud");
  const one = await page.evaluate(() => { const { cloudRun: run } = window.studio.laboratory, last = run.t.length - 1; return { start: [...run.starts[7]], x: run.x[last][7], y: run.y[last][7], place: run.px[last][7] }; });
  const said = simulated(one.start, values, until);
  for (const [here, there] of [[one.x, said.u], [one.y, said.omega], [one.place, said.x]]) assert.ok(Math.abs(here - there) < 1e-4 * Math.max(1, Math.abs(there)), `cloud: ${here}, the program: ${there}`);
  await page.click("#cloud-button");
  assert.equal((await page.$$("#plots .cloud")).length, 0, "the cloud is removed");
  await page.getByRole("button", { name: "remove all added motions" }).click();
}

/** A tablet: a finger takes the start in the scene and in the phase portrait, and the page does not scroll with it. */
async function tablet(browser, address) {
  const { page, context, complaints } = await open(browser, address, { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true });
  await page.waitForFunction(() => window.studio.films > 0);
  const cdp = await context.newCDPSession(page), touch = (type, at) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: at ? [{ x: at[0], y: at[1] }] : [] });
  const drag = async (from, by) => {
    await touch("touchStart", from);
    for (let k = 1; k <= 5; ++k) await touch("touchMove", [from[0] + (by[0] * k) / 5, from[1] + (by[1] * k) / 5]);
    await touch("touchEnd");
    await settled(page);
  };
  const start = () => page.evaluate(() => [...window.studio.laboratory.motion.start]), scrolled = () => page.evaluate(() => scrollY);
  await page.evaluate(() => { window.studio.player.pause(); window.studio.player.seek(0); document.getElementById("stage").scrollIntoView({ block: "center", behavior: "instant" }); });
  const ring = await page.evaluate(() => { const { stage } = window.studio, box = stage.canvas.getBoundingClientRect(), p = stage.handlePixel(stage.handles[0]); return [box.left + p[0], box.top + p[1]]; });
  const s0 = await start(), y0 = await scrolled();
  await drag(ring, [50, 40]);
  const s1 = await start();
  assert.notDeepEqual(s1, s0, "a finger drags the body");
  assert.equal(await scrolled(), y0, "and not the page");
  await page.evaluate(() => document.querySelector("#plots .draggable").scrollIntoView({ block: "center", behavior: "instant" }));
  const begin = await page.evaluate(() => { const b = document.querySelector("#plots .draggable .start").getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; });
  await drag(begin, [40, 30]);
  assert.notDeepEqual(await start(), s1, "a finger drags the start in the phase portrait");
  const box = await page.locator("#plots .draggable").boundingBox();
  await page.touchscreen.tap(box.x + 0.35 * box.width, box.y + 0.35 * box.height);
  await page.waitForFunction(() => window.studio.laboratory.motions.length === 1);
  const small = await page.$$eval("button, select, input", (all) => all.filter((e) => e.offsetParent && e.type !== "range" && e.type !== "checkbox" && e.getBoundingClientRect().height < 22).map((e) => e.outerHTML.slice(0, 80)));
  assert.deepEqual(small, [], "what a finger should hit is large enough");
  assert.deepEqual(complaints, [], "tablet");
  await shot(page, "studio-tablet");
  await context.close();
}

async function keep(page, browser, address) {
  await page.click("#file-button");
  await page.getByRole("menuitem", { name: "Save as" }).click();
  await page.fill("#question-input", "mine");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("document-name").textContent === "mine.toml");
  assert.equal(fs.readFileSync(path.join(folder, "mine.toml"), "utf8"), sleigh);
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# Mine.\n");
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() => !document.getElementById("document-state").classList.contains("unsaved"));
  assert.equal(fs.readFileSync(path.join(folder, "mine.toml"), "utf8"), `# Mine.\n${sleigh}`);
  await page.keyboard.type("# And unsaved.\n");
  await page.reload();  // at once
  await page.waitForFunction(() => window.studio && window.studio.ready);
  assert.equal(await text(page), `# Mine.\n# And unsaved.\n${sleigh}`, "a reload loses nothing");
  await page.click(".cm-content");
  await page.keyboard.press("Control+z");
  await page.waitForFunction((s) => window.studio.editor.text() !== s, `# Mine.\n# And unsaved.\n${sleigh}`);
  await settled(page);
  await page.evaluate(() => { const lab = window.studio.laboratory; lab.motion.set(lab.motion.controls().find((c) => c.id === "a"), 0.7); lab.touch(); });
  await settled(page);
  const shared = await text(page);
  await page.click("#share-button");
  await page.waitForFunction(() => /#model=/.test(window.studio.copied || ""));
  const link = await page.evaluate(() => window.studio.copied);
  const other = await start(link);  // another studio
  const there = await open(browser, other.address);
  assert.equal(await text(there.page), shared);
  await settled(there.page);
  assert.equal(await there.page.evaluate(() => window.studio.laboratory.motion.params.a), 0.7, "the link carries the values");
  await there.context.close();
  other.server.kill("SIGINT");
}

/** Another document takes no text away that was not saved: the File menu keeps it, with what can be undone. */
async function leave(page) {
  const before = await text(page), seen = await films(page);
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# Precious.");
  await page.keyboard.press("Enter");
  await page.click("#zoo-button");
  await page.click('.card[data-model="knife-edge"]');
  await anotherFilm(page, seen);
  assert.match(await page.textContent("#activity"), /mine\.toml was not saved: the File menu keeps it/);
  await page.reload();
  await page.waitForFunction(() => window.studio && window.studio.ready);
  assert.match(await text(page), /[Kk]nife|skate/);
  await page.click("#file-button");
  await page.getByRole("menuitem", { name: /^mine\.toml, left / }).click();
  assert.equal(await text(page), `# Precious.\n${before}`);
  assert.ok(await page.evaluate(() => document.getElementById("document-state").classList.contains("unsaved")));
  await page.click(".cm-content");
  for (let k = 0; k < 8 && await text(page) !== before; ++k) await page.keyboard.press("Control+z");
  assert.equal(await text(page), before, "what was typed can be undone");
  await page.click("#file-button");
  assert.equal(await page.getByRole("menuitem", { name: /, left / }).count(), 0, "it is taken up, and the untouched copy from the zoo is nobody's work");
  await page.keyboard.press("Escape");
  await settled(page);
}

/** A recorded film has a size, goes on, and its pictures differ. */
async function plays(page, bytes) {
  const { width, height, time, differ } = await page.evaluate(async (data) => {
    const video = Object.assign(document.createElement("video"), { muted: true, src: URL.createObjectURL(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type: "video/webm" })) });
    await new Promise((ready, never) => { video.onloadeddata = ready; video.onerror = () => never(new Error(video.error.message)); });
    const canvas = Object.assign(document.createElement("canvas"), { width: 160, height: 100 }), g = canvas.getContext("2d");
    const picture = () => { g.drawImage(video, 0, 0, 160, 100); return canvas.toDataURL(); }, first = picture();
    await video.play();
    await new Promise((ended) => { video.onended = ended; });
    return { width: video.videoWidth, height: video.videoHeight, time: video.currentTime, differ: picture() !== first };
  }, bytes.toString("base64"));
  assert.ok(width > 200 && height > 100 && time > 0.2 && differ, `a film of ${width} x ${height}, ${time} s, ${differ}`);
}

async function exportsAndZoo(page) {
  await page.evaluate(() => (window.studio.player.rate = 16));  // a short film
  for (const [item, name, begins] of [["Python (.py)", "mine.py", ""], ["Figures (.svg)", "mine.svg", "<"], ["Figures (.png)", "mine.png", "\x89PNG"],
    ["Figures (.pdf)", "mine.pdf", "%PDF-1."], ["Notebook (.ipynb)", "mine.ipynb", "{"], ["Film (.webm)", "mine.webm", "\x1a\x45\xdf\xa3"]]) {
    const coming = page.waitForEvent("download");
    await page.click("#export-button");
    await page.getByRole("menuitem", { name: item }).click();
    const file = await coming, content = fs.readFileSync(await file.path(), "latin1");
    assert.equal(file.suggestedFilename(), name);
    assert.ok(content.startsWith(begins) && content.length > 500, `${name}: ${content.length} bytes, ${content.slice(0, 20)}`);
    if (name.endsWith(".webm")) await plays(page, fs.readFileSync(await file.path()));
    if (name.endsWith(".pdf")) assert.ok(content.includes("/FontFile2") && !content.includes("/DCTDecode"), "vector graphics with their font");
  }
  await page.click("#tab-prove");
  await page.selectOption("#claim-kind", "conserved");
  await page.fill("#claim", "u");
  await page.press("#claim", "Enter");
  await page.waitForSelector("#claims .verdict-row");
  await page.click("#zoo-button");
  await page.fill("#gallery-search", "no such thing");
  await page.waitForSelector("#gallery-none:not([hidden])");
  await page.fill("#gallery-search", "falling");
  await page.waitForFunction(() => [...document.querySelectorAll(".card")].filter((c) => !c.hidden).length < 6);
  await shot(page, "studio-zoo");
  const before = await films(page);
  await page.click('.card[data-model="falling-disk"]');
  await anotherFilm(page, before);
  assert.match(await text(page), /Falling disk|falling/i);
  assert.equal((await page.$$(".verdict-row")).length, 0, "verdicts about another model are gone");
  await page.click("#tab-equations");
  await page.waitForFunction(() => document.querySelector("#equations .katex"));
  const equations = await page.textContent("#equations");
  await page.evaluate(() => {  // another Lagrangian: the equations follow
    const { view } = window.studio.editor, at = view.state.doc.toString().indexOf('gravity = "g"');
    view.dispatch({ changes: { from: at + 11, insert: "7*" } });
  });
  await page.waitForFunction((old) => document.querySelector("#equations .katex") && document.getElementById("equations").textContent !== old, equations);
  const seenFilms = await films(page);
  await page.click(".cm-content");
  await page.keyboard.press("Control+z");
  await anotherFilm(page, seenFilms);
  await page.click("#tab-plots");
  await page.evaluate(() => { const lab = window.studio.laboratory; lab.motion.set(lab.motion.controls().find((c) => c.id === "m"), 2.5); lab.touch(); window.studio.player.seek(2); });
  await settled(page);
  const seen = await films(page);
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# A comment.\n");
  await anotherFilm(page, seen);
  await quiet(page);
  assert.equal(await page.evaluate(() => window.studio.player.time), 2, "a comment does not disturb the film");
  await page.click("#file-button");
  await page.getByRole("menuitem", { name: "mine.toml", exact: true }).click();
  await page.waitForFunction(() => window.studio.laboratory && window.studio.laboratory.motion.about.model === "mine");
  assert.equal(await page.evaluate(() => window.studio.laboratory.motion.link()), "", "another document has its own values");
}

/** A rattleback that is thrown about: phases and impacts beneath the film, by the program alone. */
async function flight(browser, address) {
  const { page, context, complaints } = await open(browser, address);
  await page.waitForFunction(() => window.studio.films > 0);
  const stone = execFileSync(program, ["models", "rattleback"]).toString().replace("[contacts.ground]\n", '[contacts.ground]\nfriction = "1/2"\nrestitution = "1/5"\n')
    .replace("Omega = [0, 0, -4]", "Omega = [12, 0, 5]").replace(/until = .*/, "until = 1.5");
  const others = await films(page);
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(stone);
  await anotherFilm(page, others);
  await page.waitForFunction(() => window.studio.laboratory.motion.until === 1.5);
  assert.ok(await page.isHidden("#phases"), "no phases of a motion that does not fly");
  await page.click("#tab-equations");
  await page.waitForSelector("#equations .note .katex");
  assert.ok(!(await page.evaluate(() => [...document.querySelectorAll("#equations .note")].some((p) => p.textContent.includes("$")))), "formulas in sentences are typeset");
  await page.click("#tab-plots");
  assert.ok(await page.isVisible("#fly-label"), "its contact would have to pull");
  const before = await films(page);
  await page.check("#fly");
  await anotherFilm(page, before);
  assert.ok(await page.isVisible("#phases .phase.flight"), "a phase of flight");
  const impacts = await page.$$("#phases .phase-mark.impact");
  assert.ok(impacts.length > 0, "impacts are marked");
  await impacts[0].click();
  const at = await page.evaluate(() => [window.studio.player.time, window.studio.phases.marks.find((m) => m.kind === "impact").t]);
  assert.ok(Math.abs(at[0] - at[1]) < 1e-9, "a click goes to the impact");
  assert.match(await page.textContent("#phases .phase-text"), /hits/);
  assert.ok(await page.$$eval("#plots svg .mark.impact", (all) => all.length) > 0, "lines in the plots");
  await shot(page, "studio-flight");
  const marks = () => page.evaluate(() => JSON.stringify(window.studio.phases.marks)), first = await marks();
  await page.evaluate(() => { const { slider, c } = window.studio.laboratory.knobs.find((k) => k.c.group === "speed"); slider.value = c.low + 0.62 * (c.high - c.low); slider.dispatchEvent(new Event("input")); });
  await settled(page);
  assert.notEqual(await marks(), first, "other values, other impacts");
  await page.uncheck("#fly");
  await page.waitForFunction(() => document.getElementById("phases").hidden);
  assert.deepEqual(complaints, []);
  await context.close();
}

async function screens(browser, address) {
  for (const [name, screen] of [["tablet-wide", { viewport: { width: 1180, height: 820 }, hasTouch: true, isMobile: true }], ["phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }], ["dark", { colorScheme: "dark" }]]) {
    const { page, context, complaints } = await open(browser, address, screen);
    await page.waitForFunction(() => window.studio.films > 0);
    const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(content <= width, `${name}: ${content} px on a screen of ${width} px`);
    for (const tab of ["plots", "equations", "verdicts", "prove", "map", "facts"]) {
      await page.click(`#tab-${tab}`);
      const beyond = await page.$$eval(`#panel-${tab} :is(select, button, input)`, (all) => all.filter((e) => e.offsetWidth && e.getBoundingClientRect().right > innerWidth).map((e) => e.id || e.textContent));
      assert.deepEqual(beyond, [], `${name}, ${tab}: all can be seen and touched`);
    }
    if (name === "phone") {
      const height = () => page.evaluate(() => document.querySelector(".bar").offsetHeight), before = await height();
      assert.ok(before < 60, `the bar is one line, ${before} px`);
      await page.evaluate(() => (document.getElementById("activity").textContent = "16 of 16 questions"));
      assert.equal(await height(), before, "what is said moves nothing");
    }
    await page.click("#tab-plots");
    await shot(page, `studio-${name}`);
    assert.deepEqual(complaints, [], name);
    await context.close();
  }
}

/** The picture on the whole screen, and the list of keys. */
async function fullScreenAndKeys(page) {
  const whole = () => page.evaluate(() => !!document.fullscreenElement && document.fullscreenElement.contains(document.getElementById("stage")));
  await page.click("#full");
  await page.waitForFunction(() => document.fullscreenElement);
  assert.ok(await whole(), "the picture fills the screen");
  const [canvas, screen] = await page.evaluate(() => [document.getElementById("stage").clientHeight, innerHeight]);
  assert.ok(canvas > 0.8 * screen, `${canvas} of ${screen} px`);
  await page.keyboard.press("f");
  await page.waitForFunction(() => !document.fullscreenElement);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("?");
  await page.waitForSelector("#keys[open]");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.getElementById("keys").open);
}

async function main() {
  const { server, address } = await start(), browser = await chromium.launch({ executablePath: browserPath, args: flags });
  try {
    const { page, context, complaints } = await open(browser, address);
    const step = async (name, work) => {
      await work;
      console.log(`${name}: as it should be`);
    };
    await step("opening", opening(browser));
    await step("write", write(page));
    await step("mend", mend(page));
    await step("mend by button", mendByButton(page));
    await step("pauses", pauses(page));
    await step("startless", startless(page));
    await step("completion", completion(page));
    await step("move", move(page));
    await shot(page, "studio-laptop");
    await step("the same figures", sameFigures(page));
    await step("film in sight", filmInSight(page));
    await step("full screen and keys", fullScreenAndKeys(page));
    await step("ask", ask(page));
    await step("map", map(page));
    await step("portrait", portrait(page));
    await step("keep", keep(page, browser, address));
    await step("leave", leave(page));
    await step("exports and zoo", exportsAndZoo(page));
    const latency = await page.evaluate(() => ({ marks: window.studio.keystroke, draft: window.studio.laboratory.drafted || 0, film: window.studio.followed }));
    console.log(`keystroke to marks ${latency.marks.toFixed(0)} ms, slider to a whole film ${latency.draft.toFixed(0)} ms, to the program's film ${latency.film.toFixed(0)} ms`);
    assert.deepEqual(complaints, []);
    await context.close();
    await step("map of speeds", mapOfSpeeds(browser));
    await step("map of failures", mapOfFailures(browser));
    await step("flight", flight(browser, address));
    await step("tablet", tablet(browser, address));
    await step("screens", screens(browser, address));
  } finally {
    await browser.close();
    server.kill("SIGINT");
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((problem) => {
  console.error(problem);
  process.exit(1);
});
