// The page's side of the conversation with the program. It is read before the rest of the page: the document and its film are on
// their way while the other scripts are read.
"use strict";

const token = new URLSearchParams(location.search).get("token") || "";
const headers = { "X-Rattleback-Token": token };

async function fetched(path, options = {}) {
  const response = await fetch(path, { ...options, headers: { ...headers, ...(options.body ? { "Content-Type": "application/json" } : {}) } });
  const data = await response.json();
  if (!response.ok) throw Object.assign(new Error(data.error), { status: response.status, why: data.why, fix: data.fix });
  return data;
}

/** A computation. `piece(text)` gets whole lines of its output as they come. Resolves to {bytes, end}. */
async function compute(request, { signal, piece } = {}) {
  const response = await fetch("/api/job", { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(request), signal });
  if (!response.ok) throw new Error((await response.json()).error);
  const reader = response.body.getReader(), parts = [], decoder = new TextDecoder();
  let pending = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    if (!piece) continue;
    pending += decoder.decode(value, { stream: true });
    const lines = pending.split("\n");
    pending = lines.pop();
    for (const line of lines) if (line && line[0] !== "\x1e") piece(line);
  }
  const bytes = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  parts.reduce((at, p) => (bytes.set(p, at), at + p.length), 0);
  const mark = bytes.lastIndexOf(0x1e), end = JSON.parse(new TextDecoder().decode(bytes.subarray(mark + 1)));
  return { bytes: bytes.subarray(0, mark), end, text: () => new TextDecoder().decode(bytes.subarray(0, mark)) };
}

/** What to say of a computation that did not answer. */
function failureOf(end) {
  if (end.signal) return `The computation crashed (signal ${end.signal}). The studio and your text are unharmed.`;
  if (end.stopped) return `The computation was stopped ${end.stopped}.`;
  return (end.errors || "").trim().replace(/^error\[[^\]]*\]: /, "") || "The computation ended without an answer.";
}

/** The draft of this browser, when it is of this folder and of the document that was asked for; a model in a link comes first. */
function draftFor({ folder, opened }) {
  if (location.hash.includes("model=")) return null;
  const draft = JSON.parse(sessionStorage.getItem("rattleback-draft") || localStorage.getItem("rattleback-draft") || "null");
  return draft && draft.folder === folder && (!opened || draft.name === opened.name) && draft.text.trim() ? draft : null;
}

const early = fetched("/api/start").then((start) => {
  const draft = draftFor(start), shown = location.hash.includes("model=") ? null : draft || start.opened;
  const film = shown ? { text: shown.text, answer: compute({ action: "film", text: shown.text, name: shown.name, fly: false }) } : null;
  if (film) film.answer.catch(() => null);  // it is asked again, and then the failure is said
  return { start, draft, film };
});
early.catch(() => null);  // begin() says it
