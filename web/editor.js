// The studio's editor: TOML with expressions in strings, marks under errors, completion, meanings under the pointer.
"use strict";

/** Keys whose strings are prose, not expressions. */
const proseKeys = new Set(["title", "theme", "references", "about", "color", "view", "group", "basis", "name", "description"]);

/** A tokenizer for CodeMirror: sections, keys, comments, numbers; inside strings our expressions. */
function modelLanguage(knows) {
  const inString = (stream, state) => {
    if (stream.match(state.quote)) { state.quote = ""; return "string"; }
    if (proseKeys.has(state.key)) {
      while (!stream.eol() && !stream.match(state.quote, false)) stream.next();
      return "string";
    }
    if (stream.match(/^\d+(\.\d+)?([eE][+-]?\d+)?/)) return "number";
    const name = stream.match(/^[A-Za-z_]\w*'*/);
    if (name) {
      if (stream.match(/^\s*\(/, false) || knows.functions.has(name[0])) return "keyword";
      return knows.names.has(name[0]) ? "variableName" : "string";
    }
    stream.next();
    return "string";
  };
  return {
    startState: () => ({ key: "", value: false, quote: "", depth: 0 }),
    token(stream, state) {
      if (stream.sol()) {
        if (!state.depth) { state.value = false; state.key = ""; }
        state.quote = state.quote.length === 3 ? state.quote : "";
      }
      if (state.quote) return inString(stream, state);
      if (stream.eatSpace()) return null;
      if (stream.peek() === "#") { stream.skipToEnd(); return "comment"; }
      if (!state.value && stream.match(/^\[[^\]]*\]\]?/)) return "heading";
      const quote = stream.match(/^("""|'''|"|')/);
      if (quote) {
        state.quote = quote[0];
        return "string";
      }
      if (stream.match(/^[{[]/)) { ++state.depth; return "bracket"; }
      if (stream.match(/^[}\]]/)) { state.depth = Math.max(0, state.depth - 1); return "bracket"; }
      if (stream.match(/^=/)) { state.value = true; return "operator"; }
      if (stream.match(/^(true|false)\b/)) return "atom";
      if (stream.match(/^[+-]?\d[\d_.]*([eE][+-]?\d+)?/)) return "number";
      const key = stream.match(/^[A-Za-z_][\w-]*/);
      if (key) { state.key = key[0]; return "propertyName"; }
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  };
}

/** The word under a position: a name with its primes, and where it stands. */
function wordAt(doc, position) {
  const line = doc.lineAt(position), text = line.text, at = position - line.from;
  for (const m of text.matchAll(/[A-Za-z_]\w*'*/g)) {
    if (m.index <= at && at <= m.index + m[0].length) return { from: line.from + m.index, to: line.from + m.index + m[0].length, text: m[0] };
  }
  return null;
}

/** The section a line lies in, as the table of keys names it: bodies.* for [bodies.wheel]. */
function sectionAt(doc, position, tables) {
  for (let n = doc.lineAt(position).number; n >= 1; --n) {
    const m = doc.line(n).text.match(/^\s*\[([^\]]+)\]/);
    if (!m) continue;
    const name = m[1].trim();
    return tables.has(name) ? name : `${name.split(".")[0]}.*`;
  }
  return "";
}

/** `did you mean x, y?` and `use x` name replacements. */
function replacementsIn(fix) {
  const m = fix.match(/(?:did you mean|use|write|write a single|write powers as) ((?:`[^`]+`(?:,? or |, )?)+)/);
  if (m) return [...m[1].matchAll(/`([^`]+)`/g)].map((r) => r[1]).filter((r) => !/\s/.test(r) && !/.=/.test(r)).slice(0, 3);
  const bare = fix.match(/^write (true|false|[-+]?[\d.]+(?:[eE][-+]?\d+)?)$/) || fix.match(/^put (?:it|an expression) between quotes: ("[^"]+")$/);
  if (bare) return [bare[1]];
  const quoted = fix.match(/^write ((?:"[^"]+"(?:,? or |, )?)+)/);  // one of several strings
  return quoted ? [...quoted[1].matchAll(/"[^"]+"/g)].map((r) => r[0]).slice(0, 3) : [];
}

/** What mends a problem by a change of the text: [{name, from, to, insert}]; the mark lies from `from` to `to` in the document. */
function repairsOf(p, doc, from, to) {
  const line = doc.lineAt(from), marked = doc.sliceString(from, to), edit = (a, b, insert) => ({ name: `Replace by ${insert}`, from: a, to: b, insert });
  const doubled = ((p.summary || "").match(/^`(\*\*|==)` is not/) || [])[1];
  if (doubled) {  // the mark is one of the two characters
    const run = [...line.text.matchAll(doubled === "**" ? /\*\*/g : /=\s*=/g)].find((m) => line.from + m.index <= from && from < line.from + m.index + m[0].length);
    return run ? [edit(line.from + run.index, line.from + run.index + run[0].length, doubled === "**" ? "^" : "=")] : [];
  }
  if (p.fix === 'add "' && !/[#,}\]]/.test(line.text.slice(from - line.from))) return [{ ...edit(line.from + line.text.trimEnd().length, line.from + line.text.trimEnd().length, '"'), name: 'Add "' }];
  // Of a longer mark only the wrong word is replaced: `coss` in coss(theta).
  const wrong = ((p.summary || "").match(/`([^`]+)`/) || [])[1], at = wrong ? marked.indexOf(wrong) : -1;
  return replacementsIn(p.fix || "").map((better) => {
    const call = better.match(/^(\w+)\((.*)\)$/), before = call && call[2] === marked && line.text.slice(0, from - line.from).match(new RegExp(`\\b${call[1]}\\s*$`));
    if (before) return edit(from - before[0].length, to, better);  // the mark is the argument: sin theta
    if (better[0] === '"') return edit(from, to, better);
    return at >= 0 ? edit(from + at, from + at + wrong.length, better) : edit(from, to, better);
  }).filter((r) => doc.sliceString(r.from, r.to) !== r.insert);
}

/** [constraints], not references = ["…"]. */
const isSection = (k) => k.table === "" && k.example.startsWith("[") && !k.example.startsWith("[\"") && !/\d/.test(k.example);

class Editor {
  /** known: {keys, functions} of the program; onChange(text) after every change by a hand. */
  constructor(parent, { keys, functions, onChange, onCommand }) {
    this.keys = keys;
    this.tables = new Set(keys.map((k) => k.table));
    this.knows = { names: new Map(), functions: new Map(functions.map((f) => [f.name, f])) };
    this.onChange = onChange;
    this.quiet = false;
    if (typeof CM === "undefined") return this.plain(parent);
    this.language = new CM.Compartment();
    const language = this.language.of(CM.StreamLanguage.define(modelLanguage(this.knows))), { tags } = CM;
    const style = CM.HighlightStyle.define([
      { tag: tags.heading, color: "var(--accent)", fontWeight: "600" }, { tag: tags.propertyName, color: "var(--ink)" },
      { tag: tags.string, color: "var(--code-string)" }, { tag: tags.number, color: "var(--code-number)" }, { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
      { tag: tags.keyword, color: "var(--violet)" }, { tag: tags.variableName, color: "var(--blue)" }, { tag: tags.atom, color: "var(--violet)" },
      { tag: tags.operator, color: "var(--soft)" }, { tag: tags.bracket, color: "var(--soft)" },
    ]);
    this.extensions = [
      CM.Prec.highest(CM.keymap.of([{ key: "Mod-Enter", run: () => onCommand("run") }, { key: "Mod-s", run: () => onCommand("save"), preventDefault: true }])),
      CM.basicSetup, CM.keymap.of([CM.indentWithTab]), language, CM.syntaxHighlighting(style), CM.EditorView.lineWrapping, CM.lintGutter(),
      CM.autocompletion({ override: [(context) => this.complete(context)] }), CM.hoverTooltip((view, position) => this.meaning(view, position)),
      CM.EditorView.contentAttributes.of({ "aria-label": "model file", spellcheck: "false" }),
      CM.EditorView.updateListener.of((u) => u.docChanged && !this.quiet && this.onChange(this.text())),
    ];
    this.view = new CM.EditorView({ parent, extensions: this.extensions });
  }

  /** Without CodeMirror: a text area, and problems in the list below it. */
  plain(parent) {
    const area = document.createElement("textarea");
    area.setAttribute("aria-label", "model file");
    area.spellcheck = false;
    area.className = "plain-editor";
    area.addEventListener("input", () => this.onChange(area.value));
    parent.append(area);
    this.area = area;
  }

  text() { return this.view ? this.view.state.doc.toString() : this.area.value; }

  /** Another document; with a remembered history, when there is one. */
  open(text, history = null) {
    if (!this.view) { this.area.value = text; return; }
    const config = { doc: text, extensions: this.extensions };
    let state = null;
    try {
      if (history && history.doc === text) state = CM.EditorState.fromJSON(history, config, { history: CM.historyField });
    } catch { /* a history of another version */ }
    this.quiet = true;
    this.view.setState(state || CM.EditorState.create(config));
    this.quiet = false;
  }
  history() { return this.view ? this.view.state.toJSON({ history: CM.historyField }) : null; }
  focus() { (this.view || this.area).focus(); }

  /** Replaces the text as an edit that can be undone. */
  replace(text) {
    if (!this.view) { this.area.value = text; this.onChange(text); return; }
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }
  goTo(line, column) {
    if (!this.view) return;
    const at = this.position(line, column);
    this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.view.focus();
  }

  /** Columns count characters, CodeMirror counts UTF-16 units. */
  position(line, column) {
    const doc = this.view.state.doc, row = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return row.from + [...row.text].slice(0, Math.max(column - 1, 0)).join("").length;
  }

  marks(problems) {
    if (!this.view) return;
    const diagnostics = [], doc = this.view.state.doc;
    for (const p of problems) {
      for (const place of p.places.length ? p.places : [{ line: 1, column: 1, length: 0 }]) {
        const from = Math.min(this.position(place.line, place.column), doc.length), end = doc.lineAt(from).to;
        const to = Math.max(from, Math.min(this.position(place.line, place.column + Math.max(place.length, 1)), end));
        diagnostics.push({ from, to, severity: p.severity, source: p.slug, message: p.summary, renderMessage: () => this.problemNode(p),
          // The mark may have moved with the text since.
          actions: repairsOf(p, doc, from, to).map((r) => ({ name: r.name, apply: (view, a) => view.dispatch({ changes: { from: a + r.from - from, to: a + r.to - from, insert: r.insert } }) })) });
      }
    }
    diagnostics.sort((a, b) => a.from - b.from);
    this.view.dispatch(CM.setDiagnostics(this.view.state, diagnostics));
  }

  /** What mends a problem of the present text: [{name, apply}]. */
  /** Values into the start of the model; those of its speeds only where it has none yet. */
  writeStart(values, speeds) {
    const text = this.text(), write = (list) => list.map(([n, v]) => `${n} = ${v}`), at = (pattern) => pattern.exec(text), end = (m) => m.index + m[0].length;
    const given = at(/^initial\s*=\s*\{[ \t]*/m), table = at(/^\[simulation\.initial\].*\n/m), section = at(/^\[simulation\].*\n/m), all = `initial = { ${write([...values, ...speeds]).join(", ")} }\n`;
    const change = given ? { from: end(given), insert: `${write(values).join(", ")}${text[end(given)] === "}" ? " " : ", "}` } : table ? { from: end(table), insert: `${write(values).join("\n")}\n` }
      : section ? { from: end(section), insert: all } : { from: text.length, insert: `${text.endsWith("\n") ? "\n" : "\n\n"}[simulation]\n${all}until = 10\n` };
    this.view.dispatch({ changes: change, selection: { anchor: change.from + change.insert.length }, scrollIntoView: true });
    this.view.focus();
  }
  repairs(p) {
    if (!this.view || !p.places.length) return [];
    const { doc } = this.view.state, [place] = p.places, from = Math.min(this.position(place.line, place.column), doc.length);
    const to = Math.max(from, Math.min(this.position(place.line, place.column + Math.max(place.length, 1)), doc.lineAt(from).to));
    return repairsOf(p, doc, from, to).map((r) => ({ name: r.name, apply: () => {
      if (this.view.state.doc !== doc) return;  // the list is of an earlier text
      this.view.dispatch({ changes: { from: r.from, to: r.to, insert: r.insert }, selection: { anchor: r.from + r.insert.length }, scrollIntoView: true });
      this.view.focus();
    } }));
  }

  problemNode(p) {
    const box = document.createElement("div");
    const line = (text, kind) => {
      if (!text) return;
      const e = document.createElement("div");
      e.className = kind;
      e.textContent = text.replace(/`/g, "");
      box.append(e);
    };
    line(p.summary, "problem-what");
    line(p.why && `why: ${p.why}`, "problem-why");
    line(p.fix && `fix: ${p.fix}`, "problem-fix");
    return box;
  }

  names(list) {
    const before = [...this.knows.names.keys()].join();
    this.knows.names.clear();
    for (const n of list) if (!this.knows.names.has(n.name)) this.knows.names.set(n.name, n);
    // Names that have become known are coloured.
    if (this.view && before !== [...this.knows.names.keys()].join()) this.view.dispatch({ effects: this.language.reconfigure(CM.StreamLanguage.define(modelLanguage(this.knows))) });
  }

  complete(context) {
    const { state, pos } = context, line = state.doc.lineAt(pos), before = line.text.slice(0, pos - line.from);
    const word = context.matchBefore(/[A-Za-z_][\w'-]*/), from = word ? word.from : pos, section = sectionAt(state.doc, pos, this.tables);
    const options = (list) => (list.length ? { from, options: list, validFor: /^[\w'()-]*$/ } : null);
    if (/^\s*\[[\w.]*$/.test(before)) {
      return options(this.keys.filter(isSection).map((k) => ({ label: k.key, detail: k.about, type: "namespace" })));
    }
    const inside = (before.match(/"/g) || []).length % 2 === 1;
    if (!word && !context.explicit) return null;
    if (inside) return options(this.values(state.doc, before, section));
    if (!/^\s*[\w-]*$/.test(before) && !/[{,]\s*[\w-]*$/.test(before)) return null;
    const names = this.namesAsKeys(before, section);
    if (names) return options(names);
    const inline = /\{[^}]*$/.test(before), table = inline && !section.includes(".") ? `${section}.*` : section;
    const top = section === "" || (!inline && pos <= (state.doc.toString().search(/^\s*\[/m) + 1 || Infinity));
    return options(this.keys.filter((k) => k.table === table || (top && k.table === "")).map((k) => ({ label: k.key, detail: k.about, type: "property",
      apply: isSection(k) ? `${k.key}` : `${k.key} = ${k.example}` })));
  }

  /** Where coordinates and velocities are keys: a start, forces. Null elsewhere. */
  namesAsKeys(before, section) {
    const start = (section === "simulation" && /^\s*(initial|guess)\s*=\s*\{[^}]*$/.test(before)) || /^simulation\.(initial|guess)$/.test(section);
    if (!start && (!/^(forces|parametrization)$/.test(section) || before.includes("{"))) return null;
    const kinds = start ? ["coordinate", "velocity", "quasi-velocity", "rotation"] : ["coordinate", "velocity"];
    return [...this.knows.names.values()].filter((n) => kinds.includes(n.kind)).map((n) => {
      const key = /^[\w-]+$/.test(n.name) ? n.name : `"${n.name}"`;
      return { label: n.name, detail: n.about || n.kind, type: "variable", apply: `${key} = ` };
    });
  }

  /** Inside a string: spaces, names of bodies, or an expression. */
  values(doc, before, section) {
    const [, key = ""] = before.match(/([A-Za-z_][\w-]*)\s*=\s*\[?\s*(?:"[^"]*"\s*,\s*)*"[^"]*$/) || [];
    if (proseKeys.has(key) && key !== "group") return [];
    const words = (list) => list.map((label) => ({ label, type: "keyword" }));
    if (key === "group") return words(["SO(3)", "SE(2)", "SE(3)", "H3", "R", "S1"]);
    if (section === "space" && !before.includes("{")) return words(["R", "S1"]);
    if (/^(body|parent|child)$/.test(key)) return words([...doc.toString().matchAll(/^\s*\[bodies\.([\w-]+)\]/gm)].map((m) => m[1]));
    return [
      ...[...this.knows.names.values()].filter((n) => n.kind !== "constraint" && !/^constraint/.test(n.kind))
        .map((n) => ({ label: n.name, detail: n.about || n.kind, type: n.kind === "parameter" ? "constant" : "variable" })),
      ...[...this.knows.functions.values()].map((f) => ({ label: f.name, detail: f.about || "", type: "function", apply: `${f.name}(` })),
    ];
  }

  meaning(view, position) {
    const word = wordAt(view.state.doc, position), row = view.state.doc.lineAt(position).text;
    if (!word || row.slice(0, position - view.state.doc.lineAt(position).from).includes("#")) return null;
    const n = this.knows.names.get(word.text), f = this.knows.functions.get(word.text);
    const section = sectionAt(view.state.doc, position, this.tables), key = this.keys.find((k) => k.key === word.text && (k.table === section || k.table === ""));
    if (!n && !f && !key) return null;
    return { pos: word.from, end: word.to, above: true, create: () => ({ dom: meaningNode(word.text, n, f, key) }) };
  }
}

function meaningNode(word, n, f, key) {
  const dom = document.createElement("div");
  dom.className = "meaning";
  const line = (text, tag = "div") => {
    const e = document.createElement(tag);
    e.textContent = text;
    dom.append(e);
    return e;
  };
  const formula = (latex, text) => {
    const e = line(text);
    if (!readKatex()) return;
    try { katex.render(latex, e, { throwOnError: true, strict: false }); } catch { e.textContent = text; }
  };
  if (n) {
    line(`${n.kind}${n.about && n.about !== n.kind ? `: ${n.about}` : ""}${n.positive ? ", positive" : ""}`);
    formula(n.latex ? `${n.kind === "constraint" ? "" : `${n.latex_name} = `}${n.latex}${n.kind === "constraint" ? " = 0" : ""}` : n.latex_name, n.text || word);
  } else if (f) {
    line(f.about ? `function: ${f.about}` : "function");
    if (f.latex) formula(f.rate ? `\\frac{d}{dx}\\, ${f.latex} = ${f.rate}` : f.latex, word);
  } else line(isSection(key) ? `${key.about}; for example ${key.example}` : `${key.about}; for example ${key.key} = ${key.example}`);
  return dom;
}
