// How quickly pages follow a hand, measured in Chromium: frames a second of live reports while a slider moves, with the time of the
// processor that a frame takes (less than 33 ms: thirty frames a second on a machine that has nothing else to do), for the whole
// zoo or the models that are named; keystroke to marks, slider to film and opening of the studio, on the clock and in time of the
// processor: the page's thread and the program's processes. On a busy machine the clock says little.
//
//     node bench/pages.cjs PROGRAM WEB_PACKAGES [studio | reports] [MODEL ...]
"use strict";
const { execFileSync, spawn } = require("node:child_process");
const fs = require("node:fs"), os = require("node:os"), path = require("node:path");
const [program, packages] = process.argv.slice(2, 4).map((p) => path.resolve(p));
const { chromium } = require(path.join(packages, "playwright-core"));
const flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pages-"));
const part = ["studio", "reports"].find((name) => name === process.argv[4]), named = process.argv.slice(part ? 5 : 4);
const zoo = named.length ? named
  : execFileSync(program, ["models"]).toString().split("\n").filter((l) => l.startsWith("  ")).map((l) => l.trim().split(" ")[0]);
const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];

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
  const slow = [];
  for (const model of zoo) {
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
    const before = await used(), rate = await framesASecond(page), each = rate ? (1000 * ((await used()) - before)) / (2 * rate) : 0;
    console.log(`${model.padEnd(34)} ${rate === null ? "no run" : `${rate.toFixed(0)} frames a second, ${each.toFixed(1)} ms of the processor each`}`);
    if (rate !== null && each > 33) slow.push(model);
    await page.close();
    fs.rmSync(file);
  }
  console.log(slow.length ? `more than 33 ms a frame: ${slow.join(", ")}` : "every one takes less than 33 ms of the processor a frame");
}

async function studio(browser) {
  // Small ones, then the largest of the zoo.
  const all = ["chaplygin-sleigh", "falling-disk", "snakeboard", "rattleback", "bicycle", "ackermann-car", "snake-robot", "two-balls"];
  for (const model of named.length ? named : all) {
    const server = spawn(program, ["studio", model, "--no-browser"], { cwd: folder });
    const address = await new Promise((ready) => server.stdout.once("data", (line) => ready(line.toString().match(/http:\S+/)[0])));
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
    const opening = Date.now() - began, openingUsed = await spent(atFirst, 1), marks = [], films = [], natives = [], beginnings = [], parts = [], times = 12;
    const beforeMarks = await used();
    for (let k = 0; k < times; ++k) {
      const before = await page.evaluate(() => window.studio.checks);
      await page.evaluate(() => window.studio.editor.view.dispatch({ changes: { from: 0, insert: "#" } }));
      await page.waitForFunction((n) => window.studio.checks > n, before);
      marks.push(await page.evaluate(() => window.studio.keystroke));
    }
    const marksUsed = await spent(beforeMarks, times), beforeFilms = await used();
    for (let k = 0; k < times; ++k) {
      films.push(await page.evaluate((n) => new Promise((done) => {
        const lab = window.studio.laboratory, knob = lab.knobs[0];
        lab.drafted = lab.followed = lab.soon = 0;
        knob.slider.value = knob.c.low + (knob.c.high - knob.c.low) * (0.3 + 0.03 * n);
        knob.slider.dispatchEvent(new Event("input"));
        // Whichever comes first: the whole motion by the page's own stepper, the program's draft or its exact film. Its beginning is seen before.
        const first = (own) => (own ? Math.min(own, lab.followed) : lab.followed);
        const look = () => (lab.state === "rest" && lab.followed ? done([first(lab.drafted), lab.followed, first(lab.answered), lab.soon]) : requestAnimationFrame(look));
        look();
      }), k));
      natives.push(films[k][1]);
      beginnings.push(films[k][2]);
      parts.push(films[k][3]);
      films[k] = films[k][0];
      await page.waitForTimeout(400);
    }
    console.log(`studio, ${model}: open to first picture ${opening} ms (processor ${openingUsed}), keystroke to marks ${median(marks).toFixed(0)} ms (a keystroke with all that follows it ${marksUsed}), ` +
      `slider to the new film ${median(beginnings).toFixed(0)} ms, to the whole of it ${median(films).toFixed(0)} ms (after 50 ms ${(100 * median(parts)).toFixed(0)} % are seen), to the program's exact film ${median(natives).toFixed(0)} ms (both together ${await spent(beforeFilms, times)})`);
    server.kill("SIGINT");
    await page.context().close();
  }
}

(async () => {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: flags });
  if (part !== "reports") await studio(browser);
  if (part !== "studio") await reports(browser);
  await browser.close();
  fs.rmSync(folder, { recursive: true, force: true });
})();
