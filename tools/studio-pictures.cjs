// The pictures of the studio in the documentation, taken from the real thing:
//
//     node tools/studio-pictures.cjs PROGRAM WEB_PACKAGES
"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs"), os = require("node:os"), path = require("node:path");
const [program, packages] = process.argv.slice(2).map((p) => path.resolve(p));
const { chromium } = require(path.join(packages, "playwright-core"));
const pictures = path.join(__dirname, "..", "docs", "tutorial", "pictures");

async function main() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pictures-"));
  fs.mkdirSync(pictures, { recursive: true });
  const server = spawn(program, ["studio", "chaplygin-sleigh", "--no-browser"], { cwd: folder });
  const address = await new Promise((ready) => server.stdout.once("data", (line) => ready(line.toString().match(/http:\S+/)[0])));
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", colorScheme: "light" })).newPage();
  page.setDefaultTimeout(120000);
  const shot = (name) => page.screenshot({ path: path.join(pictures, `${name}.png`) });
  await page.goto(address);
  await page.waitForFunction(() => window.studio && window.studio.films > 0);
  await page.evaluate(() => window.studio.player.seek(4));
  await shot("studio");
  const portrait = page.locator("#plots .draggable");
  await portrait.scrollIntoViewIfNeeded();
  await page.evaluate(() => document.getElementById("tab-plots").scrollIntoView());
  const box = await portrait.boundingBox();
  for (const [u, v] of [[0.75, 0.3], [0.4, 0.65], [0.6, 0.8]]) await page.mouse.click(box.x + u * box.width, box.y + v * box.height);
  await page.waitForFunction(() => window.studio.laboratory.motions.every((m) => m.native));
  await page.click("#cloud-button");
  await page.waitForFunction(() => /lanes/.test(document.getElementById("cloud-note").textContent));
  await page.evaluate(() => window.studio.player.seek(3.5));
  await shot("studio-portrait");
  await page.click("#cloud-button");
  await page.evaluate(() => document.querySelector(".see").scrollTo(0, 0));
  await page.evaluate(() => {
    const { view } = window.studio.editor, at = view.state.doc.toString().indexOf("y'*cos(theta) =");
    view.dispatch({ changes: { from: at + 7, to: at + 12, insert: "thta" }, selection: { anchor: at } });
  });
  await page.waitForSelector(".cm-lintRange-error");
  await page.hover(".cm-lintRange-error");
  await page.waitForSelector(".cm-diagnosticAction");
  await shot("studio-error");
  await page.click(".cm-diagnosticAction");
  await page.waitForTimeout(1500);
  await page.click("#tab-verdicts");
  await page.fill("#seconds-each", "3");
  await page.click("#ask-button");
  await page.waitForFunction(() => document.querySelectorAll("#verdicts .verdict-row").length > 8);
  await shot("studio-verdicts");
  await browser.close();
  server.kill("SIGINT");
  fs.rmSync(folder, { recursive: true, force: true });
}
main();
