// What the tests in a browser share: their arguments, the browser, and an end with 77, which the test suite shows as skipped, when there is none.
//
//     node NAME.cjs PROGRAM WEB_PACKAGES [SCREENSHOTS]
"use strict";
const fs = require("node:fs"), os = require("node:os"), path = require("node:path");

const [program, packages, screenshots] = process.argv.slice(2).map((p) => path.resolve(p));
const skip = (why) => {
  console.log(`SKIPPED: ${why}`);
  process.exit(77);
};
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => fs.existsSync(p));
if (!browserPath) skip("no Chromium: install the package `chromium`");
let chromium;
try {
  ({ chromium } = require(path.join(packages, "playwright-core")));
} catch {
  skip("no playwright-core: run tools/fetch-web.sh");
}

/** Skips the test where a package of the pages is absent. */
function needs(folder, name) {
  if (!fs.existsSync(path.join(packages, folder))) skip(`no ${name}: run tools/fetch-web.sh`);
}

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const newFolder = (name) => fs.mkdtempSync(path.join(os.tmpdir(), `${name}-`));

module.exports = { program, packages, screenshots, browserPath, chromium, flags, needs, newFolder };
