// Dormand and Prince's method of order 8 with adaptive steps and dense output of order 7, for motions in a page.
// Coefficients: Hairer, Nørsett, Wanner 1993, II.5, II.6 and II.10, as in simulate/steppers/dop853_tableau.hpp.
"use strict";

class Dop853 {
  static c = [0.0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726, 0.3333333333333333, 0.25, 0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1.0, 1.0, 0.1, 0.2, 0.7777777777777778];
  /** Row i: [stage, weight] of the stages before stage i; row 12 is the step itself, 13 to 15 are for the dense output. */
  static a = [
    [],
    [[0, 0.05260015195876773]],
    [[0, 0.0197250569845379], [1, 0.0591751709536137]],
    [[0, 0.02958758547680685], [2, 0.08876275643042054]],
    [[0, 0.2413651341592667], [2, -0.8845494793282861], [3, 0.924834003261792]],
    [[0, 0.037037037037037035], [3, 0.17082860872947386], [4, 0.12546768756682242]],
    [[0, 0.037109375], [3, 0.17025221101954405], [4, 0.06021653898045596], [5, -0.017578125]],
    [[0, 0.03709200011850479], [3, 0.17038392571223998], [4, 0.10726203044637328], [5, -0.015319437748624402], [6, 0.008273789163814023]],
    [[0, 0.6241109587160757], [3, -3.3608926294469414], [4, -0.868219346841726], [5, 27.59209969944671], [6, 20.154067550477894], [7, -43.48988418106996]],
    [[0, 0.47766253643826434], [3, -2.4881146199716677], [4, -0.590290826836843], [5, 21.230051448181193], [6, 15.279233632882423], [7, -33.28821096898486], [8, -0.020331201708508627]],
    [[0, -0.9371424300859873], [3, 5.186372428844064], [4, 1.0914373489967295], [5, -8.149787010746927], [6, -18.52006565999696], [7, 22.739487099350505], [8, 2.4936055526796523], [9, -3.0467644718982196]],
    [[0, 2.273310147516538], [3, -10.53449546673725], [4, -2.0008720582248625], [5, -17.9589318631188], [6, 27.94888452941996], [7, -2.8589982771350235], [8, -8.87285693353063], [9, 12.360567175794303], [10, 0.6433927460157636]],
    [[0, 0.054293734116568765], [5, 4.450312892752409], [6, 1.8915178993145003], [7, -5.801203960010585], [8, 0.3111643669578199], [9, -0.1521609496625161], [10, 0.20136540080403034], [11, 0.04471061572777259]],
    [[0, 0.056167502283047954], [6, 0.25350021021662483], [7, -0.2462390374708025], [8, -0.12419142326381637], [9, 0.15329179827876568], [10, 0.00820105229563469], [11, 0.007567897660545699], [12, -0.008298]],
    [[0, 0.03183464816350214], [5, 0.028300909672366776], [6, 0.053541988307438566], [7, -0.05492374857139099], [10, -0.00010834732869724932], [11, 0.0003825710908356584], [12, -0.00034046500868740456], [13, 0.1413124436746325]],
    [[0, -0.42889630158379194], [5, -4.697621415361164], [6, 7.683421196062599], [7, 4.06898981839711], [8, 0.3567271874552811], [12, -0.0013990241651590145], [13, 2.9475147891527724], [14, -9.15095847217987]],
  ];
  static e5 = [[0, 0.01312004499419488], [5, -1.2251564463762044], [6, -0.4957589496572502], [7, 1.6643771824549864], [8, -0.35032884874997366], [9, 0.3341791187130175], [10, 0.08192320648511571], [11, -0.022355307863886294]];
  static e3 = [[0, 0.2440944881889764], [8, 0.7338466882816118], [11, 0.022058823529411766]];
  static d = [
    [[0, -8.428938276109013], [5, 0.5667149535193777], [6, -3.0689499459498917], [7, 2.38466765651207], [8, 2.117034582445028], [9, -0.871391583777973], [10, 2.2404374302607883], [11, 0.6315787787694688], [12, -0.08899033645133331], [13, 18.148505520854727], [14, -9.194632392478356], [15, -4.436036387594894]],
    [[0, 10.427508642579134], [5, 242.28349177525817], [6, 165.20045171727028], [7, -374.5467547226902], [8, -22.113666853125306], [9, 7.733432668472264], [10, -30.674084731089398], [11, -9.332130526430229], [12, 15.697238121770845], [13, -31.139403219565178], [14, -9.35292435884448], [15, 35.81684148639408]],
    [[0, 19.985053242002433], [5, -387.0373087493518], [6, -189.17813819516758], [7, 527.8081592054236], [8, -11.57390253995963], [9, 6.8812326946963], [10, -1.0006050966910838], [11, 0.7777137798053443], [12, -2.778205752353508], [13, -60.19669523126412], [14, 84.32040550667716], [15, 11.99229113618279]],
    [[0, -25.69393346270375], [5, -154.18974869023643], [6, -231.5293791760455], [7, 357.6391179106141], [8, 93.40532418362432], [9, -37.45832313645163], [10, 104.0996495089623], [11, 29.8402934266605], [12, -43.53345659001114], [13, 96.32455395918828], [14, -39.17726167561544], [15, -149.72683625798564]],
  ];

  /**
   * f(t, y, dy) writes the rates; settle(t, y), when there is one, takes a state back to its manifold (unit quaternions,
   * velocities that the constraints allow).
   */
  constructor(f, n, { rtol = 1e-9, atol = rtol / 100, settle = null } = {}) {
    Object.assign(this, { f, n, rtol, atol, settle });
    this.k = Array.from({ length: 16 }, () => new Float64Array(n));
    this.y = new Float64Array(n);
    this.old = new Float64Array(n);
    this.next = new Float64Array(n);
    this.dense = Array.from({ length: 7 }, () => new Float64Array(n));
    this.steps = 0;
  }

  start(t, y) {
    this.t = this.tOld = t;
    this.y.set(y);
    this.f(t, this.y, this.k[0]);
    this.h = 0;
    this.hasDense = this.pending = false;
  }

  scale(a, b) { return this.atol + this.rtol * Math.max(Math.abs(a), Math.abs(b)); }

  /** Hairer's guess of the first step. */
  firstStep(duration) {
    const { y, n } = this, rate = this.k[0];
    const norm = (value) => {
      let total = 0;
      for (let i = 0; i < n; ++i) total += (value(i) / this.scale(y[i], y[i])) ** 2;
      return Math.sqrt(total / n);
    };
    const size = norm((i) => y[i]), slope = norm((i) => rate[i]);
    const h = Math.min(size < 1e-5 || slope < 1e-5 ? 1e-6 : (0.01 * size) / slope, duration);
    for (let i = 0; i < n; ++i) this.next[i] = y[i] + h * rate[i];
    this.f(this.t + h, this.next, this.k[1]);
    const bend = norm((i) => this.k[1][i] - rate[i]) / h, steepest = Math.max(slope, bend);
    const byOrder = steepest <= 1e-15 ? Math.max(1e-6, h * 1e-3) : (0.01 / steepest) ** (1 / 8);
    const guess = Math.min(100 * h, byOrder, duration);
    return Number.isFinite(guess) && guess > 0 ? guess : duration * 1e-6;
  }

  stage(s, t, y, h, into) {
    const { n, k } = this, row = Dop853.a[s];
    for (let i = 0; i < n; ++i) {
      let sum = 0;
      for (let j = 0; j < row.length; ++j) sum += row[j][1] * k[row[j][0]][i];
      into[i] = y[i] + h * sum;
    }
    this.f(t + Dop853.c[s] * h, into, k[s]);
  }

  /** The weighted error of a step; more than 1 rejects it. */
  attempt(h) {
    const { n, k, y, next } = this;
    for (let s = 1; s < 12; ++s) this.stage(s, this.t, y, h, next);
    const row = Dop853.a[12];
    let fifth = 0, third = 0;
    for (let i = 0; i < n; ++i) {
      let sum = 0, e5 = 0, e3 = 0;
      for (const [j, w] of row) sum += w * k[j][i];
      for (const [j, w] of Dop853.e5) e5 += w * k[j][i];
      for (const [j, w] of Dop853.e3) e3 += w * k[j][i];
      next[i] = y[i] + h * sum;
      const scale = this.scale(y[i], next[i]);
      fifth += (e5 / scale) ** 2;
      third += ((sum - e3) / scale) ** 2;
    }
    const both = fifth + 0.01 * third;
    return both === 0 ? 0 : (Math.abs(h) * fifth) / Math.sqrt(both * n);
  }

  /** One step towards `end`; false when the motion cannot go on. */
  step(end) {
    this.advance();
    if (this.h === 0) this.h = this.firstStep(end - this.t);
    for (let rejected = false; ; rejected = true) {
      const left = end - this.t, last = this.h * (1 + 1e-10) >= left, h = last ? left : this.h;
      if (!(Math.abs(h) > 4e-16 * Math.abs(this.t) && Math.abs(h) > 1e-300)) return false;
      const error = this.attempt(h);
      const factor = !Number.isFinite(error) ? 0.1 : error === 0 ? 6 : 0.9 * error ** (-1 / 8);
      const next = h * (Number.isFinite(error) ? Math.min(rejected && error <= 1 ? 1 : 6, Math.max(1 / 3, factor)) : 0.1);
      if (error <= 1) {
        this.tOld = this.t;
        this.t = last ? end : this.t + h;
        [this.old, this.y, this.next] = [this.y, this.next, this.old];
        if (this.settle) this.settle(this.t, this.y);
        this.f(this.t, this.y, this.k[12]);
        this.hasDense = false;
        this.h = last ? Math.max(next, this.h) : next;
        this.pending = true;
        ++this.steps;
        return true;
      }
      this.h = next;
    }
  }

  /** The rate at the end of the last step is the first of the next. */
  advance() {
    if (!this.pending) return;
    [this.k[0], this.k[12]] = [this.k[12], this.k[0]];
    this.pending = false;
  }

  makeDense() {
    const { n, k, y, old, dense } = this, h = this.t - this.tOld;
    const x = new Float64Array(n);
    for (let s = 13; s < 16; ++s) this.stage(s, this.tOld, old, h, x);
    for (let i = 0; i < n; ++i) {
      const rise = y[i] - old[i];
      dense[0][i] = rise;
      dense[1][i] = h * k[0][i] - rise;
      dense[2][i] = 2 * rise - h * (k[12][i] + k[0][i]);
      for (let row = 0; row < 4; ++row) {
        let sum = 0;
        for (const [j, w] of Dop853.d[row]) sum += w * k[j][i];
        dense[3 + row][i] = h * sum;
      }
    }
    this.hasDense = true;
  }

  /** The state at a time within the last step. */
  at(t, into) {
    if (t >= this.t) return into.set(this.y);
    if (!this.hasDense) this.makeDense();
    const s = (t - this.tOld) / (this.t - this.tOld), r = 1 - s;
    for (let i = 0; i < this.n; ++i) {
      let value = 0;
      for (let k = 6; k >= 0; --k) value = (value + this.dense[k][i]) * (k % 2 === 0 ? s : r);
      into[i] = this.old[i] + value;
    }
  }
}
