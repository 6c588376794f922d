// Reports in a real browser: nothing in the console, nothing fetched, formulas set, the mechanism moves, the controls work.
//
//     node report.cjs PROGRAM WEB_PACKAGES [SCREENSHOTS]
//
// Exits with 77, which the test suite shows as skipped, when there is no browser to ask.
"use strict";
const { execFileSync } = require("node:child_process");
const fs = require("node:fs"), path = require("node:path");
const assert = require("node:assert/strict");
const { program, screenshots, browserPath, chromium, flags, needs, newFolder } = require("./setup.cjs");

needs("katex", "KaTeX");
const folder = newFolder("report");
const screens = {
  laptop: { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
};

/** A page without complaints: what it logs, throws or asks for is collected. */
async function open(browser, file, screen) {
  const context = await browser.newContext(screen), page = await context.newPage(), complaints = [];
  page.setDefaultTimeout(120000);  // a machine with other work
  page.on("console", (m) => complaints.push(`${m.type()}: ${m.text()}`));
  page.on("pageerror", (e) => complaints.push(`error: ${e.message}`));
  page.on("request", (r) => r.url() !== `file://${file}` && !r.url().startsWith("data:") && complaints.push(`asks for ${r.url()}`));
  await page.goto(`file://${file}`);
  await page.waitForFunction(() => document.readyState === "complete");
  return { page, context, complaints };
}

const picture = (page) => page.evaluate(() => document.getElementById("stage").toDataURL());
const time = (page) => page.evaluate(() => window.rattleback.player.time);

async function formulas(page, name) {
  for (const d of await page.$$("details")) await d.evaluate((e) => (e.open = true));
  await page.waitForTimeout(300);
  const found = await page.evaluate(() => ({
    all: document.querySelectorAll("[data-tex]").length,
    set: document.querySelectorAll("[data-tex].set .katex").length,
    wrong: document.querySelectorAll(".katex-error, .plain").length,
  }));
  assert.ok(found.all > 5, `${name}: there are formulas`);
  assert.ok(found.set >= found.all, `${name}: ${found.set} of ${found.all} formulas are set`);
  assert.equal(found.wrong, 0, `${name}: no formula is wrong`);
}

async function controls(page, name) {
  await page.evaluate(() => window.rattleback.player.pause());
  await page.evaluate(() => window.rattleback.player.seek(0));
  const start = await picture(page);
  await page.click("#play");
  await page.waitForFunction(() => window.rattleback.player.time > 0.15, null, { timeout: 60000 });
  await page.click("#play");
  const paused = await time(page);
  assert.notEqual(await picture(page), start, `${name}: the mechanism moves`);
  await page.waitForTimeout(200);
  assert.equal(await time(page), paused, `${name}: pause stops it`);
  const last = await page.evaluate(() => window.rattleback.player.last);
  await page.$eval("#scrub", (e, v) => { e.value = v; e.dispatchEvent(new Event("input")); }, last / 2);
  assert.ok(Math.abs((await time(page)) - last / 2) < last / 1000, `${name}: the slider seeks`);
  await page.$eval("#follow", (e) => e.click());
  await page.$eval("#follow", (e) => e.click());
  const plots = await page.$$eval(".plots svg .series", (all) => all.map((p) => p.getAttribute("d").length));
  assert.ok(plots.length >= 3 && plots.every((n) => n > 100), `${name}: curves are drawn`);
}

async function fits(page, name) {
  const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(content <= screen, `${name}: ${content} px on a screen of ${screen} px`);
}

/** No verdict's badge lies over the claim beside it, on the screen and on paper. */
async function apart(page, name) {
  for (const media of ["print", "screen"]) {
    await page.emulateMedia({ media });
    const overlaps = await page.$$eval(".verdict > summary .badge", (all) => all.filter((badge) => {
      const a = badge.getBoundingClientRect(), b = badge.nextElementSibling?.getBoundingClientRect();
      return b && a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom;
    }).map((badge) => badge.textContent));
    assert.deepEqual(overlaps, [], `${name}, ${media}: badges over claims`);
  }
}

let certificates = 0;

/** What the page promises: every section, every kind of figure, reasons behind each verdict, certificates to unfold. */
async function sections(page, name) {
  for (const id of ["top", "model", "equations", "verdicts", "run", "source"]) {
    assert.equal(await page.locator(`#${id}`).count(), 1, `${name}: #${id}`);
  }
  const titles = await page.$$eval(".plots figcaption b", (all) => all.map((e) => e.textContent));
  for (const title of ["Speeds", "Phase portrait", "Drift of what is constant"]) {
    assert.ok(titles.includes(title), `${name}: ${title} in ${titles}`);
  }
  const spectrum = titles.includes("Spectrum of the speeds");  // of what oscillates, and only of that
  if (/^falling-disk/.test(name)) assert.ok(spectrum, name);
  if (/^chaplygin-sleigh/.test(name)) assert.ok(!spectrum, name);
  assert.ok((await page.$$(".space .glyph, .space .thin")).length > 0, `${name}: the space is drawn`);
  assert.ok((await page.$$(".verdict")).length > 10, `${name}: verdicts`);
  assert.equal((await page.$$(".verdict .inside:empty")).length, 0, `${name}: reasons`);
  certificates += (await page.$$(".verdict .inside details pre")).length;
}

/** A model with an abstract function without a formula cannot run; its page says so and has everything else. */
async function without_run(browser) {
  const file = path.join(folder, "skate-in-a-field.html"), model = path.join(folder, "skate.toml");
  const text = execFileSync(program, ["models", "skate-in-a-field"]).toString();
  fs.writeFileSync(model, text.replace(/, value = "[^"]*"/, ""));
  execFileSync(program, ["report", model, "--timeout", "8", "-o", file]);
  const { page, context, complaints } = await open(browser, file, screens.laptop);
  await formulas(page, "without a run");
  assert.ok((await page.textContent(".hero")).includes("There is no run"), "it says that there is no run");
  assert.deepEqual(complaints, [], "without a run");
  await context.close();
}

async function main() {
  const browser = await chromium.launch({ executablePath: browserPath, args: flags });
  try {
    for (const model of ["chaplygin-sleigh", "falling-disk", "suslov", "appell-hamel", "bianchi-v"]) {
      const file = path.join(folder, `${model}.html`);
      execFileSync(program, ["report", model, "--timeout", "8", "-o", file]);
      assert.ok(fs.statSync(file).size < 3e6, `${model}: less than 3 MB`);
      for (const [kind, screen] of Object.entries(screens)) {
        const name = `${model} on ${kind}`, { page, context, complaints } = await open(browser, file, screen);
        await controls(page, name);
        await sections(page, name);
        await formulas(page, name);
        await fits(page, name);
        await apart(page, name);
        if (kind === "dark") {
          const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
          assert.ok(paper[0] < 60, `${name}: dark paper`);
        }
        if (kind === "laptop") assert.ok((await page.pdf({ format: "A4" })).length > 20000, `${name}: prints`);
        assert.deepEqual(complaints, [], name);
        if (screenshots) await page.screenshot({ path: path.join(screenshots, `${model}-${kind}.png`) });
        await context.close();
      }
      console.log(`${model}: as it should be`);
    }
    assert.ok(certificates > 0, "some verdict has a certificate to unfold");
    await without_run(browser);
  } finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
  }
}

main().catch((problem) => {
  console.error(problem);
  process.exit(1);
});
