// The motions that pages compute, for the whole zoo and for forces that switch: JavaScript with its own stepper ends where the program does.
//
//     node live_zoo.js PROGRAM WEB_FOLDER
"use strict";
const { execFileSync } = require("node:child_process");
const fs = require("node:fs"), path = require("node:path"), vm = require("node:vm");
const [program, web] = process.argv.slice(2);
const code = ["scene.js", "plots.js", "dop853.js", "switching.js", "live.js"].map((f) => fs.readFileSync(path.join(web, f), "utf8").replace('"use strict";', "")).join("\n");
const { LiveMotion } = vm.runInThisContext(`(() => {${code}\nreturn { LiveMotion };})()`);

const zoo = execFileSync(program, ["models"]).toString().split("\n").filter((l) => l.startsWith("  ")).map((l) => l.trim().split(" ")[0]);
let compared = 0, drawn = 0, wrong = 0, slowest = [0, ""];
/** The largest difference of two shapes in frame k, relative to their numbers; a quaternion and its negative are one rotation. */
function shapeGap(here, there, k) {
  if (here.kind !== there.kind || here.corners !== (there.corners || here.corners)) return Infinity;
  const differ = (a, b, sign = 1) => (a.length === b.length ? Math.max(0, ...a.map((x, i) => Math.abs(x - sign * b[i]) / Math.max(1, Math.abs(b[i])))) : Infinity);
  const at = (values, wide) => [...values.slice(values.length > wide ? k * wide : 0)].slice(0, wide), gaps = [differ([...here.sizes], there.sizes)];
  if (there.pose) {
    const [a, b] = [at(here.pose, 7), at(there.pose, 7)];
    gaps.push(differ(a.slice(0, 3), b.slice(0, 3)), Math.min(differ(a.slice(3), b.slice(3)), differ(a.slice(3), b.slice(3), -1)));
    if (there.kind === "net") gaps.push(differ([...here.points], there.points));
  } else gaps.push(differ(at(here.points, 3 * there.corners), at(there.points, 3 * there.corners)));
  return Math.max(...gaps);
}

for (const model of zoo) {
  const text = execFileSync(program, ["models", model]).toString();
  let said;
  try {
    said = JSON.parse(execFileSync(program, ["--studio-worker"], { input: JSON.stringify({ action: "film", text, name: `${model}.toml` }), stdio: ["pipe", "pipe", "ignore"], maxBuffer: 1e9 }).toString());
  } catch {
    continue;  // it has no run
  }
  const motion = new LiveMotion(said.live, vm.runInThisContext(`(${said.script})`)), { series } = said.data.film;
  const fail = (why) => { ++wrong; console.log(`${model}: ${why}`); };
  if (motion.problem()) { fail(motion.problem()); continue; }
  motion.project();
  if (motion.projected) fail("the model's own start is said to be off the constraints");
  const job = motion.job({ rtol: 1e-11 }), draft = motion.job({ frames: 240, rtol: 1e-6 });
  const began = process.cpuUsage().user;
  while (!draft.slice(1000)) { /* to its end */ }
  const film = motion.film(draft), cost = (process.cpuUsage().user - began) / 1000;
  if (cost > slowest[0]) slowest = [cost, model];
  while (!job.slice(1000)) { /* to its end */ }
  if (film.t.length < 2) fail("no film");
  // Chaos loses digits: the middle of the run is compared.
  const names = Object.keys(series).filter((n) => n !== "t"), k = Math.floor(series.t.length / 4);
  for (const name of names) {
    const i = said.live.state.findIndex((s) => s.name === name);
    if (i < 0 || !job.y[k]) { fail(`${name} is not there`); continue; }
    const size = Math.max(1, ...series[name].map(Math.abs));
    if (!(Math.abs(job.y[k][i] - series[name][k]) <= 2e-5 * size)) fail(`${name} is ${job.y[k][i]} at t = ${job.t[k]}, ${series[name][k]} by the program`);
    ++compared;
  }
  const { kept, scene } = motion.film(job);
  for (const [n, there] of said.data.film.scene ? said.data.film.scene.shapes.entries() : []) {
    const here = scene.shapes[n], gap = shapeGap(here, there, k);
    ++drawn;
    if (!(gap < 1e-4)) fail(`${there.name} is drawn ${gap} from where the program draws it`);
  }
  kept.forEach((values, n) => {
    const unit = Math.max(1, Math.abs(values[0])), most = Math.max(...values.map((v) => Math.abs(v - values[0]) / unit));
    if (!(most < 1e-6)) fail(`${said.live.kept[n]} drifts by ${most}`);
  });
}

// Forces that switch: dry friction that sticks, stick and slip on a belt, two signs that depend on each other, known times, a stop.
const oneLine = (force, initial, until) => `lagrangian = "x'^2/2 - x^2/2"\n[space]\nx = "R"\n[forces]\nx = "${force}"\n[simulation]\ninitial = { ${initial} }\nuntil = ${until}\n`;
const switching = {
  block: oneLine("-sign(x')/2", "x = 3.3, \"x'\" = 0", 12), belt: oneLine("-0.6*sign(x' - 0.3)/(1 + 2*abs(x' - 0.3))", "x = 0, \"x'\" = 0.3", 30),
  timed: oneLine("sign(t - 2) + max(0, t - 4)/3", "x = 1, \"x'\" = 0", 8), stop: oneLine("x - 1 + max(0, -1000*x)", "x = 1, \"x'\" = 0", 6),
  two: "lagrangian = \"(x'^2 + y'^2)/2 - x^2/2 - (y - x)^2/2\"\n[space]\nx = \"R\"\ny = \"R\"\n[forces]\nx = \"-sign(x')/4 + sin(t)/2\"\ny = \"-sign(y' - x')/5\"\n"
    + "[simulation]\ninitial = { x = 1, y = -2, \"x'\" = 0, \"y'\" = 0 }\nuntil = 25\n",
};
for (const [name, text] of Object.entries(switching)) {
  const said = JSON.parse(execFileSync(program, ["--studio-worker"], { input: JSON.stringify({ action: "film", text, name: `${name}.toml` }) }).toString());
  const motion = new LiveMotion(said.live, vm.runInThisContext(`(${said.script})`)), job = motion.job({ rtol: 1e-10 }), { series } = said.data.film;
  while (!job.slice(1000)) { /* to its end */ }
  if (job.failure) { ++wrong; console.log(`${name}: ${job.failure}`); }
  for (const [variable, values] of Object.entries(series)) {
    const i = said.live.state.findIndex((s) => s.name === variable), size = Math.max(1, ...values.map(Math.abs));
    if (i < 0) continue;
    const gap = Math.max(...values.map((v, k) => (job.y[k] ? Math.abs(job.y[k][i] - v) : Infinity)));
    if (!(gap < 2e-5 * size)) { ++wrong; console.log(`${name}: ${variable} differs by ${gap}`); }
    ++compared;
  }
}
console.log(`${compared} numbers and ${drawn} shapes of ${zoo.length} models compared, ${wrong} wrong; the slowest draft takes ${slowest[0].toFixed(0)} ms (${slowest[1]})`);
process.exit(wrong || compared < 300 || drawn < 200 ? 1 : 0);
