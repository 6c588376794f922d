// Every formula that the program writes in LaTeX, for the whole zoo, must be set by KaTeX without an error.
//     node katex_zoo.js KATEX_FOLDER PROGRAM
const { execFileSync } = require("child_process");
const [folder, program] = process.argv.slice(2);
const katex = require(folder);

const run = (...args) => execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
// Headings of themes start at the margin, models two columns further.
const models = run("models").split("\n").filter((line) => line.startsWith("  ")).map((line) => line.trim().split(" ")[0]);

/** Displayed environments, and what stands between dollars outside of them. */
function formulas(text) {
  const found = [];
  const prose = text
    .replace(/^%.*$/gm, "")
    .replace(/\\begin\{align\*\}[^]*?\\end\{align\*\}/g, (display) => (found.push(display), ""));
  for (const match of prose.matchAll(/\$([^$]*)\$/g)) found.push(match[1]);
  return found;
}

let set = 0;
const wrong = [];
for (const model of models) {
  for (const formula of formulas(run("export", model, "--to", "latex"))) {
    try {
      katex.renderToString(formula, { displayMode: true, throwOnError: true, strict: "error", maxExpand: Infinity });
      ++set;
    } catch (error) {
      wrong.push(`${model}: ${error.message.slice(0, 200)}`);
    }
  }
}
let caught = false; // a setter that accepts everything would prove nothing
try {
  katex.renderToString("\\frac{1}{", { throwOnError: true });
} catch (error) {
  caught = true;
}
console.log(wrong.join("\n") || `${set} formulas of ${models.length} models are set`);
process.exit(wrong.length > 0 || !caught || set < 5 * models.length ? 1 : 0);
