// How quickly pages follow a hand, measured in Chromium, each value beside its goal: frames a second of live reports while a slider moves,
// with the time of the processor that a frame takes (less than 33 ms: thirty frames a second on a machine that has nothing else to do), for
// every model file of models/; opening of the studio, keystroke to marks and slider to film, on the clock and in time of the processor: the
// page's thread and the program's processes. On a busy machine the clock says little. Ends with 1 where a goal is missed.
//
//     node bench/pages.cjs PROGRAM WEB_PACKAGES [studio | reports] [MODEL ... | all]
"use strict";
const { execFileSync, spawn } = require("node:child_process");
const fs = require("node:fs"), os = require("node:os"), path = require("node:path");
const [program, packages] = process.argv.slice(2, 4).map((p) => path.resolve(p));
const { chromium } = require(path.join(packages, "playwright-core"));
const flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pages-"));
const part = ["studio", "reports"].find((name) => name === process.argv[4]), named = process.argv.slice(part ? 5 : 4);
/** The model files themselves, so that none is missing because a list leaves it out. */
const zoo = fs.readdirSync(path.join(__dirname, "..", "models")).filter((f) => f.endsWith(".toml")).map((f) => f.slice(0, -5)).sort();
const unknown = named.filter((name) => name !== "all" && !zoo.includes(name));
if (unknown.length) throw new Error(`models/ has no ${unknown.join(", ")}`);
const chosen = (otherwise) => (named.includes("all") ? zoo : named.length ? named : otherwise);
const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];
const goals = { open: 1000, marks: 100, film: 50, frame: 1000 / 30, rate: 30 };  // milliseconds; frames a second
const missed = [];
/** A value beside its goal. */
function beside(model, what, value, goal) {
  if (!(value <= goal)) missed.push(`${model}, ${what}: ${value.toFixed(0)} ms, goal ${goal.toFixed(0)}`);
  return `${value.toFixed(0).padStart(4)} ms (goal ${goal.toFixed(0)}${value <= goal ? "" : ", MISSED"})`;
}

/** Frames a second while the first slider moves for two seconds; the page has to draw what it computes. */
async function framesASecond(page) {
  return page.evaluate(() => new Promise((done) => {
    const lab = window.rattleback && window.rattleback.laboratory;
    if (!lab) return done(null);
    const { slider, c } = lab.knobs[0], began = performance.now(), first = lab.frames;
    const move = () => {
      const t = performance.now() - began;
      if (t > 2000) return done((1000 * (lab.frames - first)) / t);
      slider.value = c.low + (c.high - c.low) * (0.5 + 0.3 * Math.sin(t / 200));
      slider.dispatchEvent(new Event("input"));
      return requestAnimationFrame(move);
    };
    move();
  }));
}

async function reports(browser) {
  const models = chosen(zoo);
  let seen = 0;
  for (const model of models) {
    const file = path.join(folder, `${model}.html`);
    for (const seconds of ["0.5", "4", "30"]) {  // verdicts are not wanted, but some runs need a moment
      execFileSync(program, ["report", model, "--timeout", seconds, "-o", file]);
      if (fs.readFileSync(file, "utf8").includes('id="live"')) break;
    }
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`file://${file}`);
    await page.waitForFunction(() => document.readyState === "complete" && window.rattleback, null, { timeout: 20000 }).catch(() => null);
    await page.waitForTimeout(500);
    const cdp = await page.context().newCDPSession(page), used = async () => (await cdp.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    const before = await used(), rate = await framesASecond(page), each = rate ? (1000 * ((await used()) - before)) / (2 * rate) : NaN;
    if (rate === null) missed.push(`${model}: its report has no sliders`);
    else ++seen;
    const slow = rate !== null && rate < goals.rate - 1;  // the first and the last frame of two seconds may be lost
    if (slow) missed.push(`${model}: ${rate.toFixed(0)} frames a second on the clock, goal ${goals.rate}`);
    console.log(`${model.padEnd(34)} ${rate === null ? "NO SLIDERS" : `${rate.toFixed(0).padStart(3)} frames a second (goal ${goals.rate}${slow ? ", MISSED" : ""}), of the processor for each ${beside(model, "a frame", each, goals.frame)}`}`);
    await page.close();
    fs.rmSync(file);
  }
  console.log(`${seen} of ${models.length} models were moved${models.length === zoo.length ? ": all files of models/" : ""}`);
}

/** The studio of a model in a page of its own, and how long its first picture took. */
async function opened(browser, model) {
  const server = spawn(program, ["studio", model, "--no-browser"], { cwd: folder });
  const address = await new Promise((ready, never) => {
    server.stdout.once("data", (line) => ready(line.toString().match(/http:\S+/)[0]));
    server.once("exit", () => never(new Error(`the studio of ${model} did not begin`)));
  });
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" })).newPage();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const used = async () => {  // milliseconds of the processor: the page's thread, the program with its children
    const page_ = 1000 * (await cdp.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
    const ticks = (pid) => fs.readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\)/, "").trim().split(" ").slice(11, 15).reduce((a, b) => a + +b, 0);
    const kept = fs.readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").trim().split(" ").filter(Boolean);  // they have not been waited for
    return [page_, 10 * (ticks(server.pid) + kept.reduce((sum, pid) => sum + ticks(pid), 0))];
  };
  const spent = async (before, count) => (await used()).map((x, i) => ((x - before[i]) / count).toFixed(0)).join(" + ");
  const began = Date.now(), atFirst = await used();
  await page.goto(address);
  await page.waitForFunction(() => window.studio && window.studio.films > 0);
  const opening = Date.now() - began, openingUsed = await spent(atFirst, 1);
  const close = async () => {
    server.kill("SIGINT");
    await page.context().close();
  };
  return { page, used, spent, opening, openingUsed, close };
}

async function studio(browser) {
  // Small ones, then those that take the program longest.
  const usual = ["chaplygin-sleigh", "falling-disk", "snakeboard", "rattleback", "ackermann-car", "snake-robot", "four-bar", "rattleback-kane",
    "euler-disk", "two-balls", "ball-in-hoop", "turning-bowl", "coin-in-bowl", "bicycle", "bicycle-with-tyres"];
  const idle = (page) => page.waitForFunction(() => window.studio.ready && window.studio.questions.size === 0 && window.studio.filmed === window.studio.editor.text());
  for (const model of chosen(usual)) {
    const openings = [];
    for (let k = 0; k < 2; ++k) {
      const one = await opened(browser, model);
      openings.push(one.opening);
      await one.close();
    }
    const { page, used, spent, opening, openingUsed, close } = await opened(browser, model);
    openings.push(opening);
    const marks = [], films = [], natives = [], beginnings = [], parts = [], times = 12;
    await idle(page);
    const beforeMarks = await used();
    for (let k = 0; k < times; ++k) {
      const before = await page.evaluate(() => window.studio.checks);
      await page.evaluate(() => window.studio.editor.view.dispatch({ changes: { from: 0, insert: "#" } }));
      await page.waitForFunction((n) => window.studio.checks > n, before);
      marks.push(await page.evaluate(() => window.studio.keystroke));
      await page.waitForTimeout(150);  // as one types
    }
    const marksUsed = await spent(beforeMarks, times);
    await idle(page);
    const beforeFilms = await used();
    for (let k = 0; k < times; ++k) {
      const [whole, exact, beginning, part_] = await page.evaluate((n) => new Promise((done) => {
        const lab = window.studio.laboratory, knob = lab.knobs[0];
        lab.drafted = lab.followed = lab.soon = 0;
        knob.slider.value = knob.c.low + (knob.c.high - knob.c.low) * (0.3 + 0.03 * n);
        knob.slider.dispatchEvent(new Event("input"));
        // Whichever comes first: the whole motion by the page's own stepper, the program's draft or its exact film. Its beginning is seen before.
        const first = (own) => (own ? Math.min(own, lab.followed) : lab.followed);
        const look = () => (lab.state === "rest" && lab.followed ? done([first(lab.drafted), lab.followed, first(lab.answered), lab.soon]) : requestAnimationFrame(look));
        look();
      }), k);
      films.push(whole);
      natives.push(exact);
      beginnings.push(beginning);
      parts.push(part_);
      await page.waitForTimeout(400);
    }
    console.log(`studio, ${model}:
  open to first picture     ${beside(model, "open to first picture", median(openings), goals.open)}, of ${openings.join(", ")}; processor ${openingUsed}
  keystroke to marks        ${beside(model, "keystroke to marks", median(marks), goals.marks)}; processor, with all that follows it, ${marksUsed}
  slider to the new film    ${beside(model, "slider to the new film", median(beginnings), goals.film)}; after 50 ms ${(100 * median(parts)).toFixed(0)} % of it are seen
  slider to the whole of it ${beside(model, "slider to the whole new film", median(films), goals.film)}; the program's exact film ${median(natives).toFixed(0)} ms; processor ${await spent(beforeFilms, times)}`);
    await close();
  }
}

(async () => {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: flags });
  if (part !== "reports") await studio(browser);
  if (part !== "studio") await reports(browser);
  await browser.close();
  fs.rmSync(folder, { recursive: true, force: true });
  console.log(missed.length ? `goals missed:\n  ${missed.join("\n  ")}` : "all goals are met");
  process.exitCode = missed.length ? 1 : 0;
})();
