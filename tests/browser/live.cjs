// Live reports in a real browser: sliders, dragged starts, links and commands give the motion that the program computes.
//
//     node live.cjs PROGRAM WEB_PACKAGES [SCREENSHOTS]
//
// Exits with 77, which the test suite shows as skipped, when there is no browser to ask.
"use strict";
const { execFileSync } = require("node:child_process");
const fs = require("node:fs"), path = require("node:path");
const assert = require("node:assert/strict");
const { program, screenshots, browserPath, chromium, flags, newFolder } = require("./setup.cjs");

const folder = newFolder("live");

async function open(browser, file, { link = "", ...screen } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...screen });
  const page = await context.newPage(), complaints = [];
  page.setDefaultTimeout(120000);
  page.on("console", (m) => complaints.push(`${m.type()}: ${m.text()}`));
  page.on("pageerror", (e) => complaints.push(`error: ${e.message}`));
  await page.goto(`file://${file}${link}`);
  await page.waitForFunction(() => document.readyState === "complete" && window.rattleback);
  return { page, context, complaints };
}

/** Until the exact run after the last change is shown. */
const settled = (page) => page.waitForFunction(() => {
  const lab = window.rattleback.laboratory;
  return !lab.dirty && lab.state === "rest";
}, null, { timeout: 120000 });

/** The last state of the film on the page, and the command that computes it. */
const result = (page) => page.evaluate(() => {
  const lab = window.rattleback.laboratory, last = {};
  for (const [name, values] of Object.entries(lab.film.series)) last[name] = values[values.length - 1];
  return { last, command: lab.motion.command(), failure: lab.job.failure };
});

/** What the command line says is what the page has computed. */
function sameAsProgram({ last, command }, name, tolerance = 1e-6) {
  const words = command.match(/"[^"]*"|\S+/g).slice(1).map((w) => w.replace(/^"|"$/g, ""));
  const said = JSON.parse(execFileSync(program, [...words, "--format", "json", "--search", "0"]).toString());
  const state = { ...said.state, ...said.velocities };
  let compared = 0;
  for (const [key, value] of Object.entries(last)) {
    if (typeof state[key] !== "number") continue;
    ++compared;
    assert.ok(Math.abs(state[key] - value) <= tolerance * Math.max(1, Math.abs(value)), `${name}: ${key} is ${value} on the page, ${state[key]} by \`${command}\``);
  }
  assert.ok(compared > 1, `${name}: ${compared} numbers compared of ${JSON.stringify(Object.keys(said))}`);
}

const slide = (page, name, value) => page.evaluate(([n, v]) => {
  const knob = window.rattleback.laboratory.knobs.find((k) => k.c.id === n);
  knob.slider.value = v;
  knob.slider.dispatchEvent(new Event("input"));
}, [name, value]);

async function sleigh(browser) {
  const file = path.join(folder, "chaplygin-sleigh.html");
  execFileSync(program, ["report", "chaplygin-sleigh", "--timeout", "1", "-o", file]);
  const { page, context, complaints } = await open(browser, file);
  const knobs = await page.$$eval(".knob .name", (all) => all.map((e) => e.textContent));
  assert.deepEqual(knobs, ["m", "J", "a", "x", "y", "θ", "u", "ω"], "a slider for every parameter and for the start");
  assert.ok((await page.textContent(".live")).includes("distance from the blade to the mass centre"), "about texts are labels");

  const before = await page.$eval(".plots .series", (p) => p.getAttribute("d"));
  await slide(page, "a", 0.3);
  await slide(page, "omega", 0.8);
  await settled(page);
  assert.notEqual(await page.$eval(".plots .series", (p) => p.getAttribute("d")), before, "the plots follow");
  sameAsProgram(await result(page), "sliders");
  assert.match(await page.textContent(".live-status"), /Kept: energy to/, "the drift is said");

  await page.getByRole("button", { name: "Copy link" }).click();
  const link = await page.evaluate(() => window.rattleback.laboratory.copied);
  assert.match(link, /#a=0\.3&omega=0\.8$/, link);
  await page.getByRole("button", { name: "Copy command" }).click();
  assert.equal(await page.evaluate(() => window.rattleback.laboratory.copied), "rattleback simulate chaplygin-sleigh --set a=0.3 --initial u=-1,omega=0.8");
  const first = await result(page);
  const again = await open(browser, file, { link: link.slice(link.indexOf("#")) });
  await settled(again.page);
  assert.deepEqual((await result(again.page)).last, first.last, "the link opens the same motion");
  await again.context.close();

  // The start in the scene, then its velocity, then in the phase portrait.
  await page.getByRole("button", { name: /Back to/ }).click();
  await settled(page);
  const pixel = (id) => page.evaluate((which) => {
    const { stage } = window.rattleback, h = stage.handles.find((one) => one.id === which), box = stage.canvas.getBoundingClientRect(), p = stage.handlePixel(h);
    return [box.left + p[0], box.top + p[1]];
  }, id);
  const drag = async (from, by) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    for (let k = 1; k <= 6; ++k) await page.mouse.move(from[0] + (by[0] * k) / 6, from[1] + (by[1] * k) / 6);
    await page.mouse.up();
    await settled(page);
  };
  const start = () => page.evaluate(() => [...window.rattleback.laboratory.motion.start]);
  await page.evaluate(() => document.getElementById("stage").scrollIntoView({ block: "center", behavior: "instant" }));
  const s0 = await start();
  await drag(await pixel("start"), [40, -30]);
  const s1 = await start();
  assert.ok(s1[0] > s0[0] && s1[1] > s0[1], `the start was dragged: ${s0} to ${s1}`);
  await drag(await pixel("velocity"), [-50, 0]);
  const s2 = await start();
  assert.ok(Math.abs(s2[3] - s1[3]) > 0.05 && s2[0] === s1[0], `the velocity was dragged: ${s1} to ${s2}`);
  sameAsProgram(await result(page), "dragged");
  await page.evaluate(() => document.querySelector(".plots .draggable").scrollIntoView({ block: "center", behavior: "instant" }));
  const box = await page.locator(".plots .draggable").boundingBox();
  await drag([box.x + box.width * 0.6, box.y + box.height * 0.4], [30, 20]);
  const s3 = await start();
  assert.ok(s3[3] !== s2[3] || s3[4] !== s2[4], "the start was dragged in the phase portrait");
  sameAsProgram(await result(page), "dragged in the portrait");

  // A velocity that the blade forbids.
  await page.evaluate(() => { location.hash = "#x'=1&y'=1&theta'=0"; });
  await settled(page);
  assert.match(await page.textContent(".live-status"), /moved onto the constraints/, "an inadmissible start is projected, and said so");
  await page.evaluate(() => { location.hash = "#m=-1"; });
  await settled(page);
  assert.match(await page.textContent(".live-status"), /No motion: m is declared positive/, "the program refuses it too");
  assert.deepEqual(complaints, [], "the sleigh's page");
  if (screenshots) await page.screenshot({ path: path.join(screenshots, "live-sleigh.png") });
  await context.close();
}

/** Attitudes are quaternions, contacts bind positions. */
async function others(browser) {
  for (const [model, moves] of [["rattleback", { delta: 0.3, "B.1": 0.1, Omega3: 3 }], ["falling-disk", { theta: 0.4 }], ["suslov", {}]]) {
    const file = path.join(folder, `${model}.html`);
    execFileSync(program, ["report", model, "--timeout", "4", "-o", file]);
    const { page, context, complaints } = await open(browser, file);
    if (model === "rattleback") {
      assert.equal(await page.inputValue(".section-note input"), "0", "a section at a round level");
      assert.ok((await page.$$(".note .katex")).length > 0, "formulas in sentences are typeset");
    }
    for (const [name, value] of Object.entries(moves)) {
      if (await page.evaluate((n) => window.rattleback.laboratory.knobs.some((k) => k.c.id === n), name)) await slide(page, name, value);
    }
    if (!Object.keys(moves).length) await page.evaluate(() => window.rattleback.laboratory.touch());
    await settled(page);
    sameAsProgram(await result(page), model, 1e-5);
    assert.deepEqual(complaints, [], model);
    if (screenshots) await page.screenshot({ path: path.join(screenshots, `live-${model}.png`) });
    await context.close();
  }
}

/** Rates that take a millisecond: the film begins at once, says how far it has come, and ends as the program's. */
async function slow(browser) {
  const { page, context, complaints } = await open(browser, path.join(folder, "chaplygin-sleigh.html"));
  const { frames, longest } = await page.evaluate(() => new Promise((done) => {
    const lab = window.rattleback.laboratory, { rhs } = lab.motion.code, draft = lab.draft.bind(lab), shown = [];
    let slowest = 0;
    lab.motion.code.rhs = (...words) => {
      for (const end = performance.now() + 1; performance.now() < end;);
      return rhs(...words);
    };
    lab.draft = () => {
      const began = performance.now();
      draft();
      slowest = Math.max(slowest, performance.now() - began);
    };
    const look = () => {
      if (lab.state === "draft" && lab.filmed === lab.job) {
        shown.push({ t: lab.film.t[lab.film.t.length - 1], whole: lab.film.whole, said: document.querySelector(".live-progress").textContent,
          known: document.getElementById("scrub").style.getPropertyValue("--known"), last: window.rattleback.player.last });
        if (lab.film.whole) {
          lab.motion.code.rhs = rhs;
          return done({ frames: shown, longest: slowest });
        }
      }
      return requestAnimationFrame(look);
    };
    const knob = lab.knobs.find((k) => k.c.id === "a");
    knob.slider.value = 0.3;
    knob.slider.dispatchEvent(new Event("input"));
    look();
  }));
  const first = frames[0], last = frames[frames.length - 1];
  assert.ok(frames.length > 5 && !first.whole && first.t < last.t, `it comes in parts: ${JSON.stringify(first)}`);
  assert.match(first.said, /^film until t = [0-9.]+ so far$/, "which is said");
  assert.ok(parseFloat(first.known) < 60 && first.last === last.last, `and shown beneath the clock, which goes to the end: ${JSON.stringify(first)}`);
  assert.ok(frames.every((f, k) => !k || f.t >= frames[k - 1].t), "it grows");
  assert.deepEqual([last.said, last.known], ["", "100%"], "the whole film says nothing");
  assert.ok(longest < 250, `a frame took ${longest} ms`);  // a step takes 13 ms, a frame some 25 on a machine that has nothing else to do
  await settled(page);
  sameAsProgram(await result(page), "a slow film");
  assert.deepEqual(complaints, [], "the page of a slow film");
  await context.close();
}

/** A film that plays while a slider moves is drawn once in a frame of the screen. */
async function once(browser) {
  const { page, context } = await open(browser, path.join(folder, "chaplygin-sleigh.html"));
  const { worst, drafts } = await page.evaluate(() => new Promise((done) => {
    const { laboratory: lab, player, stage } = window.rattleback, { slider, c } = lab.knobs[0], draw = stage.draw.bind(stage);
    let drawn = 0, most = 0, count = 0;
    stage.draw = (time) => { ++drawn; draw(time); };
    player.play();
    const move = () => {
      most = Math.max(most, drawn);
      drawn = 0;
      if (++count > 30) return done({ worst: most, drafts: lab.frames });
      slider.value = c.low + (c.high - c.low) * (0.4 + 0.01 * count);
      slider.dispatchEvent(new Event("input"));
      return requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  }));
  assert.equal(worst, 1, "one picture in a frame");
  assert.ok(drafts > 20, `the film followed ${drafts} times`);
  await context.close();
}

async function section(browser) {
  const file = path.join(folder, "contact-oscillator.html");
  execFileSync(program, ["report", "contact-oscillator", "--timeout", "4", "-o", file]);
  const { page, context } = await open(browser, file);
  await page.evaluate(() => document.querySelector("figure.section").scrollIntoView({ behavior: "instant" }));
  await page.waitForFunction(() => parseInt(document.querySelector("figure.section output").textContent) > 40, null, { timeout: 120000 });
  await context.close();
}

/** Sliders of a large model: the film stays in sight while they scroll, they fill the width, and none has the focus beneath the film. */
async function inSight(browser) {
  const file = path.join(folder, "bicycle.html");
  execFileSync(program, ["report", "bicycle", "--timeout", "12", "-o", file]);
  for (const [name, screen] of [["laptop", {}], ["phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]]) {
    const { page, context } = await open(browser, file, screen);
    await page.evaluate(() => document.querySelector(".live-actions").scrollIntoView({ block: "end", behavior: "instant" }));
    const film = () => page.evaluate(() => { const b = document.getElementById("stage").getBoundingClientRect(); return [b.top, b.bottom, innerHeight]; }), [top, bottom, height] = await film();
    assert.ok(top > -5 && bottom < height, `${name}: the film from ${top} to ${bottom}`);
    const columns = await page.evaluate(() => new Set([...document.querySelectorAll(".knob")].map((k) => Math.round(k.getBoundingClientRect().left))).size);
    assert.equal(columns, name === "phone" ? 1 : 3, "columns of sliders");
    // Backwards with the keyboard: what has the focus is not beneath the film.
    await page.focus(".live-actions button");
    for (let k = 0; k < 24; ++k) await page.keyboard.press("Shift+Tab");
    const focused = await page.evaluate(() => document.activeElement.getBoundingClientRect().top);
    assert.ok(focused > (await film())[1], `${name}: the focus is at ${focused}`);
    await context.close();
  }
}

async function main() {
  const browser = await chromium.launch({ executablePath: browserPath, args: flags });
  try {
    await sleigh(browser);
    await slow(browser);
    await once(browser);
    await others(browser);
    await section(browser);
    await inSight(browser);
  } finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
  }
}

main().catch((problem) => {
  console.error(problem);
  process.exit(1);
});
